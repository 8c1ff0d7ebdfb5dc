# SPDX-License-Identifier: Apache-2.0
"""The same problem, said differently: KINDS of rewriting the text of a model that leave its optimum as it is (`scripts/problems --restate`).

A model is taken apart into head, declarations and statements (model_text.parsed), one of the kinds changes it, and it is written again. What a kind cannot do to a
problem raises NotRestatable with the reason.
"""
import copy
import dataclasses

from model_text import NAME, NotRestatable, Problem, Variable, calls, joined, matching, parsed, rescaled, tokens

TIMES = ("startTime", "finalTime")


# Looking and replacing

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
        scale, shift = generator.choice(("0.01", "0.1", "3.7", "10", "100")), None
    else:
        scale, shift = None, generator.choice(("1", "12.5", "(-3)"))
    rule = time_rule(p.names(), scale, shift)
    p.map(lambda words: walked(words, rule))
    if scale and "objectiveIntegrand" in p.head:
        p.head["objectiveIntegrand"][1] = [scale, "*", "(", *p.head["objectiveIntegrand"][1], ")"]
    for key, default in zip(TIMES, "01"):
        modifiers, value = p.head.get(key, [[], [default]])
        p.head[key] = [[[e, k, w if k in ("free", "fixed", "nominal") else new_time(w, scale, shift)] for e, k, w in modifiers], value and new_time(value, scale, shift)]
    without_units(p)


def new_time(words, scale, shift):
    """tau of a time t."""
    return ["(", "(", *words, ")", "/", scale, ")"] if scale else ["(", "(", *words, ")", "+", shift, ")"]


def time_rule(names, scale, shift):
    """What becomes of names in expressions, t being written in tau."""
    def rule(name, subscripts, arguments):
        if name in ("time", *TIMES):
            return ["(", scale, "*", name, ")"] if scale else ["(", name, "-", shift, ")"]
        if name == "der" and scale:
            return ["(", "der", "(", *arguments, ")", "/", scale, ")"]
        if name == "integral" and scale:
            return ["(", scale, "*", "integral", "(", *walked(arguments, rule), ")", ")"]
        if name in names and arguments is not None:
            inner = ["[", *walked(subscripts, rule), "]"] if subscripts is not None else []
            at = arguments if arguments in (["finalTime"], ["startTime"]) else new_time(walked(arguments, rule), scale, shift)
            return [name, *inner, "(", *at, ")"]
        return None
    return rule


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
    phases_must_fit(p)
    names, states = p.names(), p.states()
    own = [c for c in p.costs if c[2][:2] == ["integral", "("] and matching(c[2], 1) == len(c[2]) - 1]  # the cost is a sum over both phases: their own
    points = [s for s in p.constraints if times_of(p, s) or not any(w in names for w in s)]
    part, starts = half_of(p, own, [s for s in p.constraints if s not in points])
    whole = Problem([*part.before, part.text()], p.name, {}, [], [v for v in p.variables if not v.varies()], [], [], [], points, [])
    p.costs = [c for c in p.costs if c not in own]
    into_phases(p, whole, names)
    whole.others.append([two_halves(p, whole, starts)])
    whole.constraints += [[f"second.{s}", "(", "startTime", ")", "=", f"first.{s}", "(", "finalTime", ")"] for s in sorted(states)]
    for field in dataclasses.fields(Problem):
        setattr(p, field.name, getattr(whole, field.name))


def phases_must_fit(p):
    plain_parts(p)
    if timed_elsewhere(p) or any(v.get("free") for v in p.variables):
        raise NotRestatable("values at times, or free parameters")
    if any(name in ("integral", "maxOverTime", "minOverTime", "delay") for s in p.constraints for name, _ in calls(s)) or p.initial:
        raise NotRestatable("integrals in constraints, initial equations")
    if p.head.get("startTime", [[]])[0] or any(mentions(s, t) and not times_of(p, s) for s in p.equations for t in TIMES):
        raise NotRestatable("a free start time, or times in equations")
    if any(s[0] == "for" and times_of(p, s) for s in p.constraints):
        raise NotRestatable("loops of point constraints")


def half_of(p, costs, constraints):
    """The class of one half, and what `p` says of starts: (name, attributes)."""
    part = copy.deepcopy(p)
    part.name, part.head = "Part", {k: v for k, v in p.head.items() if k == "objectiveIntegrand"}
    part.costs, part.constraints = costs, constraints
    starts = [(v.name, [a for a in v.attributes if a[1] in ("start", "fixed")]) for v in part.variables if v.varies() and v.get("fixed") == ["true"]]
    for v in part.variables:
        if v.varies() and v.name in p.states():
            v.without("start", "fixed")
    return part, starts


def two_halves(p, whole, starts):
    """The declarations of both halves; where the final time is free a constraint of `whole` makes them equally long."""
    start = joined(p.head.get("startTime", [[], ["0"]])[1])
    modifiers, end = p.head.get("finalTime", [[], ["1"]])
    given = "".join(f", {name}({', '.join(('each ' if e else '') + f'{k} = {joined(w)}' for e, k, w in a)})" for name, a in starts)
    if not modifiers:
        return f"Part first(startTime = {start}, finalTime = (({start}) + ({joined(end)}))/2{given}); Part second(finalTime = {joined(end)});"
    whole.constraints.append(["2", "*", "first.finalTime", "=", "second.finalTime", "+", "first.startTime"])
    last = ", ".join(f"{k} = {joined(w)}" for _, k, w in modifiers)
    return f"Part first(startTime = {start}, finalTime(free = true){given}); Part second(finalTime({last}){' = ' + joined(end) if end else ''});"


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
