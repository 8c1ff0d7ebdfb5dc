#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when docs/extending.md and the switches over operators are out of step.

Its first table lists the functions in which the compiler names a missing case: their switches have no `default`. The second one
lists every switch over Op that has one, by the names of its functions (several in a file are counted).
"""
import pathlib
import re
import sys

from check_rooms import ROOT

PAGE = ROOT / "docs/extending.md"
ROW = re.compile(r"^\| (.*?) \| \[([\w/.]+)\]\(\.\./\2\) \|", re.M)


def body_from(text, at):
    """The text between the next `{` and its `}`."""
    begin = end = text.index("{", at)
    depth = 0
    while True:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[begin:end]
        end += 1


def switches(text):
    """Whether each switch over Op has a `default`."""
    for match in re.finditer(r"\bswitch \(", text):
        body = body_from(text, match.end())
        if re.search(r"\bcase (ir::)?Op::", body):
            yield "default:" in body


def rows_of(section):
    """path: how many functions the rows of a table name, and their names."""
    rows = {}
    for what, path in ROW.findall(section):
        names = re.findall(r"`(?:\w+::)?(\w+)`", what)
        count, known = rows.get(path, (0, []))
        rows[path] = count + max(1, len(names)), known + names
    return rows


def main():
    page = PAGE.read_text(encoding="utf8")
    section = page[page.index("\n## An operator"):]
    every, _, some = section[:section.index("\n## ", 1)].partition("These have a `default`")
    every, some = rows_of(every), rows_of(some)
    errors = []
    for file in sorted(f for f in (ROOT / "compiler").rglob("*") if f.suffix in (".h", ".cpp")):
        path, text = file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf8")
        found = list(switches(text))
        if False in found and path not in every:
            errors.append(f"{path}: its switch over Op, without a `default`, is not in the first table of docs/extending.md")
        count, names = some.pop(path, (0, []))
        if found.count(True) != count:
            errors.append(f"{path}: {found.count(True)} switches over Op have a `default`; docs/extending.md lists {count}")
        errors += [f"docs/extending.md: {path} has no `{name}`" for name in names + every.get(path, (0, []))[1]
                   if not re.search(rf"\b{name}\b", text)]
    errors += [f"docs/extending.md: there is no {path}" for path in [*some, *every] if not (ROOT / path).is_file()]
    print("\n".join(errors) if errors else f"{len(every)} functions list every operator, the others have a row")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
