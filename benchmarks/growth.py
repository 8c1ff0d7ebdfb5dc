#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of `check` on N and 4 N repeated things of many kinds: benchmarks/growth.py BOLZA [-n N] [--only WORDS] [--command check].

Prints processor seconds for N and 4 N and the exponent that they have in common; those above 1.5 that take more than a second are
called superlinear, exit code 1. Times are the process's own, less those of an empty model.
"""
import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile


def rows(n, text):
    return "\n".join(text(k) for k in range(n))


KINDS = {
    "classes": lambda n: rows(n, lambda k: f"model A{k} Real x; end A{k};") + "\nmodel M Real x = 1; end M;",
    "packages": lambda n: rows(n, lambda k: f"package P{k} constant Real c = {k}; end P{k};") + f"\nmodel M Real x = P{n - 1}.c; end M;",
    "classes in a package, all used": lambda n: "package P " + rows(n, lambda k: f"model A{k} Real x = 1; end A{k};") + "\nend P; model M " + rows(n, lambda k: f"P.A{k} a{k};") + " end M;",
    "imports": lambda n: "package P " + rows(n, lambda k: f"constant Real c{k} = {k};") + "\nend P; model M " + rows(n, lambda k: f"import P.c{k};") + rows(n, lambda k: f" Real x{k} = c{k};") + " end M;",
    "imports of everything": lambda n: rows(n, lambda k: f"package P{k} constant Real c{k} = {k}; end P{k};") + "\nmodel M " + rows(n, lambda k: f"import P{k}.*;") + f" Real x = c{n - 1}; end M;",
    "renaming imports": lambda n: "package P constant Real c = 1; end P; model M " + rows(n, lambda k: f"import d{k} = P.c;") + f" Real x = d{n - 1}; end M;",
    "redeclares of classes": lambda n: "model A Real x = 1; end A; model B " + rows(n, lambda k: f"replaceable model R{k} = A; R{k} r{k};") + " end B; model M B b(" + ", ".join(f"redeclare model R{k} = A" for k in range(n)) + "); end M;",
    "redeclares of components": lambda n: "model A Real x = 1; end A; model B " + rows(n, lambda k: f"replaceable A r{k};") + " end B; model M B b(" + ", ".join(f"redeclare A r{k}" for k in range(n)) + "); end M;",
    "annotations of components": lambda n: "model M " + rows(n, lambda k: f"Real x{k} = {k} annotation(Dialog(group = \"a{k}\"));") + " end M;",
    "one annotation with many entries": lambda n: "model M Real x = 1; annotation(" + ", ".join(f"v{k} = {k}" for k in range(n)) + "); end M;",
    "elements of an array in braces": lambda n: f"model M parameter Real x[{n}] = {{" + ", ".join(map(str, range(n))) + "}; end M;",
    "elements of an array in brackets": lambda n: "model M parameter Real x[:, :] = [" + "; ".join(f"{k}, 1" for k in range(n)) + "]; end M;",
    "arrays in arrays": lambda n: f"model M parameter Real x[{n}, 2, 2] = {{" + ", ".join("{{1, 2}, {3, 4}}" for k in range(n)) + "}; end M;",
    "concatenated strings": lambda n: "model M parameter String s = " + " + ".join(f'"part {k}"' for k in range(n)) + "; Real x = 1; end M;",
    "strings in a chain": lambda n: "model M constant String s0 = \"a\"; " + rows(n, lambda k: f"constant String s{k + 1} = s{k};") + " Real x = 1; end M;",
    "literals of an enumeration": lambda n: "type E = enumeration(" + ", ".join(f"e{k}" for k in range(n)) + f"); model M parameter E e = E.e{n - 1}; Real x = 1; end M;",
    "enumerations": lambda n: rows(n, lambda k: f"type E{k} = enumeration(a, b);") + " model M " + rows(n, lambda k: f"parameter E{k} e{k} = E{k}.b;") + " Real x = 1; end M;",
    "connections in a chain": lambda n: "connector C Real v; flow Real i; end C; model R C p, n; equation p.i + n.i = 0; p.v - n.v = p.i; end R; model G C p; equation p.v = 0; end G; model M " + rows(n, lambda k: f"R r{k};")
        + " G a; G b; equation connect(a.p, r0.p); " + rows(n - 1, lambda k: f"connect(r{k}.n, r{k + 1}.p);") + f" connect(r{n - 1}.n, b.p); end M;",
    "connections at one point": lambda n: "connector C Real v; flow Real i; end C; model R C p; equation p.v = p.i; end R; model G C p; equation p.v = 0; end G; model M " + rows(n, lambda k: f"R r{k};") + " G a; equation " + rows(n, lambda k: f"connect(r{k}.p, a.p);") + " end M;",
    "connections in a loop": lambda n: f"connector C Real v; flow Real i; end C; model R C p, n; equation p.i + n.i = 0; p.v - n.v = p.i; end R; model G C p; equation p.v = 0; end G; model M R r[{n}]; G a; G b; equation connect(a.p, r[1].p); for i in 1:{n - 1} loop connect(r[i].n, r[i + 1].p); end for; connect(r[{n}].n, b.p); end M;",
    "streams": lambda n: "connector C Real p; flow Real m; stream Real h; end C; model V C c; Real x(start = 1, fixed = true); equation c.h = x; c.m = 1 - c.p; der(x) = inStream(c.h) - x; end V; model M " + rows(n, lambda k: f"V v{k};") + " equation " + rows(n - 1, lambda k: f"connect(v{k}.c, v{k + 1}.c);") + " end M;",
    "when-clauses": lambda n: "model M Real x(start = 0, fixed = true); " + rows(n, lambda k: f"discrete Real d{k}(start = 0, fixed = true);") + " equation der(x) = 1; " + rows(n, lambda k: f"when x > {k} then d{k} = pre(d{k}) + 1; end when;") + " end M;",
    "assignments of one when": lambda n: "model M Real x(start = 0, fixed = true); " + rows(n, lambda k: f"discrete Real d{k}(start = 0, fixed = true);") + " equation der(x) = 1; when x > 0.5 then " + rows(n, lambda k: f"d{k} = {k};") + " elsewhen x > 2 then " + rows(n, lambda k: f"d{k} = 1;") + " end when; end M;",
    "branches of one when": lambda n: "model M Real x(start = 0, fixed = true); discrete Real d(start = 0, fixed = true); equation der(x) = 1; when x > 0 then d = 1; " + rows(n, lambda k: f"elsewhen x > {k + 1} then d = {k};") + " end when; end M;",
    "branches of one if": lambda n: "model M Real x; equation if time < 0 then x = 0; " + rows(n, lambda k: f"elseif time < {k + 1} then x = {k};") + " else x = 1; end if; end M;",
    "branches of one expression": lambda n: "model M Real x = if time < 0 then 0 " + rows(n, lambda k: f"elseif time < {k + 1} then {k}") + " else 1; end M;",
    "if-equations": lambda n: "model M " + rows(n, lambda k: f"Real x{k};") + " equation " + rows(n, lambda k: f"if time > {k} then x{k} = 1; else x{k} = 2; end if;") + " end M;",
    "statements of an algorithm": lambda n: "model M Real x; algorithm x := time; " + rows(n, lambda k: f"x := x + {k};") + " end M;",
    "statements of a function": lambda n: "function f input Real u; output Real x; algorithm x := u; " + rows(n, lambda k: f"x := x*u + {k};") + " end f; model M Real x = f(time); end M;",
    "local variables of a function": lambda n: "function f input Real u; output Real x; protected " + rows(n, lambda k: f"Real v{k};") + " algorithm v0 := u; " + rows(n - 1, lambda k: f"v{k + 1} := v{k} + 1;") + f" x := v{n - 1}; end f; model M Real x = f(time); end M;",
    "assertions of a function": lambda n: "function f input Real u; output Real x; algorithm " + rows(n, lambda k: f'assert(u < {k} + 1e9, "bound {k}");') + " x := u; end f; model M Real x = f(time); end M;",
    "outputs of a function": lambda n: "function f input Real u; output Real " + ", ".join(f"y{k}" for k in range(n)) + "; algorithm " + rows(n, lambda k: f"y{k} := u;") + " end f; model M Real " + ", ".join(f"y{k}" for k in range(n)) + "; equation (" + ", ".join(f"y{k}" for k in range(n)) + ") = f(time); end M;",
    "when-clauses of an algorithm": lambda n: "model M discrete Real d(start = 0, fixed = true); algorithm " + rows(n, lambda k: f"when time > {k + 1} then d := {k}; end when;") + " end M;",
    "branches of one if over a variable": lambda n: "model M Integer i; Real x = time; equation if x < 0 then i = 0; " + rows(n, lambda k: f"elseif x < {k + 1} then i = {k};") + " else i = 1; end if; end M;",
    "members of a connector": lambda n: "connector C " + rows(n, lambda k: f"Real v{k}; flow Real i{k};") + " end C; model A C c; equation " + rows(n, lambda k: f"c.v{k} = c.i{k};") + " end A; model M A a, b; equation connect(a.c, b.c); end M;",
    "redeclares of a base's classes": lambda n: "model B Real x = 1; end B; model A " + rows(n, lambda k: f"replaceable model T{k} = B; T{k} t{k};") + " end A; model M extends A(" + ", ".join(f"redeclare model T{k} = B" for k in range(n)) + "); end M;",
    "calls of one function": lambda n: "function f input Real u; output Real x; algorithm x := u + 1; end f; model M " + rows(n, lambda k: f"Real x{k} = f(time + {k});") + " end M;",
    "functions": lambda n: rows(n, lambda k: f"function f{k} input Real u; output Real x; algorithm x := u + {k}; end f{k};") + " model M " + rows(n, lambda k: f"Real x{k} = f{k}(time);") + " end M;",
    "named arguments": lambda n: "function f " + rows(n, lambda k: f"input Real u{k} = 1;") + " output Real x; algorithm x := u0; end f; model M Real x = f(" + ", ".join(f"u{k} = time" for k in range(n)) + "); end M;",
    "fields of a record": lambda n: "record R " + rows(n, lambda k: f"Real u{k};") + " end R; model M R r(" + ", ".join(f"u{k} = {k}" for k in range(n)) + "); R s = r; end M;",
    "records": lambda n: "record R Real a, b; end R; model M " + rows(n, lambda k: f"R r{k} = R({k}, time);") + " end M;",
    "bases of one class": lambda n: rows(n, lambda k: f"model A{k} Real x{k} = 1; end A{k};") + " model M " + rows(n, lambda k: f"extends A{k};") + " end M;",
    "the same base again and again": lambda n: "model A Real x = 1; end A; model M " + rows(n, lambda k: "extends A;") + " end M;",
    "components with modifiers": lambda n: "model A parameter Real p = 1; Real x = p; end A; model M " + rows(n, lambda k: f"A a{k}(p = {k});") + " end M;",
    "modifiers of one component": lambda n: "model A " + rows(n, lambda k: f"parameter Real p{k} = 1;") + " Real x = 1; end A; model M A a(" + ", ".join(f"p{k} = {k}" for k in range(n)) + "); end M;",
    "modifiers of parameters from parameters": lambda n: "model M parameter Real p0 = 1; " + rows(n, lambda k: f"parameter Real p{k + 1} = p{k} + 1;") + f" Real x = p{n}; end M;",
    "states": lambda n: "model M " + rows(n, lambda k: f"Real x{k}(start = 1, fixed = true);") + " equation " + rows(n, lambda k: f"der(x{k}) = -x{k};") + " end M;",
    "states in a chain": lambda n: "model M " + rows(n, lambda k: f"Real x{k}(start = 1, fixed = true);") + " equation der(x0) = -x0; " + rows(n - 1, lambda k: f"der(x{k + 1}) = x{k} - x{k + 1};") + " end M;",
    "equations in one block": lambda n: "model M " + rows(n, lambda k: f"Real x{k};") + " equation " + rows(n - 1, lambda k: f"x{k} = sin(x{k + 1});") + f" x{n - 1} = 0.5*x0 + time; end M;",
    "aliases with signs": lambda n: "model M " + rows(n, lambda k: f"Real x{k};") + " equation x0 = time; " + rows(n - 1, lambda k: f"x{k + 1} = -x{k};") + " end M;",
    "sums of many variables": lambda n: "model M " + rows(n, lambda k: f"Real x{k} = time + {k};") + " Real s = " + " + ".join(f"x{k}" for k in range(n)) + "; end M;",
    "a product of many variables": lambda n: "model M " + rows(n, lambda k: f"Real x{k} = time + {k};") + " Real s = " + "*".join(f"x{k}" for k in range(n)) + "; end M;",
    "initial equations": lambda n: "model M " + rows(n, lambda k: f"Real x{k};") + " initial equation " + rows(n, lambda k: f"x{k} = {k};") + " equation " + rows(n, lambda k: f"der(x{k}) = -x{k};") + " end M;",
    "asserts": lambda n: "model M Real x = time; equation " + rows(n, lambda k: f"assert(x < {k} + 10, \"large {k}\");") + " end M;",
    "inner and outer": lambda n: "model W Real y = time; end W; model A outer W w; Real x = w.y; end A; model M inner W w; " + rows(n, lambda k: f"A a{k};") + " end M;",
    "inner and outer, all different": lambda n: "model W Real y = time; end W; " + rows(n, lambda k: f"model A{k} outer W w{k}; Real x = w{k}.y; end A{k};") + " model M " + rows(n, lambda k: f"inner W w{k}; A{k} a{k};") + " end M;",
    "conditional components": lambda n: "model A Real x = 1; end A; model M " + rows(n, lambda k: f"A a{k} if {'true' if k % 2 else 'false'};") + " end M;",
    "units": lambda n: "model M " + rows(n, lambda k: f"Real x{k}(unit = \"m{k}/s\") = {k};") + " end M;",
    "comments": lambda n: rows(n, lambda k: f"// remark {k}") + "\nmodel M Real x = 1; end M;",
    "descriptions": lambda n: "model M " + rows(n, lambda k: f"Real x{k} = {k} \"what {k} is\";") + " end M;",
    "quoted names": lambda n: "model M " + rows(n, lambda k: f"Real 'a b {k}' = {k};") + " end M;",
    "names that are not there": lambda n: "model M " + rows(n, lambda k: f"Real x{k} = y{k};") + " end M;",
    "syntax errors": lambda n: "model M " + rows(n, lambda k: f"Real x{k} = ;") + " end M;",
    "elements of two names": lambda n: "model M " + rows(n, lambda k: "Real x = 1;") + " end M;",
    "equations too many": lambda n: "model M Real x; equation " + rows(n, lambda k: f"x = {k};") + " end M;",
    "unknowns too many": lambda n: "model M " + rows(n, lambda k: f"Real x{k};") + " equation x0 = 1; end M;",
    "a singular chain": lambda n: "model M " + rows(n, lambda k: f"Real x{k};") + " equation " + rows(n - 1, lambda k: f"x{k} + x{k + 1} = time;") + " x0 = x0; end M;",
    "constraints of a problem": lambda n: "optimization M(objective = x(1), finalTime = 1) Real x(start = 1, fixed = true); input Real u; equation der(x) = u; constraint " + rows(n, lambda k: f"x <= {k + 1};") + " end M;",
    "times of a problem": lambda n: "optimization M(objective = x(1), finalTime = 1) Real x(start = 1, fixed = true); input Real u; equation der(x) = u; constraint " + rows(n, lambda k: f"x({(k + 1)/(n + 1)}) <= 2;") + " end M;",
    "delays": lambda n: "model M Real x = sin(time); " + rows(n, lambda k: f"Real y{k} = delay(x, {k + 1}*0.01);") + " end M;",
    "samples": lambda n: "model M " + rows(n, lambda k: f"discrete Real y{k}(start = 0, fixed = true);") + " equation " + rows(n, lambda k: f"when sample(0, {k + 1}) then y{k} = time; end when;") + " end M;",
    "derivatives of high order": lambda n: "model M Real x0 = sin(time); " + rows(min(n, 40), lambda k: f"Real x{k + 1} = der(x{k});") + " end M;",
    "subscripts": lambda n: f"model M parameter Integer k[{n}] = 1:{n}; Real x[{n}] = {{" + ", ".join(f"k[{k + 1}]*time" for k in range(n)) + "}; end M;",
    "slices": lambda n: f"model M Real x[{n}] = time*(1:{n}); " + rows(20, lambda k: f"Real y{k}[{n}] = x[1:{n}];") + " end M;",
    "an array comprehension": lambda n: f"model M Real x[{n}] = {{i*time for i in 1:{n}}}; end M;",
    "a sum over a loop": lambda n: f"model M Real x[{n}] = time*(1:{n}); Real s = sum(x[i]^2 for i in 1:{n}); end M;",
}


def seconds(command, text):
    with tempfile.TemporaryDirectory() as tmp:
        file = pathlib.Path(tmp) / ("m.mop" if "optimization" in text else "m.mo")
        file.write_text(text + "\n")
        env = {**os.environ, "BOLZA_CACHE": tmp + "/cache", "MODELICAPATH": ""}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["prlimit", "--cpu=60", "--core=0", *command, str(file), "M"], capture_output=True, env=env, cwd=tmp)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bolza")
    parser.add_argument("-n", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--command", default="check")
    options = parser.parse_args()
    command, wrong = [str(pathlib.Path(options.bolza).resolve()), options.command], 0
    seconds(command, "model M Real x = 1; end M;")
    none = seconds(command, "model M Real x = 1; end M;")[1]
    for name, text in KINDS.items():
        if options.only not in name:
            continue
        (code, first, said), (other, last, _) = seconds(command, text(options.n)), seconds(command, text(4 * options.n))
        power = math.log(max(last - none, 1e-3) / max(first - none, 1e-3)) / math.log(4)
        bad = code not in (0, 2) or other not in (0, 2) or (power > 1.5 and last > 1)
        wrong += bad
        print(f"{'SUPERLINEAR ' if bad else ''}{name}: {first:.2f} s, {last:.2f} s, N^{power:.1f}, exit {code} {other}" + (": " + said.decode("utf8", "replace").splitlines()[0][:100] if code else ""), flush=True)
    print(f"{wrong} of {len(KINDS)} kinds grow too fast")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
