#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when CHANGELOG.md is not one that a person can read: check_changelog.py.

Below the introduction stand headings `## VERSION - DATE`, the newest first, of which the first may be unreleased and is the
version of CMakeLists.txt; below each, sections (Added, Changed, …) in this order, with entries of one line, at most 100
characters.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 100
SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def wrong_lines(lines):
    versions, sections = [], []
    for number, line in enumerate(lines, 1):
        said = None
        if len(line) > LONGEST and versions:
            said = f"{len(line)} characters, at most {LONGEST}: an entry says in one line what a user notices"
        elif line.startswith("## "):
            found = re.fullmatch(r"## (\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d|unreleased)", line)
            if not found:
                said = "a heading is `## VERSION - YYYY-MM-DD`, or `## VERSION - unreleased`"
            elif versions and (found.group(4) == "unreleased" or tuple(map(int, found.groups()[:3])) >= versions[-1]):
                said = "versions descend, and the first alone may be unreleased"
            versions.append(tuple(map(int, found.groups()[:3])) if found else (0, 0, 0))
            sections = []
        elif line.startswith("### "):
            if line[4:] not in SECTIONS or (sections and SECTIONS.index(line[4:]) <= SECTIONS.index(sections[-1])):
                said = f"sections are {', '.join(SECTIONS)}, in this order"
            else:
                sections.append(line[4:])
        elif versions and line and (not line.startswith("- ") or not sections):
            said = "below a section stand entries of one line, `- …`"
        if said:
            yield f"CHANGELOG.md:{number}: {said}"
    version = re.search(r"project\(bolza VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf8")).group(1)
    if not versions or ".".join(map(str, versions[0])) != version:
        yield f"CHANGELOG.md: the first heading is not that of {version}, the version of CMakeLists.txt"


def main():
    wrong = list(wrong_lines((ROOT / "CHANGELOG.md").read_text(encoding="utf8").splitlines()))
    print("\n".join(wrong) or "CHANGELOG.md has entries of one line")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
