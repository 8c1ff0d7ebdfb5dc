#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that stand within the text of pages: inline.py BOLZA [PAGE ...]; without pages README and all of docs.

Looked at are code between backquotes, in tables too, and lines of blocks, fenced or indented, that begin with `bolza`:
    `bolza solve cart.mop --mesh 20`   a command: it has to end with 0 (4: solved, with a warning)
    `--chain "euler -> radau"`         options with values: they go to a command of inline.json, the first whose pattern is found in them
    `--mesh`, `bolza methods`          a name alone has to be one that `bolza COMMAND --help` or a script of ours knows
What stands for something else is left out by rule: words of capitals (FILE, N, NAME=VALUE, [CLASS]), ranges of words (a|b) and `…`.
Commands run in a folder of their own with links to the repository's; a page's blocks with file=NAME are written there. Files that a
page only speaks of are those of inline.json, or are made by a command of it. What needs a class of the Modelica library that ours has not is
left out where MODELICAPATH has none; `--sandbox` where the system allows no namespaces.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import run as pages

ROOT = pages.ROOT
TABLE = json.loads((ROOT / "tests/docs/inline.json").read_text(encoding="utf8"))
PLACEHOLDER = re.compile(r"(^|[\s=,(\[/])[A-Z][A-Z_]*\d*($|[\s=,.)\]])|…|\||\.\.\.")
COMMAND = re.compile(r"(?:\./)?(?:build/release/bin/)?bolza\s+\S")
INSTALLED = "/usr/share/bolza/"
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def spans(text):
    """(place, code) of what stands between backquotes outside of blocks, and of the lines of blocks that are commands."""
    outside = pages.FENCE.sub(lambda m: "\n" * m.group().count("\n"), text)
    for match in QUOTED.finditer(outside):
        yield outside.count("\n", 0, match.start()) + 1, match.group(1).replace("\\|", "|")
    for block in pages.FENCE.finditer(text):
        if block.group(2).startswith("$ "):
            continue
        for k, line in enumerate(block.group(2).splitlines()):
            if COMMAND.match(line):
                yield text.count("\n", 0, block.start()) + 2 + k, line
    for match in re.finditer(r"^    ((?:build/release/bin/)?bolza .*)$", outside, re.M):
        yield outside.count("\n", 0, match.start()) + 1, match.group(1)


def is_command(code):
    return bool(COMMAND.match(code))


def command_of(code, page):
    """The whole command for options alone on this page, or None."""
    for entry in TABLE["options"]:
        if re.search(entry["pattern"], code) and re.search(entry.get("page", ""), page):
            return entry["command"].replace("{}", code)
    return None


def known_options(bolza):
    """The names of options that a `--help` has, and those of our scripts."""
    def names(texts):
        return set(re.findall(r"--[a-z][\w-]*", "\n".join(texts)))
    top = subprocess.run([bolza, "--help"], capture_output=True, text=True, check=True).stdout
    commands = sorted(set(re.findall(r"^  (\w+)  ", top, re.M)))
    helps = [subprocess.run([bolza, name, "--help"], capture_output=True, text=True, check=False).stdout for name in commands]
    scripts = [f.read_text(encoding="utf8", errors="ignore") for folder in ("scripts", "tests", "benchmarks", "cmake")
               for f in (ROOT / folder).rglob("*") if f.is_file() and (f.suffix in (".py", ".sh") or "." not in f.name)]
    return {"bolza": names([top, *helps]), "ours": names(scripts)}


def has_namespaces():
    return shutil.which("bwrap") and subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True).returncode == 0


class Inline(pages.Page):
    def __init__(self, path, bolza, folder, known):
        super().__init__(path, bolza, folder)
        self.known = known

    def say(self, line, *lines):
        self.wrong.append(f"{self.path.relative_to(ROOT)}:{line}: " + "\n  ".join(lines))

    def write_files(self):
        for match in pages.FENCE.finditer(self.text):
            if named := re.search(r"(file|append)=(\S+)", match.group(1)):
                with open(self.folder / named.group(2), "a" if named.group(1) == "append" else "w", encoding="utf8") as file:
                    file.write(match.group(2))

    def make(self, command):
        """What the command reads, where the page does not have it: a file of ours under that name, or made by a command."""
        for name, file in TABLE["files"].items():
            if not (self.folder / name).exists():
                (self.folder / name).symlink_to(ROOT / file)
        for name, makes in TABLE["makes"].items():
            if re.search(rf"(^|[\s=]){re.escape(name)}($|\s)", command) and not (self.folder / name).exists():
                self.run(makes)

    def try_command(self, line, code, command):
        if not self.can_run(command) or ("--sandbox" in command.split() and not has_namespaces()):
            return
        self.make(command)
        printed, exit_code = self.run(command.replace(INSTALLED, ""))  # links to the repository's stand for what is installed
        if exit_code not in (0, 4):
            self.say(line, f"`{code}`" + ("" if code == command else f" as {command}"), f"ended with {exit_code}", printed[:400])

    def look(self, line, code):
        if is_command(code):
            words = code.split()
            if words[1] in TABLE["subjects"] and all(w.startswith("-") for w in words[2:]):
                code += " " + TABLE["subjects"][words[1]]
            if PLACEHOLDER.search(code) or len(code.split()) < 3:
                self.names(line, code)
            else:
                self.try_command(line, code, code)
        elif re.match(r"--[a-z]", code):
            ours = code.split()[0].split("=")[0] in self.known["bolza"]
            if PLACEHOLDER.search(code) or not re.search(r"[\s=]", code) or not ours:
                self.names(line, code)
            elif command := command_of(code, self.path.stem):
                self.try_command(line, code, command)
            else:
                self.say(line, f"`{code}` has no example in tests/docs/inline.json")

    def names(self, line, code):
        for name in re.findall(r"(?:^|\s)(--[a-z][\w-]*)", code):
            if name not in self.known["bolza"] | self.known["ours"]:
                self.say(line, f"`{code}`: no command has `{name}`")

    def check_all(self, seen):
        self.write_files()
        for line, code in spans(self.text):
            key = (command_of(code, self.path.stem) if code.startswith("--") else None) or code
            if key in seen:
                continue
            seen.add(key)
            self.look(line, code)


def main():
    bolza = shutil.which(sys.argv[1]) or sys.exit(f"there is no program {sys.argv[1]}")
    bolza = str(pathlib.Path(bolza).resolve())
    chosen = [pathlib.Path(a).resolve() for a in sys.argv[2:]] or [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    wrong, n, seen, known = [], 0, set(), known_options(bolza)
    for path in chosen:
        with tempfile.TemporaryDirectory() as folder:
            page = Inline(path, bolza, folder, known)
            page.check_all(seen)
            wrong, n = wrong + page.wrong, n + page.n
    print("\n".join(wrong + [f"{n} commands within the text of {len(chosen)} pages, {len(wrong)} do not end well"]))
    return 1 if wrong or n == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
