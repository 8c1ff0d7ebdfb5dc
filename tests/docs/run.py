#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of pages and compares what they print: run.py [--update] BOLZA [PAGE ...].

A fenced block whose first line begins with `$ ` is a dialogue: commands, each followed by what it prints (both streams).
The commands of a page run one after the other in a folder of their own that holds links to the repository's folders; the
program is `bolza` or build/release/bin/bolza. A block that begins with ```modelica file=NAME (or c, or csv) is written there first, one with append=NAME added to it.
Comparison, line by line: words are equal, numbers agree to four digits, seconds are not looked at, exit codes are 0 to 2, or 4 where the page says `solved, with warnings`, counts of effort agree
to a factor of three (after `refine` sizes too), deviations to a factor of thirty, pictures in nine of ten characters. A line `…` in the page stands for any lines. A block below a line
that ends with “`PATH`:” or “`PATH` is” has to be text of that file.
Inline code `bolza …` of README, of three words at least, is run too and has to end with 0, unless a word in capitals stands
for a name.
A command that needs a class of the Modelica library which our own has not is left out where MODELICAPATH has none.
`bolza check` has to accept a block that begins with ```modelica check, and to report the codes of one with ```modelica E203.
--update writes what was printed into the pages.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ["README.md", "docs/tutorial.md", "docs/architecture.md", "docs/language.md", "docs/c-interface.md", "docs/refinement.md", "docs/solving.md",
         "docs/scenarios.md", "docs/several-objectives.md", "docs/studies.md"]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
FOREIGN = re.compile(r"\bModelica\.(Electrical|Mechanics|Thermal|Fluid|Media|Magnetic|StateGraph)\b")


def tokens(line):
    """Words and numbers of a line, in order."""
    found, at = [], 0
    for match in NUMBER.finditer(line):
        before = line[match.start() - 1:match.start()]
        if before and (before.isalnum() or before == "_"):
            continue
        found += line[at:match.start()].split() + [float(match.group())]
        at = match.end()
    return found + line[at:].split()


def near(a, b, factor):
    return a == b or (a > 0 and b > 0 and max(a, b) <= factor * min(a, b))


def alike(a, b):
    """Lines of pictures: nearly all characters are equal."""
    return abs(len(a) - len(b)) <= 2 and sum(x != y for x, y in zip(a, b)) <= 0.1 * max(len(a), 20)


def same(expected, seen, loose):
    if expected == seen:
        return True
    if re.search("[│┤└]", expected):
        return alike(expected, seen)
    a, b = tokens(expected), tokens(seen)
    if len(a) != len(b):
        return False
    effort = expected.split()[:1] == ["effort"] or "iteration" in expected or "steps" in expected
    effort = effort or (loose and expected.split()[:1] in (["method"], ["mesh"], ["size"]))
    deviation = "re-simulation" in expected or "error" in expected
    if expected.split()[:2] == ["cost", "by"]:
        return True
    for i, (x, y) in enumerate(zip(a, b)):
        if isinstance(x, float) != isinstance(y, float):
            return False
        if not isinstance(x, float):
            if x != y:
                return False
        elif i + 1 < len(a) and isinstance(a[i + 1], str) and re.match(r"s\b", a[i + 1]):
            continue
        elif a[i + 1:i + 3] == ["a", "second"]:
            continue
        elif deviation and (near(x, y, 30) or max(abs(x), abs(y)) < 1e-5):
            continue
        elif effort and near(x, y, 3):
            continue
        elif abs(x - y) > 1e-4 * abs(x) + 1e-9:
            return False
    return True


def fits(expected, seen, loose=False):
    """Lines, where `…` stands for any. `loose`: sizes come of a refinement."""
    if not expected:
        return not seen
    if expected[0].strip() == "…":
        return any(fits(expected[1:], seen[k:], loose) for k in range(len(seen) + 1))
    return bool(seen) and same(expected[0], seen[0], loose) and fits(expected[1:], seen[1:], loose)


def dialogue(text):
    """(command, expected lines) of a block."""
    steps = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps and steps[-1][0].endswith("\\") and not steps[-1][1]:
            steps[-1] = (steps[-1][0][:-1] + line.strip(), [])
        elif steps:
            steps[-1][1].append(line)
    return steps


class Page:
    def __init__(self, path, bolza, folder):
        self.path, self.bolza, self.folder = path, bolza, pathlib.Path(folder)
        self.text = path.read_text(encoding="utf8")
        self.wrong, self.n = [], 0
        for entry in ("examples", "tests", "docs", "stdlib", "runtime"):
            (self.folder / entry).symlink_to(ROOT / entry)
        self.environment = {**os.environ, "BOLZA_STDLIB": os.environ.get("BOLZA_STDLIB", str(ROOT / "stdlib")), "COLUMNS": "120",
                            "LC_ALL": "C.UTF-8"}

    def run(self, command):
        line = re.sub(r"(^|[|&;(] *)(?:build/release/bin/)?bolza(?= |$)", lambda m: m.group(1) + f"'{self.bolza}'", command)
        done = subprocess.run(line, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder,
                              env=self.environment, timeout=3000, check=False)
        self.n += 1
        return done.stdout, done.returncode

    def can_run(self, command):
        files = [self.folder / word for word in re.findall(r"[\w.]+\.mop?\b", command)]
        if not any(FOREIGN.search(text) for text in [command] + [f.read_text(encoding="utf8") for f in files if f.is_file()]):
            return True
        return any((pathlib.Path(p) / "Modelica/package.mo").is_file() or list(pathlib.Path(p).glob("Modelica [0-9]*"))
                   for p in os.environ.get("MODELICAPATH", "").split(":") if p)

    def complain(self, at, *lines):
        self.wrong.append(f"{self.path.relative_to(ROOT)}:{self.text.count(chr(10), 0, at) + 1}: " + "\n  ".join(lines))

    def play(self, match):
        """A block of commands; gives it with what was printed."""
        block = []
        for command, expected in dialogue(match.group(2)):
            block.append("$ " + command)
            if not self.can_run(command):
                block += expected
                continue
            printed, code = self.run(command)
            seen = printed.rstrip("\n").split("\n") if printed.strip() else []
            while expected and not expected[-1].strip():
                expected.pop()
            seen = [line.rstrip() for line in seen]
            good = fits([line.rstrip() for line in expected], seen, "refine" in command)
            warned = code == 4 and any("solved, with warnings" in line for line in expected)
            if not 0 <= code <= 2 and not warned:
                self.complain(match.start(), f"$ {command}", f"ended with {code}")
            if not good:
                self.complain(match.start(), f"$ {command}", "the page says", *expected, "it prints", *seen)
            block += expected if good else seen
        return f"```{match.group(1)}\n" + "\n".join(block) + "\n```"

    def block(self, match):
        info, text = match.group(1), match.group(2)
        named = re.search(r"(file|append)=(\S+)", info)
        if named:
            with open(self.folder / named.group(2), "a" if named.group(1) == "append" else "w", encoding="utf8") as file:
                file.write(("\n" if named.group(1) == "append" else "") + text)
        if re.match(r"modelica( check| [EW]\d{3})", info):
            self.judge(match, info.split()[1:], text)
        before = self.text[:match.start()].rstrip().rsplit("\n", 1)[-1]
        shown = re.search(r"`([\w./-]+\.(?:mop?|csv|c))`(?:\]\([^)]*\))?(?: is|:)$", before)
        if shown and not named and text.strip() not in (ROOT / shown.group(1)).read_text(encoding="utf8"):
            self.complain(match.start(), f"this is not the text of {shown.group(1)}")
        return self.play(match) if text.startswith("$ ") else match.group()

    def judge(self, match, wanted, text):
        """`bolza check` accepts an example, or reports the codes that stand after ```modelica."""
        (self.folder / "example.mop").write_text(text, encoding="utf8")
        printed, code = self.run("bolza check example.mop")
        seen = set(re.findall(r"\[([EW]\d{3})\]", printed))
        expected = set(wanted) - {"check"}
        if seen != expected or code != (2 if " error: " in printed else 0):
            self.complain(match.start(), f"check reports {sorted(seen)} and ends with {code}", printed)

    def inline(self):
        outside = FENCE.sub(lambda m: "\n" * m.group().count("\n"), self.text)
        for match in re.finditer(r"`(bolza [^`]+)`", outside):
            command = match.group(1)
            if len(command.split()) < 3 or re.search(r"(^| |=)[A-Z]{3,}\b", command) or not self.can_run(command):
                continue
            printed, code = self.run(command)
            if code != 0:
                self.wrong.append(f"{self.path.relative_to(ROOT)}: `{command}` ended with {code}: {printed[:300]}")

    def check(self, update):
        new = FENCE.sub(self.block, self.text)
        if self.path.name == "README.md":
            self.inline()
        if update and new != self.text:
            self.path.write_text(new, encoding="utf8")


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    arguments = [a for a in arguments if a != "--update"]
    bolza = shutil.which(arguments[0]) or sys.exit(f"there is no program {arguments[0]}")
    pages = [pathlib.Path(a).resolve() for a in arguments[1:]] or [ROOT / page for page in PAGES]
    wrong, n = [], 0
    for path in pages:
        with tempfile.TemporaryDirectory() as folder:
            page = Page(path, os.path.abspath(bolza), folder)
            page.check(update)
            wrong, n = wrong + page.wrong, n + page.n
    print("\n".join(wrong + [f"{n} commands of {len(pages)} pages, {len(wrong)} differ"]))
    return 1 if wrong and not update else 0


if __name__ == "__main__":
    sys.exit(main())
