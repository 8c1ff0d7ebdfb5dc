#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the command-line tests: run.py BOLZA [FILE ...].

A test file has blocks:
    $ bolza check broken.mo          the command; {tmp} is an empty folder, {bolza} the program, the working folder holds this file
    = 2                              its exit code, 0 when it is not given
    > text                           stdout contains the text, after that of the `>` line before
    ! text                           stderr contains the text, after that of the `!` line before
    ~ text                           neither contains the text
    check near(final.x, 2/3, 1e-8)   about the JSON that the command printed, see below
    as a                             below, a.final.x is a value of this command, a.stderr what it said
    let k = {'p1': 2, 'p2': 3}       a name for a value
    for i in radau5 dopri5           what follows, up to `end`, is done for each word, which {i} stands for;
    end                              `for i, m in radau5 dae dopri5 ode` takes two at a time
Lines that begin with # are comments; all others are mistakes.

A check is one of these, its arguments are Python expressions. A value is a number, a list or an object of numbers, compared one by one:
    near(value, expected, tolerance)     |value - expected| < tolerance; near(value, expected, rel=r): < r*|expected|
    matches(value, expected)             equal: numbers, text, lists, objects
    below(value, limit)                  value < limit
    between(value, low, high)            low < value < high
    ratio(a, b, low, high)               low < a/b < high
    monotone(values, 'rising')           strictly; or 'falling'
    different(values)                    no two are the same
    has(value, name), lacks(value, name) a text, a list or an object contains what is named, or does not
Names in them: the fields of the JSON (gradient.p1, final['x[1]'], final['x', 'y'] for a list of two), stdout, stderr, and
    largest(values)                      the largest absolute value
    transposed(rows), times(rows, v), numbered(names)
                                         of a Hessian by names: the transpose, the product; names by their numbers from 1 on
    slopes(f, point), curvatures(f, point)
                                         first and second derivatives of a closed form, `let f = lambda x, y: ...`
    table(path), last_at(table, name, t) columns of a CSV file; the last value at a time
    number_after(text, words)            a number in a text
    sqrt, exp, log, sin, cos, pi; slack: how much more sanitizers may take (BOLZA_SLACK, 1)
What fails is printed with the line of the file, both numbers and the tolerance.
"""
import ast
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import checks

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("= ", "> ", "! ", "~ ", "check ", "as ", "let ")


class Mistake(Exception):
    """Of the test file."""


def parse(file):
    """Nested statements: ("for", line, names, words, statements), ("run", line, command, [(line, kind, text)]), ("let", line, text)."""
    outer, statements, block = [], [], None
    for line, text in enumerate(file.read_text(encoding="utf8").splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        kind = next((kind for kind in KINDS if text.startswith(kind)), None)
        if text.startswith("$ "):
            block = ("run", line, text[2:], [])
            statements.append(block)
        elif text.startswith("for ") and " in " in text:
            names, words = text[4:].split(" in ", 1)
            outer.append(statements)
            statements.append(("for", line, [name.strip() for name in names.split(",")], shlex.split(words), []))
            statements, block = statements[-1][4], None
        elif text.strip() == "more":
            outer.append(statements)
            statements.append(("for", line, ["more"], ["|", "more"], []))
            statements, block = statements[-1][4], None
        elif text.strip() == "end" and outer:
            statements, block = outer.pop(), None
        elif kind and block:
            block[3].append((line, kind.strip(), text[len(kind):]))
        elif kind == "let ":
            statements.append(("let", line, text[len(kind):]))
        else:
            raise Mistake(f"{file.name}:{line}: not a line of a test: {text}")
    if outer:
        raise Mistake(f"{file.name}: a `for` or `more` has no `end`")
    return statements


def samples(words):
    """The words before the bar; all of them with BOLZA_ALL."""
    if "|" not in words:
        return words
    bar = words.index("|")
    return words[:bar] + (words[bar + 1:] if os.environ.get("BOLZA_ALL") else [])


def check_call(text):
    tree = ast.parse(text.strip(), mode="eval").body
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in checks.CHECKS):
        raise checks.Failed(f"a check is one of {', '.join(checks.CHECKS)}")


def values_of(done):
    """What checks see of a command."""
    try:
        found = json.loads(done.stdout, object_hook=checks.Values)
    except ValueError:
        found = None
    return checks.Values({**(found if isinstance(found, dict) else {}), "stdout": done.stdout, "stderr": done.stderr})


class File:
    """One test file: its folder, the names of its lets and its commands, counts."""

    def __init__(self, file, bolza, folder):
        self.file, self.bolza, self.folder = file, bolza, folder
        self.names, self.last = {}, {}
        self.slack = float(os.environ.get("BOLZA_SLACK", 1))
        self.passed = self.failed = 0

    def filled(self, text, words):
        for name, word in [*words.items(), ("tmp", self.folder), ("bolza", self.bolza)]:
            text = text.replace("{" + name + "}", word)
        return text

    def evaluate(self, text):
        return eval(text.strip(), {**checks.HELPERS, **checks.MATHEMATICS, "slack": self.slack, **self.last, **self.names, **checks.CHECKS})

    def let(self, text):
        name, expression = text.split("=", 1)
        self.names[name.strip()] = self.evaluate(expression)

    def command(self, text):
        if text.startswith("bolza"):
            text = self.bolza + text[5:]
        text = text.replace("| bolza", "| " + self.bolza).replace("&& bolza", "&& " + self.bolza)
        return subprocess.run(text, shell=True, capture_output=True, text=True, cwd=self.file.parent, timeout=3000)

    def examine(self, kind, text, done, reached):
        """What is wrong, or nothing; `reached` holds where the next line of stdout and of stderr is looked for."""
        if kind in (">", "!"):
            name, whole = ("stdout", done.stdout) if kind == ">" else ("stderr", done.stderr)
            at = whole.find(text, reached[kind])
            if at >= 0:
                reached[kind] = at + len(text)
            elif text in whole:
                return f"{name} has this before what the line above expects, not after it: {text}"
            else:
                return f"{name} lacks: {text}"
        elif kind == "~" and (text in done.stdout or text in done.stderr):
            return f"should not be said: {text}"
        elif kind == "=" and done.returncode != int(text):
            return f"exit code {done.returncode}, not {text}"
        elif kind == "as":
            self.names[text.strip()] = values_of(done)
        elif kind in ("check", "let"):
            try:
                if kind == "let":
                    self.let(text)
                else:
                    check_call(text)
                    self.evaluate(text)
            except checks.Failed as failure:
                return f"{kind} {text}\n    {failure}"
            except Exception as failure:  # of an expression
                return f"{kind} {text}\n    {type(failure).__name__}: {failure}"
        return None

    def run(self, statement, words):
        _, line, command, lines = statement
        command = self.filled(command, words)
        done = self.command(command)
        self.last = dict(dict.items(values_of(done)))
        reached = {">": 0, "!": 0}
        if not any(kind == "=" for _, kind, _ in lines):
            lines = [(line, "=", "0"), *lines]
        wrong = []
        for at, kind, text in lines:
            said = self.examine(kind, self.filled(text, words), done, reached)
            if said:
                wrong.append(f"{self.file.name}:{at}: {said}")
        self.passed, self.failed = self.passed + (not wrong), self.failed + bool(wrong)
        if wrong:
            print(f"FAIL {self.file.name}:{line}: {command}\n  " + "\n  ".join(wrong))
            print("  stdout: " + done.stdout[:600] + "\n  stderr: " + done.stderr[:600], flush=True)

    def run_all(self, statements, words):
        for statement in statements:
            if statement[0] == "run":
                self.run(statement, words)
            elif statement[0] == "let":
                self.let(self.filled(statement[2], words))
            else:
                _, line, names, given, inner = statement
                if not given or len(samples(given)) % len(names):
                    raise Mistake(f"{self.file.name}:{line}: {len(given)} words for {len(names)} names")
                given = [self.filled(word, words) for word in samples(given)]
                for k in range(0, len(given), len(names)):
                    self.run_all(inner, {**words, **dict(zip(names, given[k:]))})


def main():
    bolza = os.path.abspath(sys.argv[1])
    files = [pathlib.Path(f).resolve() for f in sys.argv[2:]] or sorted(HERE.glob("*.test"))
    passed = failed = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            test = File(file, bolza, folder)
            try:
                test.run_all(parse(file), {})
            except Mistake as mistake:
                print(f"FAIL {mistake}")
                failed += 1
            passed, failed = passed + test.passed, failed + test.failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
