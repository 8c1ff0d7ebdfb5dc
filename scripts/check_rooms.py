#!/usr/bin/env python3
"""Fails when an include breaks the table of rooms.

A room may include itself, `base`, and the rooms on its line. Outside libraries enter through the rooms listed in OUTSIDE.
A header called `*_internal.h` is seen by its own room and by the rooms inside that only.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

RUNTIME = ["runtime/abi", "runtime/linalg", "runtime/nonlinear", "runtime/integrate", "runtime/nlp", "runtime/transcribe",
           "runtime/estimate", "runtime/result"]
COMPILER = ["compiler/syntax", "compiler/foreign", "compiler/instance", "compiler/flatten", "compiler/ir", "compiler/derive", "compiler/passes",
            "compiler/codegen", "compiler/codegen/llvm"]

MAY = {
    "base": [],
    "compiler/syntax": [],
    "compiler/ir": [],
    "compiler/foreign": [],
    "runtime/abi": [],
    "runtime/linalg": [],
    "compiler/instance": ["compiler/syntax", "compiler/ir", "compiler/foreign"],
    "compiler/flatten": ["compiler/instance", "compiler/syntax", "compiler/ir", "compiler/foreign"],
    "compiler/derive": ["compiler/ir"],
    "compiler/passes": ["compiler/derive", "compiler/ir"],
    "compiler/codegen": ["compiler/derive", "compiler/ir", "runtime/abi"],
    "compiler/codegen/llvm": ["compiler/codegen", "compiler/derive", "compiler/ir", "runtime/abi"],
    "compiler/driver": COMPILER + ["runtime/abi"],
    "runtime/nonlinear": ["runtime/linalg", "runtime/abi"],
    "runtime/integrate": ["runtime/nonlinear", "runtime/linalg", "runtime/abi"],
    "runtime/nlp": ["runtime/linalg"],
    "runtime/transcribe": ["runtime/nlp", "runtime/integrate", "runtime/nonlinear", "runtime/linalg", "runtime/abi"],
    "runtime/estimate": ["runtime/transcribe", "runtime/integrate", "runtime/nlp", "runtime/linalg", "runtime/abi"],
    "runtime/result": ["runtime/abi"],
    "workflow": ["compiler/driver", "compiler/ir", "compiler/codegen", "compiler/foreign"] + RUNTIME,
    "cli": ["workflow", "compiler/driver", "compiler/ir", "compiler/foreign", "runtime/abi", "runtime/result"],
}

OUTSIDE = {
    r"antlr4-runtime|Modelica(Lexer|Parser)\.h": ["compiler/syntax"],
    r"llvm/": ["compiler/codegen/llvm"],
    r"ffi\.h": ["compiler/foreign"],
    r"zlib\.h": ["compiler/foreign"],
    r"coin/|Ip[A-Z]\w+\.hpp": ["runtime/nlp"],
    r"(cvodes|idas|nvector|sunlinsol|sunmatrix|sundials|sunnonlinsol)/": ["runtime/integrate", "runtime/nonlinear"],
    r"kinsol/": ["runtime/nonlinear"],
    r"klu\.h": ["runtime/linalg"],
    r"Eigen/": ["runtime/linalg", "runtime/nonlinear", "runtime/integrate", "runtime/nlp", "runtime/transcribe", "runtime/estimate"],
    r"CLI/": ["cli"],
}


def room_of(path):
    rooms = [room for room in MAY if path == room or path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def check(file, errors):
    own = room_of(file.relative_to(ROOT).as_posix())
    if own is None:
        return
    for number, line in enumerate(file.read_text(encoding="utf8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not match:
            continue
        target = match.group(2)
        place = f"{file.relative_to(ROOT)}:{number}"
        other = room_of(target)
        if match.group(1) == '"' and other:
            if other != own and other != "base" and other not in MAY[own]:
                errors.append(f"{place}: {own} must not include {other} ({target})")
            if other != own and not own.startswith(other + "/") and target.endswith("_internal.h"):
                errors.append(f"{place}: {target} is seen by {other} only")
            if not (ROOT / target).exists():
                errors.append(f"{place}: {target} does not exist")
            continue
        for pattern, rooms in OUTSIDE.items():
            if re.match(pattern, target) and own not in rooms:
                errors.append(f"{place}: {target} enters through {', '.join(rooms)} only")


def main():
    errors = []
    files = [f for room in ("base", "compiler", "runtime", "workflow", "cli") for f in (ROOT / room).rglob("*")
             if f.suffix in (".h", ".cpp", ".c")]
    for file in sorted(files):
        check(file, errors)
    print("\n".join(errors) if errors else f"{len(files)} files keep to the table of rooms")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
