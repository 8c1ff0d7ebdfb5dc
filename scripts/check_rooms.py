#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an include breaks the table of rooms.

A room may include itself, `base`, and the rooms on its line. Outside libraries enter through the rooms listed in OUTSIDE.
A header called `*_internal.h` is seen by its own room and by the rooms inside that only.
A large room has folders, listed in FOLDERS in the order of their layers: a folder may include itself and the folders on its line ("." are the
files in none of them). Other rooms see a room's folders as they see the room.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

RUNTIME = ["runtime/abi", "runtime/kkt", "runtime/linalg", "runtime/nonlinear", "runtime/integrate", "runtime/nlp", "runtime/transcribe",
           "runtime/estimate", "runtime/result", "runtime/verify"]
COMPILER = ["compiler/syntax", "compiler/foreign", "compiler/instance", "compiler/flatten", "compiler/ir", "compiler/derive", "compiler/passes",
            "compiler/codegen", "compiler/codegen/llvm"]

MAY = {
    "base": [],
    "compiler/syntax": [],
    "compiler/ir": [],
    "compiler/foreign": [],
    "compiler/sbml": [],
    "runtime/abi": [],
    "runtime/kkt": [],
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
    "runtime/nlp": ["runtime/linalg", "runtime/kkt"],
    "runtime/transcribe": ["runtime/nlp", "runtime/kkt", "runtime/integrate", "runtime/nonlinear", "runtime/linalg", "runtime/abi"],
    "runtime/estimate": ["runtime/nlp", "runtime/integrate", "runtime/nonlinear", "runtime/linalg", "runtime/abi"],
    "runtime/result": ["runtime/abi"],
    "runtime/verify": ["runtime/linalg", "runtime/abi"],
    "workflow": ["compiler/driver", "compiler/ir", "compiler/codegen", "compiler/foreign", "compiler/sbml"] + RUNTIME,
    "api": ["workflow", "compiler/driver", "runtime/abi", "runtime/result"],
    "server": [],
    "cli": ["workflow", "server", "compiler/driver", "compiler/ir", "compiler/sbml", "compiler/foreign", "runtime/abi", "runtime/result"],
}

FOLDERS = {
    "runtime/integrate": {
        "inputs": [],
        ".": ["inputs"],
        "events": [".", "inputs"],
        "model": ["."],
        "steps": [".", "inputs", "model"],
        "sundials": ["."],
        "methods": [".", "inputs", "events", "steps", "sundials"],
        "simulate": [".", "inputs", "events", "methods"],
        "segment": [".", "inputs", "events", "model", "steps", "sundials", "simulate"],
        "lanes": [".", "inputs", "events", "steps", "simulate"],
    },
    "runtime/transcribe": {
        ".": [],
        "mesh": [],
        "plan": [".", "mesh"],
        "collocation": [".", "mesh", "plan"],
        "shooting": [".", "mesh", "plan", "collocation"],
        "gradient": [".", "shooting"],
        "sensitivity": [".", "mesh", "plan", "collocation"],
        "checks": [".", "mesh"],
    },
    "runtime/estimate": {
        ".": [],
        "statistics": ["."],
        "search": [".", "statistics"],
        "inversion": ["."],
    },
    "runtime/nlp": {
        ".": [],
        "layers": ["."],
        "sqp": ["."],
        "trust_region": ["."],
        "newton": ["."],
        "interior": [".", "sqp"],
        "engines": [".", "newton", "sqp", "trust_region", "interior"],
        "libraries": [".", "engines", "sqp"],
        "bonmin": [".", "engines"],
        "without_bonmin": ["engines"],
    },
    "workflow": {
        ".": [],
        "solve/outcome": ["."],
        "solve/method": [".", "solve/outcome"],
        "solve/attempts": [".", "solve/outcome"],
        "solve/mesh": [".", "solve/outcome", "solve/attempts"],
        "solve/nonsmooth": [".", "solve/outcome", "solve/method", "solve/attempts"],
        "solve/indirect": [".", "solve/outcome", "solve/nonsmooth"],
        "solve/checks": [".", "solve/outcome", "solve/method", "solve/attempts", "solve/nonsmooth"],
        "solve/report": [".", "sensitivity", "solve/outcome", "solve/method"],
        "solve": [".", "sensitivity", "solve/outcome", "solve/method", "solve/attempts", "solve/mesh", "solve/nonsmooth", "solve/indirect", "solve/checks", "solve/report"],
        "solve/several": [".", "solve", "solve/outcome", "solve/nonsmooth", "solve/report"],
        "simulate": [".", "solve/outcome", "solve/method"],
        "gradient": [".", "solve/outcome", "solve/method"],
        "fit": [".", "solve/outcome", "solve/method"],
        "sensitivity": [".", "solve/outcome", "solve/method"],
        "verify": [".", "sensitivity", "solve/outcome", "solve/method"],
        "run": [".", "solve", "verify", "solve/outcome", "solve/method", "solve/several", "solve/nonsmooth", "solve/indirect", "fit", "gradient", "simulate"],
        "study": [".", "run", "solve", "solve/method", "solve/outcome", "solve/report", "solve/several", "fit", "gradient", "simulate"],
    },
    "compiler/passes": {
        "system": [],
        "parameters": ["system"],
        "shapes": ["system"],
        "structure": ["parameters", "shapes", "system"],
        "simplify": ["parameters", "shapes", "structure", "system"],
        "index": ["simplify", "structure", "system"],
        "events": ["shapes", "structure", "system"],
        "optimization": ["parameters", "shapes", "structure", "system"],
        "phases": ["parameters", "system"],
        "pontryagin": ["system"],
        "scenarios": ["system"],
        "interior": ["parameters", "system"],
        "modes": ["events", "interior", "parameters", "phases", "simplify", "system"],
        ".": ["events", "index", "interior", "modes", "optimization", "parameters", "phases", "scenarios", "shapes", "simplify", "structure", "system"],
    },
    "compiler/sbml": {
        "names": [],
        ".": ["names"],
        "library": ["."],
    },
    "compiler/instance": {
        "library": [],
        ".": ["library"],
        "names": [".", "library"],
        "build": [".", "library", "names"],
        "values": [".", "library", "build"],
        "functions": [".", "library", "names", "build", "values"],
    },
    "compiler/flatten": {
        "nodes": [],
        "tables": [],
        "model": ["nodes", "tables"],
        "typing": ["model", "nodes", "tables"],
        "calls": ["model", "nodes", "typing"],
        "groups": ["calls", "model", "nodes"],
        "statements": ["calls", "groups", "model", "nodes", "typing"],
        "functions": ["calls", "model", "nodes", "statements", "tables", "typing"],
        "fields": ["model", "nodes", "typing"],
        "equations": ["calls", "fields", "groups", "model", "nodes", "statements", "typing"],
        "variables": ["equations", "fields", "groups", "model", "nodes", "typing"],
        ".": ["calls", "equations", "fields", "groups", "model", "nodes", "typing", "variables"],
    },
    "server": {
        "database": [],
        "store": ["database"],
        "http": [],
        "program": [".", "store", "database"],
        "worker": [".", "program", "store", "database"],
        "api": [".", "http", "program", "store", "database"],
        "page": [".", "api", "http", "program", "store", "database"],
        "client": [".", "store"],
        "library": [".", "api", "client", "database", "http", "page", "program", "store", "worker"],
        ".": [],
    },
    "cli": {
        ".": [],
        "commands": ["."],
    },
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
    r"Eigen/": ["runtime/linalg", "runtime/nonlinear", "runtime/integrate", "runtime/nlp", "runtime/transcribe", "runtime/estimate", "runtime/verify"],
    r"sbml/[A-Zacm].*\.h|yaml-cpp/": ["compiler/sbml"],
    r"CLI/": ["cli"],
    r"httplib\.h|sqlite3\.h|libpq-fe\.h|argon2\.h|openssl/": ["server"],
}


def room_of(path):
    rooms = [room for room in MAY if path == room or path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def folder_of(path, room):
    """The folder of a room that a file is in: the longest one that FOLDERS lists, "." for the files next to them."""
    rest = path[len(room) + 1:]
    return max((folder for folder in FOLDERS[room] if rest.startswith(folder + "/")), key=len, default=".")


def check_folders(path, target, room, place, errors):
    if room not in FOLDERS:
        return
    own, other = folder_of(path, room), folder_of(target, room)
    if other != own and other not in FOLDERS[room].get(own, []):
        errors.append(f"{place}: in {room}, {own} must not include {other} ({target})")


def check_table(errors):
    for room, folders in FOLDERS.items():
        for folder, may in folders.items():
            errors += [f"FOLDERS: {room}: {folder} may include {other}, which is not listed" for other in may if other not in folders]
            if folder != "." and not (ROOT / room / folder).is_dir():
                errors.append(f"FOLDERS: {room}/{folder} does not exist")
        listed = {folder.split("/")[0] for folder in folders}
        for path in sorted((ROOT / room).iterdir()):
            if path.is_dir() and path.name not in listed and f"{room}/{path.name}" not in MAY:
                errors.append(f"FOLDERS: {room}/{path.name} is not listed")
        done = set()
        while len(done) < len(folders):
            free = [folder for folder, may in folders.items() if folder not in done and set(may) <= done]
            if not free:
                errors.append(f"FOLDERS: {room}: {', '.join(sorted(set(folders) - done))} include each other")
                break
            done.update(free)


def check(file, errors):
    path = file.relative_to(ROOT).as_posix()
    own = room_of(path)
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
            if other == own:
                check_folders(path, target, own, place, errors)
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
    check_table(errors)
    files = [f for room in ("base", "compiler", "runtime", "workflow", "api", "server", "cli") for f in (ROOT / room).rglob("*")
             if f.suffix in (".h", ".cpp", ".c")]
    for file in sorted(files):
        check(file, errors)
    print("\n".join(errors) if errors else f"{len(files)} files keep to the table of rooms")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
