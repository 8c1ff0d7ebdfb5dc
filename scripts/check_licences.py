#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a source has no line that names its licence at the top: check_licences.py [--fix]. --fix writes it.

The line is the first, or the second after `#!`: `SPDX-License-Identifier:` and the licence of LICENSE, as a comment of the
language. Models of tests, of examples and of the library that comes with Bolza are left as they are: messages and expected
outputs count their lines.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = "SPDX-License-Identifier: Apache-2.0"
SLASHES = {".cpp", ".h", ".c", ".g4"}
HASHES = {".py", ".sh", ".cmake"}
NAMES = {"CMakeLists.txt", ".clang-format", ".clang-tidy"}
FIXED = ("tests/golden/", "tests/cli/models/", "tests/cli/listings/")  # their lines are counted


def comment_of(path):
    """How a comment of the file begins; nothing where it has no line."""
    name = path.as_posix()
    if name.startswith(FIXED):
        return None
    if path.suffix in SLASHES:
        return "//"
    if path.suffix in HASHES or path.name in NAMES:
        return "#"
    with (ROOT / path).open("rb") as file:  # scripts without an ending
        return "#" if not path.suffix and file.read(2) == b"#!" else None


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files, wrong = 0, []
    for path in (pathlib.Path(name) for name in listed.split("\0") if name):
        comment = comment_of(path) if (ROOT / path).is_file() and not (ROOT / path).is_symlink() else None
        if comment is None:
            continue
        files += 1
        lines = (ROOT / path).read_text(encoding="utf8").splitlines(keepends=True)
        at = 1 if lines and lines[0].startswith("#!") else 0
        if lines[at:at + 1] == [f"{comment} {LINE}\n"]:
            continue
        wrong.append(path.as_posix())
        if "--fix" in sys.argv:
            lines.insert(at, f"{comment} {LINE}\n")
            (ROOT / path).write_text("".join(lines), encoding="utf8")
    if "--fix" in sys.argv or not wrong:
        print(f"{files} sources name their licence")
        return 0
    print("\n".join(wrong) + f"\nthese lack the line `{LINE}`; scripts/check_licences.py --fix writes it")
    return 1


if __name__ == "__main__":
    sys.exit(main())
