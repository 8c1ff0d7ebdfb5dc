# SPDX-License-Identifier: Apache-2.0
"""Small models, the options of `solve` and `simulate` with values, and every pair of options on ten models.

Used by scripts/fuzz: for words, text, judge in pairs(seed): …; `judge(exit code, output)` names what a run must not do: say
"solved" or "finished" with a number that is far from the known one. References are closed forms, or a minimum of one variable.
"""
import itertools
import json
import math
import random

# One model for each thing that solvers tell apart.
PROBLEMS = {
    "minimum": "optimization M(objectiveIntegrand = x^2 + u^2, finalTime = 1) Real x(start = 1, fixed = true); input Real u(min = -2, max = 2); equation der(x) = u; end M;",
    "free_time": "optimization M(objective = finalTime, finalTime(free = true, start = 1, min = 0.1, max = 9)) Real x(start = 0, fixed = true), v(start = 0, fixed = true); input Real u(min = -1, max = 1); equation der(x) = v; der(v) = u; constraint x(finalTime) = 1; v(finalTime) = 0; end M;",
    "path": "optimization M(objectiveIntegrand = (x - 1)^2 + 0.1*u^2, finalTime = 2) Real x(start = 0, fixed = true); input Real u(min = 0, max = 3); equation der(x) = u - 0.5*x; constraint x <= 0.8; end M;",
    "parameter": "optimization M(objective = (x(finalTime) - 0.3)^2 + 0.01*p^2, finalTime = 1) parameter Real p(free = true, start = 1, min = 0, max = 5); Real x(start = 1, fixed = true); equation der(x) = -p*x; end M;",
    "algebraic": "optimization M(objectiveIntegrand = y^2 + u^2, finalTime = 1) Real x(start = 1, fixed = true), y(start = 1); input Real u; equation der(x) = u - y; y + 0.1*y^3 = x; end M;",
    "whole": "optimization M(objectiveIntegrand = x^2, finalTime = 1) Real x(start = 1, fixed = true); input Integer u(min = -1, max = 1); equation der(x) = u; end M;",
}
MORE_PROBLEMS = {
    "static": "optimization M(objective = (p - 2)^2 + 1, static = true) parameter Real p(free = true, start = 0); end M;",
    "rest": "optimization M(objectiveIntegrand = u^2, finalTime = 1) Real x(start = 0, fixed = true), v(start = 0, fixed = true); input Real u; equation der(x) = v; der(v) = u; constraint x(finalTime) = 1; v(finalTime) = 0; end M;",
    "growth": "optimization M(objective = -x(finalTime), finalTime = 1) Real x(start = 1, fixed = true); input Real u(min = 0, max = 1); equation der(x) = u*x; end M;",
    "regulator": "optimization M(objectiveIntegrand = x^2 + u^2, finalTime = 1) Real x(start = 1, fixed = true); input Real u; equation der(x) = u - x; end M;",
}
MODELS = {
    "decay": "model M parameter Real k = 2; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;",
    "swing": "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), e; equation der(x) = v; der(v) = -sin(x) - 0.1*v; e = v^2/2 - cos(x); end M;",
    "ball": "model M parameter Real c = 0.8; Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -c*pre(v)); end when; end M;",
    "implicit": "model M Real x(start = 1, fixed = true), y(start = 1), z(start = 0.5); equation der(x) = -y; y + exp(y) = x + 2; z = max(x, y) + abs(y - 0.5); end M;",
    "ticks": "model M discrete Real n(start = 0, fixed = true); Real x(start = 0, fixed = true); equation der(x) = n - x; when sample(0.1, 0.2) then n = pre(n) + 1; end when; end M;",
    "row": "model M parameter Integer n = 4; Real x[n](each start = 1, each fixed = true); equation for i in 2:n loop der(x[i]) = x[i - 1] - x[i]; end for; der(x[1]) = -x[1]^2; end M;",
    "function": "function f input Real x; output Real y; algorithm y := 0; for i in 1:3 loop y := y + x/i; end for; end f; model M Real x(start = 1, fixed = true); equation der(x) = -f(x); end M;",
}
MORE_MODELS = {
    "rotation": "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -x; end M;",
    "constant": "model M parameter Real p = 3; Real x = p; end M;",
    "circuit": "model M Real x(start = 0, fixed = true), i, u; equation u = 1; u - x = i; der(x) = i; end M;",
}


def least(f, a, b):
    """The minimum of a function with one, by golden sections."""
    share = (math.sqrt(5) - 1)/2
    for _ in range(100):
        c, d = b - share*(b - a), a + share*(b - a)
        a, b = (a, d) if f(c) < f(d) else (c, b)
    return f((a + b)/2)


OPTIMA = {
    "minimum": math.tanh(1), "free_time": 2, "parameter": least(lambda p: (math.exp(-p) - 0.3)**2 + 0.01*p**2, 0, 5), "whole": 1/3, "static": 1, "rest": 12,
    "growth": -math.e, "regulator": math.tanh(math.sqrt(2))/(math.sqrt(2) + math.tanh(math.sqrt(2))),
}
FINALS = {
    "decay": ("x", math.exp(-2)), "rotation": ("x", math.cos(1)), "circuit": ("x", 1 - math.exp(-1)), "function": ("x", math.exp(-11/6)), "row": ("x[1]", 0.5),
}

# A word alone is {None}. COARSE: what makes a right answer a rough one, or asks for another problem.
OPTIONS = {
    "solve": {
        "--set": ["x(nominal=2)"], "--units": ["strict", "ignore"], "--strict": [None], "--path": ["{tmp}"], "--trust": ["none", "all"], "--json": [None], "--colour": ["never"], "--transcription": ["gauss", "trapezoidal", "euler"],
        "--method": ["euler", "trapezoidal", "gauss", "lobatto", "hqp+radau", "ipopt+cvodes", "ipopt+rk4", "multiple-shooting", "hqp+dopri5", "sqp+euler"],
        "--integrator": ["idas", "radau5", "taylor", "adams"], "--nlp": ["ipopt", "hqp", "sqp"], "--mesh": ["1", "7", "20"], "--refine": ["1e-4"], "--max-refinements": ["1"], "--max-mesh": ["30"], "--points": ["1", "2", "5"],
        "--guess": ["simulate", "linear", "perturbed", "constant"], "--multi-start": ["2"], "--seed": ["3"], "--retry": ["false"], "--control": ["constant", "collocated"], "--control-grid": ["5"],
        "--path-constraints": ["maxima", "integrated"], "--path-tolerance": ["1e-3"], "--tighten": ["true"], "--condensing": ["true"], "--tol": ["1e-3", "1e-12"], "--places": ["polynomial"],
        "--hessian": ["exact", "lbfgs", "gauss-newton"], "--integers": ["branch", "sum-up", "relax"], "--integer-gap": ["0.1"], "--max-nodes": ["5"], "--max-iterations": ["1", "40"], "--max-time": ["3"], "--rtol": ["1e-4"],
        "--samples": ["5"], "--scaling": ["none"], "--form": ["reduced", "original"], "--initialization": ["newton", "kinsol", "idas", "ipopt"], "--threads": ["3"], "--resimulate": ["false"], "--ipopt": ["mu_strategy=adaptive"],
        "--bonmin": ["time_limit=2"], "--option": ["max_order=2", "fixed_step=0.05"], "--engine-option": ["ipopt.tol=1e-6"], "--csv": ["{tmp}/o.csv"], "--report": ["{tmp}/o.html"], "--quiet": [None],
        "--no-cache": [None], "--smooth": ["1e-3"], "--objectives": ["time", "x"], "--pareto": ["2"], "--chain": ["euler(mesh=10) -> radau(mesh=10)"], "--init-from": ["{tmp}/g.csv"], "--scenarios": ["{tmp}/s.csv"],
        "--risk": ["worst"], "--max-memory": ["1500"], "--max-scalars": ["1000"]},
    "simulate": {
        "--set": ["x(nominal=3)"], "--units": ["strict"], "--strict": [None], "--path": ["{tmp}"], "--trust": ["none"], "--json": [None], "--colour": ["never"], "--csv": ["{tmp}/o.csv"], "--report": ["{tmp}/o.html"], "--quiet": [None],
        "--no-cache": [None], "--start": ["0.5"], "--stop": ["0", "2"], "--step": ["0.01", "0.3"], "--tol": ["1e-2", "1e-11"],
        "--integrator": ["idas", "cvodes", "dopri5", "radau5", "rk4", "euler", "taylor", "adams", "sdirk", "grk4", "midpoint", "enright"], "--form": ["explicit", "reduced", "original"],
        "--initialization": ["newton", "kinsol", "idas", "idas-steady", "ipopt"], "--input": ["{tmp}/g.csv"], "--max-result": ["1"], "--option": ["max_order=1", "fixed_step=0.01", "max_steps=5", "one_step_output=1"],
        "--plot": [None], "--max-time": ["3"], "--max-memory": ["1500"], "--max-scalars": ["1000"]},
}
COARSE = {"--mesh", "--points", "--transcription", "--method", "--control", "--control-grid", "--tol", "--rtol", "--smooth", "--option", "--integers", "--integer-gap", "--max-nodes", "--path-tolerance", "--path-constraints", "--places",
          "--tighten", "--max-iterations", "--chain", "--refine", "--max-mesh", "--step", "--integrator", "--engine-option", "--nlp", "--condensing"}
ANOTHER = {"--objectives", "--pareto", "--samples", "--scenarios", "--risk", "--start", "--stop", "--initialization", "--input"}
FILES = {"g.csv": b"time,x,u\n0,1,0\n0.5,0.7,-0.3\n1,0.6,-0.1\n", "s.csv": b"scenario,probability\na,1\n"}


def words_of(command, name, value):
    more = {"--risk": ["--scenarios", "{tmp}/s.csv"], "--pareto": ["--objectives", "time, x"]}.get(name, []) if command == "solve" else []
    return [*more, name] if value is None else [*more, name, value]


def judge(command, model, names):
    """What is wrong with an answer, or None."""
    known = OPTIMA.get(model) if command == "solve" else FINALS.get(model, (None, None))[1]
    if known is None or set(names) & ANOTHER:
        return lambda code, said: None
    room = 0.6 if set(names) & COARSE else 0.02

    def look(code, said):
        try:
            answer = json.loads(said)
        except ValueError:
            return None  # plots and messages stand next to it
        if code != 0 or answer.get("status") not in ("solved", "finished"):
            return None
        value = answer.get("objective") if command == "solve" else answer["final"].get(FINALS[model][0])
        if value is None or not abs(value - known) <= room*max(1, abs(known)):
            return f"it says {answer['status']} with {value}, not {known:.6g}"
        return None
    return look


def pairs(seed):
    """(name, words, text of m.mop, judge) of every pair of options on ten models of solve and on ten of simulate; the seed
    chooses values and order."""
    rng, every = random.Random(f"pairs {seed}"), []
    for command, pool in (("solve", {**PROBLEMS, **MORE_PROBLEMS}), ("simulate", {**MODELS, **MORE_MODELS})):
        for first, second in itertools.combinations(sorted(OPTIONS[command]), 2):
            for model, text in sorted(pool.items()):
                words = [command, "{tmp}/m.mop", "-o", "{tmp}/r.mat"]
                for name in (first, second):
                    words += words_of(command, name, rng.choice(OPTIONS[command][name]))
                words += ["--json"] if "--json" not in words else []
                words += ["--max-time", "5"] if "--max-time" not in words else []
                words += ["--max-nodes", "20"] if command == "solve" and "--max-nodes" not in words else []
                every.append((f"{model} {first} {second}", words, text, judge(command, model, (first, second))))
    rng.shuffle(every)
    return every
