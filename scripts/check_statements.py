#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where commas join more statements (`a = b, c = d;`), or calls pass more bare `true` and `false`, than before.

A statement does one thing. The heads of `for` may step two variables, declarations may declare several, and `<<` of a matrix takes its
entries by commas. A bare `true` in a call says nothing: an enumeration, or a comment `/*retry=*/true`, does. JOINED and TRUTHS are what
each room has still, and may only become less.  --list says where they are.
No compiler is needed: the text is read token by token, with its brackets.
"""
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ["base", "compiler", "runtime", "workflow", "api", "server", "cli"]
TESTS = ["tests/unit", "benchmarks"]  # of which bare truths are not counted: what is expected is often one
JOINED = {room: 0 for room in ROOMS} | {"tests/unit": 749, "benchmarks": 0}
TRUTHS = {"base": 2, "compiler": 244, "runtime": 144, "workflow": 8, "cli": 3}

TOKEN = re.compile(r'''
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\ ]{0,16})\(.*?\)(?P=mark)")
  | (?P<text>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark2>->\*?|::|<<=?|>=|<=>|<=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|.)
''', re.X | re.S | re.M)

OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
DECLARING = {"const", "static", "constexpr", "auto", "using", "typedef", "unsigned", "int", "double", "bool", "char", "long", "short", "float", "void",
             "struct", "enum", "class", "thread_local", "extern", "template", "friend", "signed", "union", "namespace", "typename", "inline", "mutable"}
CONTROL = {"if", "while", "for", "switch", "return", "catch", "sizeof", "decltype"}
# What stores a value as it is: nothing more could be said of it.
TAKES_VALUES = {"push_back", "emplace_back", "assign", "resize", "insert", "exchange", "store", "emplace", "fill", "append", "json", "set_value", "value_or",
                "try_emplace", "insert_or_assign", "vector", "expects"}
NOT_TYPES = {"return", "throw", "delete", "new", "co_return", "goto", "case", "sizeof", "else", "do", "this", "operator"}


class Token:
    __slots__ = ("text", "at", "end", "inside", "kind", "spaced")

    def __init__(self, text, at, end, spaced):
        self.text, self.at, self.end, self.spaced = text, at, end, spaced
        self.inside = None  # of an opening bracket: the tokens between it and its closing one
        self.kind = None    # of "{": block, types, values


def tokens_of(source):
    found, spaced = [], False
    for match in TOKEN.finditer(source):
        if match.lastgroup == "skip":
            spaced = True
            continue
        found.append(Token(match.group(), match.start(), match.end(), spaced))
        spaced = False
    return found


def nested(found):
    """The tokens as a tree: an opening bracket holds what is inside it, and ends where its closing one does."""
    root, stack = [], []
    current = root
    for token in found:
        if token.text in OPEN:
            token.inside = []
            current.append(token)
            stack.append((token, current))
            current = token.inside
        elif token.text in CLOSE and stack:
            opening, current = stack.pop()
            opening.end = token.end
        else:
            current.append(token)
    return root


def is_word(token):
    return re.match(r"[A-Za-z_]\w*$", token.text) is not None


def ends_trailing_type(before):
    """Whether the tokens end with `-> Type` of a function or lambda."""
    for token in reversed(before[-24:]):
        if token.text == "->":
            return True
        if not (is_word(token) or token.text in ("::", "<", ">", "*", "&", ",")):
            return False
    return False


def kind_of(before, in_block):
    """What a brace after these tokens of its level opens."""
    if not before:
        return "block" if in_block else "values"
    statement = []
    for token in reversed(before):
        if token.text in (";",) or (token.text == "{" and token.kind in ("block", "types") and not statement):
            break
        statement.append(token)
    statement.reverse()
    words = [t.text for t in statement]
    if words and words[0] == "template":
        words = [w for w in words if w in ("struct", "class", "enum", "union", "concept")] + words
    if words and words[0] in ("struct", "class", "enum", "union", "namespace", "extern") and "=" not in words and "(" not in words:
        return "types"
    last = before[-1]
    if last.text in (";", ":", "else", "do", "try", "const", "noexcept", "override", "final", "mutable") or last.text in ("(", "["):
        if last.text == ":" and any(t.text == "?" for t in statement):
            return "values"
        return "block"
    if last.text == "{":
        return "block" if last.kind in ("block", "types", "values") and (not statement or last.kind == "values") else "values"
    return "block" if ends_trailing_type(before) else "values"


def mark_kinds(level, in_block):
    for at, token in enumerate(level):
        if token.text == "{":
            token.kind = kind_of(level[:at], in_block)
            mark_kinds(token.inside, token.kind != "values")
        elif token.inside is not None:
            mark_kinds(token.inside, False)


def blocks_of(level):
    for token in level:
        if token.inside is not None:
            if token.text == "{" and token.kind == "block":
                yield token
            yield from blocks_of(token.inside)


def statements_of(block):
    """(the tokens of a simple statement without its semicolon, whether a head such as `if (…)` governs it, the semicolon)"""
    level, at, governed = block.inside, 0, False
    while at < len(level):
        token = level[at]
        if token.text in ("if", "for", "while", "switch", "catch"):
            at += 1
            if at < len(level) and level[at].text == "constexpr":
                at += 1
            at += 1  # its parentheses
            governed = True
        elif token.text in ("else", "do", "try"):
            at += 1
            governed = True
        elif token.text in ("case", "default"):
            while at < len(level) and level[at].text != ":":
                at += 1
            at += 1
            governed = False
        elif token.text == "{" and token.kind == "block":
            at += 1
            governed = False
        elif token.text == ";":
            at += 1
            governed = False
        else:
            begin = at
            while at < len(level) and level[at].text != ";":
                at += 1
            if at < len(level):
                yield level[begin:at], governed, level[at]
            at += 1
            governed = False


def skip_template(tokens, at):
    """The place after `<…>` that begins here, or None where it is a comparison."""
    if tokens[at].text != "<" or tokens[at].spaced or at == 0 or not is_word(tokens[at - 1]):
        return None
    depth = 0
    while at < len(tokens):
        if tokens[at].text == "<":
            depth += 1
        elif tokens[at].text == ">":
            depth -= 1
            if depth == 0:
                return at + 1
        elif tokens[at].text in ("&&", "||", "=", "+=", "?"):
            return None
        at += 1
    return None


def commas_in(tokens):
    found, at = [], 0
    while at < len(tokens):
        after = skip_template(tokens, at)
        if after:
            at = after
            continue
        if tokens[at].text == ",":
            found.append(tokens[at])
        at += 1
    return found


def is_declaration(tokens):
    if tokens[0].text in DECLARING:
        return True
    if tokens[0].text in NOT_TYPES or not (is_word(tokens[0]) or tokens[0].text == "::"):
        return False
    at = 0
    while at < len(tokens):
        after = skip_template(tokens, at)
        if after:
            at = after
        elif tokens[at].text == "::" or (is_word(tokens[at]) and (at == 0 or tokens[at - 1].text == "::")):
            at += 1
        else:
            break
    while at < len(tokens) and tokens[at].text in ("*", "&", "&&", "const"):
        at += 1
    return 0 < at < len(tokens) and is_word(tokens[at])


@functools.lru_cache(maxsize=1)
def tree_of(source):
    tree = nested(tokens_of(source))
    mark_kinds(tree, False)
    return tree


def joined(source):
    """Statements that commas join: (tokens, commas, governed, semicolon)."""
    tree = tree_of(source)
    for block in blocks_of(tree):
        for tokens, governed, semicolon in statements_of(block):
            commas = commas_in(tokens)
            if commas and not is_declaration(tokens) and not any(t.text == "<<" for t in tokens):
                yield tokens, commas, governed, semicolon


def bare_truths(source):
    """Offsets of `true` and `false` that are an argument of a call, alone and without a comment that names it."""
    found = []

    def walk(level):
        for at, token in enumerate(level):
            if token.inside is None:
                continue
            before = level[at - 1] if at else None
            if token.text == "(" and before and (is_word(before) or before.text in (">", "]")) and before.text not in CONTROL:
                if not (before.text in TAKES_VALUES or (before.text == ">" and at > 3 and level[at - 3].text == "vector")):
                    inner = token.inside
                    for k, argument in enumerate(inner):
                        alone = (k == 0 or inner[k - 1].text == ",") and (k + 1 == len(inner) or inner[k + 1].text == ",")
                        if alone and argument.text in ("true", "false") and not source[:argument.at].rstrip().endswith("*/"):
                            found.append(argument.at)
            walk(token.inside)

    walk(tree_of(source))
    return found


def files_of(room):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", f"{room}/*.cpp", f"{room}/*.h"],
                            cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.split() if not listed.returncode else []
    return [ROOT / n for n in names if (ROOT / n).is_file()] or sorted(p for p in (ROOT / room).rglob("*") if p.suffix in (".h", ".cpp"))


def compared(what, room, found, allowed, errors):
    if len(found) > allowed:
        errors += found if allowed == 0 else [f"{room}: {what} {len(found)} times, {allowed} are allowed (--list says where)"]
    elif len(found) < allowed:
        errors.append(f"{room}: {what} {len(found)} times only: write that in the place of {allowed} into {pathlib.Path(__file__).name}")


def main():
    errors, checked, listed = [], 0, "--list" in sys.argv[1:]
    for room in ROOMS + TESTS:
        commas, truths = [], []
        for file in files_of(room):
            source = file.read_text(encoding="utf8")
            checked += 1

            def place(offset):
                return f"{file.relative_to(ROOT)}:{source.count(chr(10), 0, offset) + 1}"
            commas += [f"{place(tokens[0].at)}: a comma joins statements" for tokens, _, _, _ in joined(source)]
            if room not in TESTS:
                truths += [f"{place(at)}: a call passes a bare `true` or `false`" for at in bare_truths(source)]
        if listed:
            print("\n".join(commas + truths))
        compared("commas join statements", room, commas, JOINED.get(room, 0), errors)
        compared("calls pass a bare `true` or `false`", room, truths, TRUTHS.get(room, 0), errors)
    print("\n".join(errors) if errors else f"{checked} files: no more statements are joined by commas, and no more bare truths passed, than before")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
