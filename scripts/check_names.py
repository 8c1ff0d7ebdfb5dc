#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when one type name has two meanings.

No two headers may define a class, structure or enumeration of the same name, whatever their namespaces, when some code can see
both: two headers that every room may include, or two of one room, or a `*_internal.h` and a header that its room may include.
Types inside other types, forward declarations and what stands in an anonymous namespace do not count. ALLOWED lists names that
mean the same thing in both places, with the reason.
"""
import itertools
import re
import sys

from check_rooms import MAY, ROOT, room_of

AST = "compiler/syntax/ast.h"
# name: (headers, reason). A node of the AST is written `ast::` everywhere: what stands in the text, beside what becomes of it.
ALLOWED = {
    "Arguments": ([AST, "cli/arguments.h"], "those of a call, and those of the program, which never sees an AST"),
    "Section": ([AST, "compiler/ir/group.h"], "as written, and the rows with their groups"),
    "Statement": ([AST, "compiler/ir/program.h"], "as written, and as translated"),
    "StatementKind": ([AST, "compiler/ir/program.h"], "the kind of either"),
    "Variability": ([AST, "compiler/instance/instance.h"], "the prefix, and what it comes to for an instance"),
}

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'(?!\w)|^[ \t]*\#(?:\\\n|[^\n])*""",
                   re.S | re.M)
WORD = re.compile(r"\w+|::|[{}()<>;,=:\[\]]")
KINDS = {"class", "struct", "enum", "union"}


def head_of_type(words):
    """The name that the words before a `{` define, or None: `template <class T> struct Name final : Base`."""
    while words and words[0] == "template":
        depth = 0
        for at, word in enumerate(words[1:], 1):
            depth += {"<": 1, ">": -1}.get(word, 0)
            if depth == 0:
                break
        words = words[at + 1:]
    if not words or words[0] not in KINDS or "=" in words or "(" in words:
        return None
    head = list(itertools.takewhile(lambda word: word != ":", words[1:]))
    names = [word for word in head if word.isidentifier() and word not in {"class", "struct", "final"}]
    return names[-1] if names and "::" not in head and "<" not in head else ""


def types_of(text):
    """The names of the types that a header defines in named namespaces."""
    scopes, words, found = [], [], []
    for word in WORD.findall(TOKEN.sub(" ", text)):
        if word == ";":
            words = []
        elif word == "{":
            if "namespace" in words:
                scopes.append("namespace" if words[-1] != "namespace" else "anonymous")
            else:
                name = head_of_type(words)
                if name and all(scope == "namespace" for scope in scopes):
                    found.append(name)
                scopes.append("other" if words[:1] != ["extern"] else "namespace")
            words = []
        elif word == "}":
            if scopes:
                scopes.pop()
            words = []
        else:
            words.append(word)
    return found


def is_internal(path):
    return path.endswith("_internal.h")


def sees(path, other):
    """May code that sees `path` include `other`, too?"""
    own, room = room_of(path), room_of(other)
    if own == room:
        return True
    if is_internal(other):
        return own.startswith(room + "/")
    return not is_internal(path) or room == "base" or room in MAY[own]


def main():
    places = {}
    headers = sorted(f for room in ("base", "compiler", "runtime", "workflow", "server", "cli") for f in (ROOT / room).rglob("*.h"))
    for file in headers:
        path = file.relative_to(ROOT).as_posix()
        if room_of(path) is None:
            continue
        for name in types_of(file.read_text(encoding="utf8")):
            places.setdefault(name, set()).add(path)
    errors = []
    for name, paths in sorted(places.items()):
        allowed = ALLOWED.get(name, ((), ""))[0]
        clashes = [(a, b) for a, b in itertools.combinations(sorted(paths), 2)
                   if (sees(a, b) or sees(b, a)) and not {a, b} <= set(allowed)]
        errors += [f"{a}: `{name}` is also a type of {b}" for a, b in clashes]
    for name, (paths, _) in ALLOWED.items():
        errors += [f"ALLOWED: {path} defines no `{name}`" for path in paths if path not in places.get(name, ())]
    print("\n".join(errors) if errors else f"{len(places)} type names of {len(headers)} headers have one meaning each")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
