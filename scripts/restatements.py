# SPDX-License-Identifier: Apache-2.0
"""The same problem, said differently: KINDS of rewriting the text of a model that leave its optimum as it is (`scripts/problems --restate`).

A model is taken apart into head, declarations and statements (`parsed`), one of the kinds changes it, and it is written again (`Problem.text`). What a kind cannot do to a
problem raises NotRestatable with the reason.
"""
import copy
import dataclasses
import re

from model_text import declarator, matching, rescaled, solid, split_list, words_of

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")
PREFIXES = ("parameter", "constant", "input", "output", "discrete")
PAIRS = {("<", "="): "<=", (">", "="): ">=", ("<", ">"): "<>", ("=", "="): "==", (".", "*"): ".*", (".", "/"): "./", (".", "^"): ".^"}
TIMES = ("startTime", "finalTime")


class NotRestatable(Exception):
    pass


def tokens(text):
    """The words of a text without blanks and comments, operators of two characters in one."""
    words, k, out = [w for w in words_of(text) if not w.startswith("//")], 0, []
    while k < len(words):
        pair = PAIRS.get(tuple(words[k:k + 2]))
        out.append(pair or words[k])
        k += 2 if pair else 1
    return solid(out)


def joined(words):
    text = " ".join(words)
    for pattern, short in ((r" ([,;)\]}])", r"\1"), (r"([(\[{]) ", r"\1"), (r"([\w\]]) ([(\[])", r"\1\2"), (r"\b(if|then|else|in|and|or|not|loop)([(\[])", r"\1 \2")):
        text = re.sub(pattern, short, text)
    return text


@dataclasses.dataclass
class Variable:
    prefix: str
    type: str
    name: str
    subscripts: list
    attributes: list  # of [each, key, words]
    binding: list
    comment: list

    def get(self, key):
        return next((value for _, k, value in self.attributes if k == key), None)

    def without(self, *keys):
        self.attributes = [a for a in self.attributes if a[1] not in keys]

    def put(self, key, words, each=False):
        self.without(key)
        self.attributes.append([each, key, list(words)])

    def varies(self):
        return self.type == "Real" and self.prefix in ("", "input", "output")

    def text(self):
        inner = ", ".join(("each " if each else "") + f"{key} = {joined(value)}" for each, key, value in self.attributes)
        return " ".join(filter(None, (self.prefix, self.type, self.name + joined(self.subscripts) + (f"({inner})" if inner else ""),
                                      f"= {joined(self.binding)}" if self.binding else "", *self.comment))) + ";"


@dataclasses.dataclass
class Problem:
    before: list
    name: str
    head: dict  # name of an attribute: [[[each, key, words], …], value or None]
    costs: list  # [minimize or maximize, name or nothing, words]
    variables: list
    others: list  # nested classes and components, as they are
    initial: list
    equations: list
    constraints: list
    after: list

    def variable(self, name):
        return next((v for v in self.variables if v.name == name), None)

    def names(self):
        """What varies with time."""
        return {v.name for v in self.variables if v.varies()}

    def states(self):
        return {args[0] for statement in self.equations for name, args in calls(statement) if name == "der" and args}

    def scalars(self):
        return [v for v in self.variables if v.varies() and not v.subscripts]

    def statements(self):
        return self.initial + self.equations + self.constraints

    def expressions(self):
        """Everything but declarations, for looking."""
        return [*self.statements(), *(c[2] for c in self.costs), *(h[1] for h in self.head.values() if h[1]), *(v.binding for v in self.variables if v.binding)]

    def map(self, change):
        """Every expression outside the modifiers of declarations becomes change(words)."""
        for words in (self.initial, self.equations, self.constraints):
            words[:] = [change(w) for w in words]
        for cost in self.costs:
            cost[2] = change(cost[2])
        for key in ("objective", "objectiveIntegrand"):
            if key in self.head:
                self.head[key][1] = change(self.head[key][1])
        for v in self.variables:
            if v.binding:
                v.binding = change(v.binding)

    def head_text(self):
        parts = []
        for key, (modifiers, value) in self.head.items():
            inner = ", ".join(f"{k} = {joined(w)}" for _, k, w in modifiers)
            parts.append(key + (f"({inner})" if inner else "") + (f" = {joined(value)}" if value else ""))
        return f"({', '.join(parts)})" if parts else ""

    def text(self):
        lines = [joined(self.before), f"optimization {self.name}{self.head_text()}"]
        lines += [f"  {word} {name + ' = ' if name else ''}{joined(words)};" for word, name, words in self.costs]
        lines += ["  " + joined(words) for words in self.others] + ["  " + v.text() for v in self.variables]
        for title, statements in (("initial equation", self.initial), ("equation", self.equations), ("constraint", self.constraints)):
            lines += [title, *("  " + joined(s) + ";" for s in statements)] if statements else []
        return "\n".join(lines + ["  " + joined(words) for words in self.after] + [f"end {self.name};", ""])


# Taking a model apart

def modifiers_of(words):
    """[each, key, value] of the words between brackets."""
    found = []
    for m in split_list(list(words) + [";"], 0, (";",))[0]:
        each = m[:1] == ["each"]
        m = m[1:] if each else m
        if len(m) < 3 or m[1] != "=":
            raise NotRestatable("modifiers of modifiers")
        found.append([each, m[0], m[2:]])
    return found


def variables_of(words):
    """The variables of one declaration, None where it is something else."""
    k = 0
    while words[k] in PREFIXES:
        k += 1
    if words[k] not in ("Real", "Integer") or not NAME.match(words[k + 1]):
        return None
    found = []
    for piece in split_list(words + [";"], k + 1, (";",))[0]:
        name, subscripts, modifiers, binding, comment = declarator(piece)
        found.append(Variable(" ".join(words[:k]), words[k], name, subscripts, modifiers_of(modifiers[1:-1]) if modifiers else [], list(binding or []), comment))
    return found


def statement_at(words, k):
    """The words of the statement or declaration at k, without its semicolon, and the place behind it."""
    if words[k] in ("for", "if") or words[k] in ("function", "model", "record", "partial", "block", "type", "package", "optimization"):
        closed = words[k] if words[k] in ("for", "if") else words[k + (2 if words[k] == "partial" else 1)]
        end = k
        while not (words[end] == "end" and words[end + 1] == closed):
            end += 1
        return words[k:end + 2], end + 3
    end = k
    while words[end] != ";":
        end = matching(words, end) + 1 if words[end] in ("(", "[", "{") else end + 1
    return words[k:end], end + 1


def head_of(words, k):
    """The attributes in brackets behind the name, and the place behind them."""
    head = {}
    if words[k] == "(":
        close = matching(words, k)
        for piece in split_list(words[k + 1:close] + [";"], 0, (";",))[0]:
            name, _, modifiers, value, _ = declarator(piece)
            head[name] = [modifiers_of(modifiers[1:-1]) if modifiers else [], value]
        k = close + 1
    return head, k + (words[k].startswith('"'))


def parsed(text, name):
    """The Problem that the optimization `name` of a text is."""
    words = tokens(text)
    start = next((k for k in range(len(words)) if words[k] == "optimization" and words[k + 1] == name), None)
    if start is None:
        raise NotRestatable("no optimization of that name")
    head, k = head_of(words, start + 2)
    p = Problem(words[:start], name, head, [], [], [], [], [], [], [])
    section = None
    sections = {"equation": p.equations, "constraint": p.constraints, "initial": p.initial}
    while not (words[k] == "end" and words[k + 1] == name):
        if words[k] in sections:
            section = sections[words[k]]
            k += 2 if words[k] == "initial" else 1
            continue
        piece, k = statement_at(words, k)
        if piece[0] == "annotation":
            p.after.append([*piece, ";"])
        elif section is not None:
            section.append(piece)
        elif piece[0] in ("minimize", "maximize"):
            named = piece[2] == "="
            p.costs.append([piece[0], piece[1] if named else "", piece[3 if named else 1:]])
        elif (variables := variables_of(piece)) is not None:
            p.variables += variables
        else:
            p.others.append([*piece, ";"])
    return p


# Looking and replacing

def calls(words):
    """(name, arguments) of everything that has brackets behind it."""
    for k in range(len(words) - 1):
        if NAME.match(words[k]) and words[k + 1] == "(":
            yield words[k], words[k + 2:matching(words, k + 1)]


def mentions(words, name):
    return any(w == name or w.startswith(name + ".") for w in words)


def walked(words, rule):
    """The words with every name, its subscripts and arguments replaced by rule(name, subscripts, arguments), None to keep it and look inside."""
    out, k = [], 0
    while k < len(words):
        if not NAME.match(words[k]):
            out.append(words[k])
            k += 1
            continue
        name, parts, k = words[k], {"[": None, "(": None}, k + 1
        for bracket in "[(":
            if k < len(words) and words[k] == bracket and name not in ("if", "then", "else", "in", "and", "or", "not", "loop"):
                close = matching(words, k)
                parts[bracket] = words[k + 1:close]
                k = close + 1
        new = rule(name, parts["["], parts["("])
        if new is None:
            new = [name]
            for bracket, closing in (("[", "]"), ("(", ")")):
                new += [bracket, *walked(parts[bracket], rule), closing] if parts[bracket] is not None else []
        out += new
    return out


def times_of(problem, words):
    """The arguments of variables that are read at a time."""
    names = problem.names()
    found = []

    def look(name, subscripts, arguments):
        if name in names and arguments is not None:
            found.append(arguments)
        return None
    walked(words, look)
    return found


def plain_parts(problem):
    """Refuses what is made of components."""
    if any(words[0] not in ("function", "record", "type") for words in problem.others):
        raise NotRestatable("components")


def timed_elsewhere(problem):
    return any(times != ["finalTime"] and times != ["startTime"] for words in problem.expressions() for times in times_of(problem, words))


def fresh(problem, name):
    while any(mentions(words, name) for words in problem.expressions()) or problem.variable(name):
        name += "_"
    return name


def declared(name, **attributes):
    return Variable("", "Real", name, [], [[False, k, tokens(str(v))] for k, v in attributes.items()], [], [])


# The kinds: each takes a problem apart already, a generator of random numbers, and the ranges of the variables at the optimum

def in_another_order(p, generator, ranges):
    for words in (p.variables, p.equations, p.constraints, p.initial):
        generator.shuffle(words)


def written_in(p):
    """Algebraics that an equation or a binding gives are replaced by what they are. How many."""
    done = 0
    for v in p.scalars():
        equation = next((s for s in p.equations if s[:2] == [v.name, "="] and not mentions(s[2:], v.name)), None)
        expression = v.binding or (equation and equation[2:])
        used_at_times = any(name == v.name for words in p.expressions() for name, _ in calls(words))
        if not expression or v.prefix or v.name in p.states() or used_at_times or any(w in ("if", "{") for w in expression):
            continue
        p.variables.remove(v)
        p.equations[:] = [s for s in p.equations if s is not equation]
        for key, sign in (("min", ">="), ("max", "<=")):
            if v.get(key):
                p.constraints.append([v.name, sign, *v.get(key)])
        p.map(lambda words, v=v, e=expression: walked(words, lambda name, s, a: ["(", *e, ")"] if name == v.name else None))
        done += 1
    return done


def written_out(p):
    """Right-hand sides and the integrand become algebraics. How many."""
    done = 0
    for k, s in enumerate(p.equations):
        if s[:2] == ["der", "("] and s[3:5] == [")", "="] and len(s) > 8 and p.variable(s[2]) and not p.variable(s[2]).subscripts:
            rate = fresh(p, f"rate_of_{s[2]}")
            p.variables.append(declared(rate))
            p.equations[k] = [*s[:5], rate]
            p.equations.append([rate, "=", *s[5:]])
            done += 1
    if "objectiveIntegrand" in p.head and not times_of(p, p.head["objectiveIntegrand"][1]):
        loss = fresh(p, "loss")
        p.variables.append(declared(loss))
        p.equations.append([loss, "=", *p.head["objectiveIntegrand"][1]])
        p.head["objectiveIntegrand"][1] = [loss]
        done += 1
    return done


def with_algebraics(p, generator, ranges):
    plain_parts(p)
    first, second = (written_in, written_out) if generator.random() < 0.5 else (written_out, written_in)
    if not first(p) and not second(p):
        raise NotRestatable("no algebraics, no scalar rates")


def with_loose_bounds(p, generator, ranges):
    done = 0
    for v in p.scalars():
        if v.name not in ranges:
            continue
        low, high = ranges[v.name]
        margin = 2 * (high - low) + 0.5 * max(abs(low), abs(high)) + 1e-3
        for key, sign, value in (("min", ">=", low - margin), ("max", "<=", high + margin)):
            if v.get(key):
                p.constraints.append([v.name, sign, *v.get(key)])
            else:
                v.put(key, tokens(f"{value:.6g}"))
            done += 1
    if not done:
        raise NotRestatable("no scalars")


def with_time(p, generator, ranges):
    """t = scale*tau, or t = tau - shift."""
    plain_parts(p)
    if any(name in ("delay", "maxOverTime", "minOverTime") for words in p.expressions() for name, _ in calls(words)):
        raise NotRestatable("delays or extrema")
    if generator.random() < 0.5:
        scale, shift = generator.choice(("0.01", "0.1", "3.7", "10", "100")), "0"
    else:
        scale, shift = "1", generator.choice(("1", "12.5", "(-3)"))
    back = lambda words: ["(", "(", *words, ")", "+", shift, ")"] if scale == "1" else ["(", "(", *words, ")", "/", scale, ")"]
    there = lambda name: ["(", name, "-", shift, ")"] if scale == "1" else ["(", scale, "*", name, ")"]
    names = p.names()

    def rule(name, subscripts, arguments):
        if name in ("time", *TIMES):
            return there(name)
        if name == "der" and scale != "1":
            return ["(", "der", "(", *arguments, ")", "/", scale, ")"]
        if name == "integral" and scale != "1":
            return ["(", scale, "*", "integral", "(", *walked(arguments, rule), ")", ")"]
        if name in names and arguments is not None:
            inner = ["[", *walked(subscripts, rule), "]"] if subscripts is not None else []
            return [name, *inner, "(", *(arguments if arguments in (["finalTime"], ["startTime"]) else back(walked(arguments, rule))), ")"]
        return None
    p.map(lambda words: walked(words, rule))
    if scale != "1" and "objectiveIntegrand" in p.head:
        p.head["objectiveIntegrand"][1] = [scale, "*", "(", *p.head["objectiveIntegrand"][1], ")"]
    p.head.setdefault("startTime", [[], ["0"]])
    p.head.setdefault("finalTime", [[], ["1"]])
    for key in TIMES:
        modifiers, value = p.head[key]
        p.head[key] = [[[e, k, w if k in ("free", "fixed", "nominal") else back(w)] for e, k, w in modifiers], value and back(value)]
    without_units(p)


def without_units(p):
    for v in p.variables:
        v.without("unit", "displayUnit", "quantity")


def with_idle_state(p, generator, ranges):
    plain_parts(p)
    driven = [v.name for v in p.scalars() if v.prefix == "input"] or [v.name for v in p.scalars() if v.name in p.states()]
    if not driven:
        raise NotRestatable("no scalars")
    name = fresh(p, "idle")
    p.variables.append(declared(name, start=0, fixed="true"))
    p.equations.append(["der", "(", name, ")", "=", "-", name, "+", driven[0]])
    without_units(p)


def with_limits(p, generator, ranges):
    """Bounds become constraints, constraints of one variable become bounds."""
    known = {v.name for v in p.variables if v.prefix in ("parameter", "constant") and not v.get("free")}
    moved = []
    for v in p.scalars():
        for s in [s for s in p.constraints if s[0] == v.name and s[1:2] in (["<="], [">="])]:
            if all(not NAME.match(w) or w in known for w in s[2:]) and not v.get("max" if s[1] == "<=" else "min"):
                p.constraints.remove(s)
                moved.append((v, "max" if s[1] == "<=" else "min", s[2:]))
    done = len(moved)
    for v in p.scalars():
        for key, sign in (("min", ">="), ("max", "<=")):
            if v.get(key):
                p.constraints.append([v.name, sign, *v.get(key)])
                v.without(key)
                done += 1
    for v, key, words in moved:
        v.put(key, words)
    if not done:
        raise NotRestatable("no bounds, no constraint of one variable")


def with_integral(p, generator, ranges):
    """What is integrated becomes a state, or the other way round."""
    plain_parts(p)
    name = fresh(p, "summed")
    if "objectiveIntegrand" in p.head:
        integrand = p.head.pop("objectiveIntegrand")[1]
        if times_of(p, integrand):
            raise NotRestatable("an integrand with values at times")
        objective = p.head.get("objective", [[], None])[1]
        p.head["objective"] = [[], [*(["(", *objective, ")", "+"] if objective else []), name, "(", "finalTime", ")"]]
    elif p.costs and any(call == "integral" for call, _ in calls(p.costs[0][2])):
        integrand = next(args for call, args in calls(p.costs[0][2]) if call == "integral")
        p.costs[0][2] = walked(p.costs[0][2], lambda n, s, a: [name, "(", "finalTime", ")"] if n == "integral" and a == integrand else None)
    else:
        return state_as_integral(p)
    p.variables.append(declared(name, start=0, fixed="true"))
    p.equations.append(["der", "(", name, ")", "=", *integrand])


def state_as_integral(p):
    """The end of a state that an objective adds up becomes start + integral of its rate."""
    words = p.costs[0][2] if p.costs else p.head.get("objective", [[], []])[1]
    for v in p.scalars():
        rate = next((s[5:] for s in p.equations if s[:5] == ["der", "(", v.name, ")", "="]), None)
        if rate and words in ([v.name, "(", "finalTime", ")"], ["-", v.name, "(", "finalTime", ")"]) and v.get("fixed") == ["true"]:
            sign = words[:-4]
            if p.costs:
                p.costs[0][2] = [*sign, "(", *v.get("start"), "+", "integral", "(", *rate, ")", ")"]
            else:
                p.head["objective"] = [[], [*sign, "(", *v.get("start"), ")"]]
                p.head["objectiveIntegrand"] = [[], [*sign, "(", *rate, ")"]]
            return
    raise NotRestatable("nothing is integrated in the objective")


def with_stated_starts(p, generator, ranges):
    """Fixed starts become initial equations or constraints, constraints at the start fixed starts."""
    plain_parts(p)
    as_constraint, done = generator.random() < 0.5, 0
    for s in [s for s in p.constraints if s[1:5] == ["(", "startTime", ")", "="] and p.variable(s[0]) and s[0] in p.states()]:
        v = p.variable(s[0])
        if not v.subscripts and not v.get("start") and not times_of(p, s[5:]):
            p.constraints.remove(s)
            v.put("start", s[5:])
            v.put("fixed", ["true"])
            done += 1
    if done:
        return
    for v in p.variables:
        start = v.get("start")
        if not v.varies() or v.get("fixed") != ["true"] or start is None:
            continue
        each = any(e for e, k, _ in v.attributes if k == "start")
        value = ["fill", "(", *start, ",", *v.subscripts[1:-1], ")"] if v.subscripts and each else start
        v.without("start", "fixed")
        if as_constraint:
            p.constraints.append([v.name, "(", "startTime", ")", "=", *value])
        else:
            p.initial.append([v.name, "=", *value])
        done += 1
    if not done:
        raise NotRestatable("no fixed starts")


def with_phases(p, generator, ranges):
    """The horizon in two halves, linked by all states."""
    plain_parts(p)
    if timed_elsewhere(p) or any(v.get("free") for v in p.variables):
        raise NotRestatable("values at times, or free parameters")
    if any(name in ("integral", "maxOverTime", "minOverTime", "delay") for s in p.constraints for name, _ in calls(s)) or p.initial:
        raise NotRestatable("integrals in constraints, initial equations")
    names, states = p.names(), p.states()
    if "startTime" in p.head and p.head["startTime"][0] or any(mentions(words, t) and not times_of(p, words) for s in p.equations for words in [s] for t in TIMES):
        raise NotRestatable("a free start time, or times in equations")
    part = copy.deepcopy(p)
    part.name, part.head = "Part", {k: v for k, v in p.head.items() if k == "objectiveIntegrand"}
    own = [c for c in p.costs if c[2][:2] == ["integral", "("] and matching(c[2], 1) == len(c[2]) - 1]  # the cost is a sum over both phases: their own
    part.costs, p.costs = own, [c for c in p.costs if c not in own]
    is_point = lambda s: bool(times_of(p, s)) or not any(w in names for w in s)
    part.constraints = [s for s in p.constraints if not is_point(s)]
    if any(times_of(p, s) for s in part.constraints) or any(any(w == "for" for w in s[:1]) and is_point(s) for s in p.constraints):
        raise NotRestatable("loops of point constraints")
    starts = [(v.name, [a for a in v.attributes if a[1] in ("start", "fixed")]) for v in part.variables if v.varies() and v.get("fixed") == ["true"]]
    for v in part.variables:
        if v.varies():
            v.without("start", "fixed") if v.name in states else None
    whole = Problem([], p.name, {}, [], [v for v in p.variables if not v.varies()], [], [], [], [s for s in p.constraints if is_point(s)], [])
    into_phases(p, whole, names)
    start = p.head.get("startTime", [[], ["0"]])[1]
    modifiers, end = p.head.get("finalTime", [[], ["1"]])
    given = "".join(f", {name}({', '.join(('each ' if e else '') + f'{k} = {joined(w)}' for e, k, w in a)})" for name, a in starts)
    if modifiers:
        last = ", ".join(f"{k} = {joined(w)}" for _, k, w in modifiers)
        first = f"Part first(startTime = {joined(start)}, finalTime(free = true){given}); Part second(finalTime({last}){' = ' + joined(end) if end else ''});"
        whole.constraints.append(["2", "*", "first.finalTime", "=", "second.finalTime", "+", "first.startTime"])
    else:
        middle = f"(({joined(start)}) + ({joined(end)}))/2"
        first = f"Part first(startTime = {joined(start)}, finalTime = {middle}{given}); Part second(finalTime = {joined(end)});"
    whole.others.append([first])
    whole.constraints += [[f"second.{s}", "(", "startTime", ")", "=", f"first.{s}", "(", "finalTime", ")"] for s in sorted(states)]
    whole.before = [*part.before, part.text()]
    for field in dataclasses.fields(Problem):
        setattr(p, field.name, getattr(whole, field.name))


def into_phases(p, whole, names):
    """Objective and point constraints of `p` in the names of the two phases, into `whole`."""
    def rule(name, subscripts, arguments):
        inner = ["[", *subscripts, "]"] if subscripts is not None else []
        if name in TIMES:
            return ["first.startTime" if name == "startTime" else "second.finalTime"]
        if name == "integral":
            return ["(", "integral", "(", *of_phase("first", arguments), ")", "+", "integral", "(", *of_phase("second", arguments), ")", ")"]
        if name in names and arguments is not None:
            return [f"{'first' if arguments == ['startTime'] else 'second'}.{name}", *inner, "(", *arguments, ")"]
        return None

    def of_phase(phase, words):
        return walked(words, lambda n, s, a: [f"{phase}.{n}", *(["[", *s, "]"] if s is not None else [])] if n in names else None)
    whole.constraints = [walked(s, rule) for s in whole.constraints]
    whole.costs = [[word, name, walked(words, rule)] for word, name, words in p.costs]
    if any("time" in words for _, _, words in whole.costs):
        raise NotRestatable("time in an integral of two phases")
    if "objective" in p.head:
        whole.head["objective"] = [[], walked(p.head["objective"][1], rule)]


KINDS = {
    "order": in_another_order,
    "algebraics": with_algebraics,
    "bounds": with_loose_bounds,
    "units": None,  # model_text.rescaled
    "time": with_time,
    "state": with_idle_state,
    "limits": with_limits,
    "integral": with_integral,
    "phases": with_phases,
    "starts": with_stated_starts,
}


def restated(text, name, kind, generator, ranges):
    """The text of the problem `name` said in the way `kind`; `ranges` are the least and largest values of its variables at the optimum."""
    if kind == "units":
        return rescaled(text, lambda variable: 10.0 ** generator.randint(-6, 6))
    problem = parsed(text, name)
    KINDS[kind](problem, generator, ranges)
    return problem.text()
