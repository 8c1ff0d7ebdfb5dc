#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where a comma joins statements (`a = b, c = d;`), and where calls pass more bare `true` and `false` than before.

A statement does one thing. The heads of `for` may step two variables, declarations may declare several, and `<<` of a matrix takes its
entries by commas. A bare `true` in a call says nothing: an enumeration, a named constant or a comment `/*retry=*/true` does; TRUTHS is
what each room has still, and may only become less.
No compiler is needed: the text is read token by token, with its brackets.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ["base", "compiler", "runtime", "workflow", "api", "cli"]
TRUTHS = {}

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


def joined(source):
    """Statements that commas join: (tokens, commas, governed, semicolon)."""
    tree = nested(tokens_of(source))
    mark_kinds(tree, False)
    for block in blocks_of(tree):
        for tokens, governed, semicolon in statements_of(block):
            commas = commas_in(tokens)
            if commas and not is_declaration(tokens) and not any(t.text == "<<" for t in tokens):
                yield tokens, commas, governed, semicolon


def bare_truths(source):
    """Offsets of `true` and `false` that are a whole argument of a call, without a name in a comment."""
    return [m.start(2) for m in re.finditer(r"(?<!\*/)([(,]\s*)\b(true|false)\b(?=\s*[,)])", source)
            if not source[:m.start()].rstrip().endswith("*/")]


def files_of(room):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", f"{room}/*.cpp", f"{room}/*.h"],
                            cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.split() if not listed.returncode else []
    return [ROOT / n for n in names] or sorted(p for p in (ROOT / room).rglob("*") if p.suffix in (".h", ".cpp"))


def main():
    errors, checked = [], 0
    for room in ROOMS:
        truths = 0
        for file in files_of(room):
            if not file.is_file():
                continue
            source = file.read_text(encoding="utf8")
            checked += 1
            truths += len(bare_truths(source))
            for tokens, _, _, _ in joined(source):
                line = source.count("\n", 0, tokens[0].at) + 1
                errors.append(f"{file.relative_to(ROOT)}:{line}: a comma joins statements")
        if truths > TRUTHS.get(room, 0):
            errors.append(f"{room}: calls pass `true` or `false` {truths} times without saying what it is, {TRUTHS.get(room, 0)} were there")
        elif truths < TRUTHS.get(room, 0):
            errors.append(f"{room}: calls pass `true` or `false` {truths} times only: write that into TRUTHS of {pathlib.Path(__file__).name}")
    print("\n".join(errors) if errors else f"{checked} files: no comma joins statements")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
