# SPDX-License-Identifier: Apache-2.0
"""Log-likelihood of a PEtab problem (version 1) from the simulated values that come with it, without any simulation of ours.

Used by scripts/petab. Noise formulas are evaluated with nominal parameters and the simulated value in the place of the observable's formula; None: there
are no simulated values, or not for every measurement, or a noise formula needs states.
"""
import ast
import csv
import math
import re

FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log10": math.log10, "abs": abs, "max": max, "min": min}


def rows_of(path):
    with open(path, encoding="utf-8-sig") as file:
        return [{k: (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(file, delimiter="\t")]


def files_of(yaml):
    """Name of each table in the YAML file's lists, by kind; enough for the files of the collection."""
    files, kind = {}, ""
    for line in yaml.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"[\s-]*(\w+_files?):\s*(\S*)", line):
            kind = found.group(1).removesuffix("s")
            if found.group(2) and found.group(2) != "[]":
                files.setdefault(kind, []).append(found.group(2).strip("'\"[]"))
        elif found := re.match(r"\s*-\s+([^\s:]+)\s*$", line):
            files.setdefault(kind, []).append(found.group(1).strip("'\""))
    return {k: [yaml.parent / name for name in names] for k, names in files.items()}


def value_of(formula, names):
    """A formula of numbers, names, + - * / ^ and a few functions; KeyError for a name that has no value."""
    def walk(node):
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.UnaryOp):
            return -walk(node.operand) if isinstance(node.op, ast.USub) else walk(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = walk(node.left), walk(node.right)
            return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}[type(node.op)] if not isinstance(node.op, (ast.Div, ast.Pow)) \
                else a / b if isinstance(node.op, ast.Div) else a ** b
        return FUNCTIONS[node.func.id](*map(walk, node.args))
    return walk(ast.parse(formula.replace("^", "**"), mode="eval").body)


def density(measured, simulated, sigma, scale, laplace):
    """log p(measured)."""
    of = {"lin": lambda v: v, "log": math.log, "log10": math.log10}[scale]
    r = (of(measured) - of(simulated)) / sigma
    jacobian = {"lin": 1, "log": measured, "log10": measured * math.log(10)}[scale]
    if laplace:
        return -abs(r) - math.log(2 * sigma * jacobian)
    return -0.5 * r * r - 0.5 * math.log(2 * math.pi) - math.log(sigma * jacobian)


def key_of(row):
    when = float(row["time"]) if row["time"] else math.nan
    condition = row.get("simulationConditionId") or row.get("simulationCondition") or ""
    before = row.get("preequilibrationConditionId") or row.get("preequilibrationCondition") or ""
    return row["observableId"], before, condition, round(when, 5) if math.isfinite(when) else when


def log_likelihood(yaml):
    files = files_of(yaml)
    names = {}
    for row in sum((rows_of(p) for p in files.get("parameter_file", [])), []):
        names[row["parameterId"]] = float(row["nominalValue"]) if row["nominalValue"] else math.nan
    observables = {row["observableId"]: row for path in files["observable_file"] for row in rows_of(path)}
    measurements = [row for path in files["measurement_file"] for row in rows_of(path)]
    simulated = {}
    for path in sorted(yaml.parent.glob("simulat*.tsv")):
        for row in rows_of(path):
            simulated.setdefault(key_of(row), []).append(float(row.get("simulation") or row.get("measurement") or "nan"))
    total, taken = 0.0, {}
    for row in measurements:
        observable, key = observables[row["observableId"]], key_of(row)
        known = simulated.get(key) or simulated.get((key[0].removeprefix("observable_"), *key[1:]))
        if not known:
            return None
        k = taken[key] = taken.get(key, -1) + 1  # replicates stand in the same order
        theirs = known[min(k, len(known) - 1)]
        formula, local = observable["noiseFormula"] or "1", dict(names)
        for kind in ("noise", "observable"):
            for n, text in enumerate(filter(None, row.get(kind + "Parameters", "").split(";")), 1):
                number = names[text] if text in names else float(text)
                local[f"{kind}Parameter{n}_{row['observableId']}"] = number
        local["simulatedHere"] = theirs
        squeeze = lambda text: re.sub(r"\s", "", text)
        formula = squeeze(formula)
        of = squeeze(observable["observableFormula"])
        for candidate in (of, of.strip("()")):
            formula = re.sub(r"(?<![\w.])" + re.escape(candidate) + r"(?![\w(])", "simulatedHere", formula)
        formula = re.sub(rf"(?<!\w){re.escape(row['observableId'])}(?!\w)", "simulatedHere", formula)
        try:
            sigma = value_of(formula, local)
            total += density(float(row["measurement"]), theirs, sigma, observable.get("observableTransformation") or "lin",
                             observable.get("noiseDistribution") == "laplace")
        except (KeyError, ValueError, ZeroDivisionError) as problem:
            log_likelihood.trouble = f"{type(problem).__name__} {problem}: {formula}"
            return None
    return total
