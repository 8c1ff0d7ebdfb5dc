# SPDX-License-Identifier: Apache-2.0
"""The text of a model as words, the same model in other sizes (`scripts/problems --scale`), and a model taken apart (`parsed`).

A text is a list of words. Scaling: what a declaration declares is scaled where it is declared (attributes, binding), and divided by its scale
wherever else its name stands.
"""
import dataclasses
import random
import re

WORD = re.compile(r"//[^\n]*|\"[^\"]*\"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d[\w.]*(?:(?<=[eE])[-+]\d+)?|\s+|.")
ATTRIBUTES = ("start", "min", "max", "nominal", "initialGuess")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")
PREFIXES = ("parameter", "constant", "input", "output", "discrete")
PAIRS = {("<", "="): "<=", (">", "="): ">=", ("<", ">"): "<>", ("=", "="): "==", (".", "*"): ".*", (".", "/"): "./", (".", "^"): ".^"}


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


# A model taken apart: head, declarations and statements, which Problem.text() writes again

class NotRestatable(Exception):
    pass


def tokens(text):
    """The words of a text without blanks and comments, operators of two characters in one."""
    words, k, out = [w for w in words_of(text) if not w.startswith("//")], 0, []
    while k < len(words):
        pair = PAIRS.get(tuple(words[k:k + 2]))
        out.append(pair or words[k])
        k += 2 if pair else 1
    return solid(out)


def joined(words):
    text = " ".join(words)
    for pattern, short in ((r" ([,;)\]}])", r"\1"), (r"([(\[{]) ", r"\1"), (r"([\w\]]) ([(\[])", r"\1\2"), (r"\b(if|then|else|in|and|or|not|loop)([(\[])", r"\1 \2")):
        text = re.sub(pattern, short, text)
    return text


@dataclasses.dataclass
class Variable:
    prefix: str
    type: str
    name: str
    subscripts: list
    attributes: list  # of [each, key, words]
    binding: list
    comment: list

    def get(self, key):
        return next((value for _, k, value in self.attributes if k == key), None)

    def without(self, *keys):
        self.attributes = [a for a in self.attributes if a[1] not in keys]

    def put(self, key, words, each=False):
        self.without(key)
        self.attributes.append([each, key, list(words)])

    def varies(self):
        return self.type == "Real" and self.prefix in ("", "input", "output")

    def text(self):
        inner = ", ".join(("each " if each else "") + f"{key} = {joined(value)}" for each, key, value in self.attributes)
        return " ".join(filter(None, (self.prefix, self.type, self.name + joined(self.subscripts) + (f"({inner})" if inner else ""),
                                      f"= {joined(self.binding)}" if self.binding else "", *self.comment))) + ";"


@dataclasses.dataclass
class Problem:
    before: list
    name: str
    head: dict  # name of an attribute: [[[each, key, words], …], value or None]
    costs: list  # [minimize or maximize, name or nothing, words]
    variables: list
    others: list  # nested classes and components, as they are
    initial: list
    equations: list
    constraints: list
    after: list

    def variable(self, name):
        return next((v for v in self.variables if v.name == name), None)

    def names(self):
        """What varies with time."""
        return {v.name for v in self.variables if v.varies()}

    def states(self):
        return {args[0] for statement in self.equations for name, args in calls(statement) if name == "der" and args}

    def scalars(self):
        return [v for v in self.variables if v.varies() and not v.subscripts]

    def statements(self):
        return self.initial + self.equations + self.constraints

    def expressions(self):
        """Everything but declarations, for looking."""
        return [*self.statements(), *(c[2] for c in self.costs), *(h[1] for h in self.head.values() if h[1]), *(v.binding for v in self.variables if v.binding)]

    def map(self, change):
        """Every expression outside the modifiers of declarations becomes change(words)."""
        for words in (self.initial, self.equations, self.constraints):
            words[:] = [change(w) for w in words]
        for cost in self.costs:
            cost[2] = change(cost[2])
        for key in ("objective", "objectiveIntegrand"):
            if key in self.head:
                self.head[key][1] = change(self.head[key][1])
        for v in self.variables:
            if v.binding:
                v.binding = change(v.binding)

    def head_text(self):
        parts = []
        for key, (modifiers, value) in self.head.items():
            inner = ", ".join(f"{k} = {joined(w)}" for _, k, w in modifiers)
            parts.append(key + (f"({inner})" if inner else "") + (f" = {joined(value)}" if value else ""))
        return f"({', '.join(parts)})" if parts else ""

    def text(self):
        lines = [joined(self.before), f"optimization {self.name}{self.head_text()}"]
        lines += [f"  {word} {name + ' = ' if name else ''}{joined(words)};" for word, name, words in self.costs]
        lines += ["  " + joined(words) for words in self.others] + ["  " + v.text() for v in self.variables]
        for title, statements in (("initial equation", self.initial), ("equation", self.equations), ("constraint", self.constraints)):
            lines += [title, *("  " + joined(s) + ";" for s in statements)] if statements else []
        return "\n".join(lines + ["  " + joined(words) for words in self.after] + [f"end {self.name};", ""])


# Taking a model apart

def modifiers_of(words):
    """[each, key, value] of the words between brackets."""
    found = []
    for m in split_list(list(words) + [";"], 0, (";",))[0]:
        each = m[:1] == ["each"]
        m = m[1:] if each else m
        if len(m) < 3 or m[1] != "=":
            raise NotRestatable("modifiers of modifiers")
        found.append([each, m[0], m[2:]])
    return found


def variables_of(words):
    """The variables of one declaration, None where it is something else."""
    k = 0
    while words[k] in PREFIXES:
        k += 1
    if words[k] not in ("Real", "Integer") or not NAME.match(words[k + 1]):
        return None
    found = []
    for piece in split_list(words + [";"], k + 1, (";",))[0]:
        name, subscripts, modifiers, binding, comment = declarator(piece)
        found.append(Variable(" ".join(words[:k]), words[k], name, subscripts, modifiers_of(modifiers[1:-1]) if modifiers else [], list(binding or []), comment))
    return found


def statement_at(words, k):
    """The words of the statement or declaration at k, without its semicolon, and the place behind it."""
    if words[k] in ("for", "if") or words[k] in ("function", "model", "record", "partial", "block", "type", "package", "optimization"):
        closed = words[k] if words[k] in ("for", "if") else words[k + (2 if words[k] == "partial" else 1)]
        end = k
        while not (words[end] == "end" and words[end + 1] == closed):
            end += 1
        return words[k:end + 2], end + 3
    end = k
    while words[end] != ";":
        end = matching(words, end) + 1 if words[end] in ("(", "[", "{") else end + 1
    return words[k:end], end + 1


def head_of(words, k):
    """The attributes in brackets behind the name, and the place behind them."""
    head = {}
    if words[k] == "(":
        close = matching(words, k)
        for piece in split_list(words[k + 1:close] + [";"], 0, (";",))[0]:
            name, _, modifiers, value, _ = declarator(piece)
            head[name] = [modifiers_of(modifiers[1:-1]) if modifiers else [], value]
        k = close + 1
    return head, k + (words[k].startswith('"'))


def parsed(text, name):
    """The Problem that the optimization `name` of a text is."""
    words = tokens(text)
    start = next((k for k in range(len(words)) if words[k] == "optimization" and words[k + 1] == name), None)
    if start is None:
        raise NotRestatable("no optimization of that name")
    head, k = head_of(words, start + 2)
    p = Problem(words[:start], name, head, [], [], [], [], [], [], [])
    section = None
    sections = {"equation": p.equations, "constraint": p.constraints, "initial": p.initial}
    while not (words[k] == "end" and words[k + 1] == name):
        if words[k] in sections:
            section = sections[words[k]]
            k += 2 if words[k] == "initial" else 1
            continue
        piece, k = statement_at(words, k)
        if piece[0] == "annotation":
            p.after.append([*piece, ";"])
        elif section is not None:
            section.append(piece)
        elif piece[0] in ("minimize", "maximize"):
            named = piece[2] == "="
            p.costs.append([piece[0], piece[1] if named else "", piece[3 if named else 1:]])
        elif (variables := variables_of(piece)) is not None:
            p.variables += variables
        else:
            p.others.append([*piece, ";"])
    return p


def calls(words):
    """(name, arguments) of everything that has brackets behind it."""
    for k in range(len(words) - 1):
        if NAME.match(words[k]) and words[k + 1] == "(":
            yield words[k], words[k + 2:matching(words, k + 1)]
