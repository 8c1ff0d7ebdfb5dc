# SPDX-License-Identifier: Apache-2.0
"""The text of a model as words, and the same model in other sizes (`scripts/problems --scale`).

A text is a list of words; what a declaration declares is scaled where it is declared (attributes, binding), and divided by its scale
wherever else its name stands.
"""
import random
import re

WORD = re.compile(r"//[^\n]*|\"[^\"]*\"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d[\w.]*(?:(?<=[eE])[-+]\d+)?|\s+|.")
ATTRIBUTES = ("start", "min", "max", "nominal", "initialGuess")


def words_of(text):
    return WORD.findall(text)


def matching(words, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(words)):
        depth += words[k] in "([{" if len(words[k]) == 1 else 0
        depth -= words[k] in ")]}" if len(words[k]) == 1 else 0
        if depth == 0:
            return k
    raise ValueError("unbalanced brackets")


def split_list(words, at, ends):
    """The pieces between commas from `at` to the first of `ends` outside brackets, and where that is."""
    pieces, piece, k = [], [], at
    while words[k] not in ends:
        if words[k] in ("(", "[", "{"):
            close = matching(words, k)
            piece += words[k:close + 1]
            k = close + 1
        elif words[k] == ",":
            pieces.append(piece)
            piece, k = [], k + 1
        else:
            piece.append(words[k])
            k += 1
    return pieces + [piece], k


def solid(words):
    return [w for w in words if not w.isspace()]


def declarator(piece):
    """name, subscripts, modifiers, binding, comment of one declared variable."""
    piece = solid(piece)
    name, k, parts = piece[0], 1, {"[": [], "(": []}
    for bracket in "[(":
        if k < len(piece) and piece[k] == bracket:
            close = matching(piece, k)
            parts[bracket] = piece[k:close + 1]
            k = close + 1
    rest = piece[k:]
    comment = [rest.pop()] if rest and rest[-1].startswith('"') else []
    return name, parts["["], parts["("], rest[1:] if rest and rest[0] == "=" else None, comment


class NotScalable(Exception):
    pass


def declarations(words):
    """(first word, end, prefix, pieces) of every list of Real variables outside functions; parameters only where one is free."""
    found, k, inside = [], 0, False
    while k < len(words):
        if words[k] == "function":
            name = solid(words[k + 1:k + 4])[0]
            while not (words[k] == "end" and solid(words[k + 1:k + 4])[0] == name):
                k += 1
        if words[k] == "Real":
            before = solid(words[max(0, k - 6):k])
            prefix = next((p for p in ("parameter", "constant", "input") if before and before[-1] == p), "")
            pieces, end = split_list(words, k + 1, (";",))
            found.append((k, end, prefix, pieces))
            k = end
        k += 1
    return found


def rescaled(text, scale_of):
    """The text with every variable multiplied by scale_of(name)."""
    words = [w for w in words_of(text) if not w.startswith("//")]
    lists = declarations(words)
    if re.search(r"^  (?!Real |Integer )[A-Z]\w* \w+[(;]", text, re.M):
        raise NotScalable("components")
    scales = {}
    for _, _, prefix, pieces in lists:
        for piece in pieces:
            name, _, modifiers, _, _ = declarator(piece)
            if prefix == "constant" or (prefix == "parameter" and "free" not in modifiers):
                continue
            scales[name] = scale_of(name)

    def divided(part):
        """An expression (or anything else outside declarations) in the new variables."""
        out, k = [], 0
        while k < len(part):
            word = part[k]
            following = k + 1
            if word in scales:
                whole = [word]
                while following < len(part) and part[following] in ("[", "("):  # x[i], x(finalTime), x[i](t)
                    close = matching(part, following)
                    inner = part[following + 1:close]
                    whole += [part[following], *divided(inner), part[close]]
                    following = close + 1
                out += ["(", *whole, "/", f"{scales[word]!r}", ")"]
            elif word == "der" and part[k + 1] == "(":
                close = matching(part, k + 1)
                name = solid(part[k + 2:close])[0]
                if name in scales:
                    inner = [w for w in part[k + 2:close]]
                    out += ["(", "der", "(", inner[0], *divided(inner[1:]), ")", "/", f"{scales[name]!r}", ")"]
                else:
                    out += part[k:close + 1]
                following = close + 1
            elif word in ("maximize", "minimize"):  # the name of the cost may be that of a variable
                end = part.index("=", k)
                out += part[k:end + 1]
                following = end + 1
            elif word.startswith('"') or "." in word and not word[0].isdigit():
                out.append(word)
            else:
                out.append(word)
            k = following
        return out

    def declared(piece):
        name, subscripts, modifiers, binding, comment = declarator(piece)
        factor = f"{scales[name]!r}" if name in scales else None
        inner = []
        if modifiers:
            for m in split_list(modifiers[1:-1] + [";"], 0, (";",))[0]:
                each = m[:1] == ["each"]
                key, value = (m[1] if each else m[0]), divided(m[(3 if each else 2):])
                if factor and key in ATTRIBUTES:
                    value = [factor, "*", "(", *value, ")"]
                inner.append(" ".join((["each"] if each else []) + [key, "=", *value]))
        out = [" ", name, *subscripts]
        if inner:
            out += ["(", ", ".join(inner), ")"]
        if binding is not None:
            value = divided(binding)
            out += [" = ", *([factor, "*", "(", *value, ")"] if factor else value)]
        return "".join(out) + (" " + comment[0] if comment else "")

    out, at = [], 0
    for first, end, _, pieces in lists:
        out += divided(words[at:first])
        out += ["Real", ",".join(declared(p) for p in pieces)]
        at = end
    out += divided(words[at:])
    return "".join(out)


def scale_chooser(wanted, file):
    if wanted.startswith("random"):
        generator = random.Random(f"{wanted.partition(':')[2] or '1'} {file}")
        return lambda name: 10.0 ** generator.randint(-6, 6)
    return lambda name: float(wanted)
