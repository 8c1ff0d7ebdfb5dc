#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Broken Modelica texts, made from good ones: the same seed gives the same texts.

    scripts/mutate.py OUT N [SEED] [FOLDER …]     writes N files into OUT, from the .mo and .mop files of the folders

Used as a module: for name, text in mutants(folders, n, seed): …
"""
import pathlib
import random
import re
import sys

LARGEST = 20_000  # bytes; longer files are left out, unless all are longer
TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[A-Za-z_]\w*|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|[:<>=.]=|<>|\.[-+*/^]|\s+|.', re.S)
WORDS = [w.encode() for w in (
    "model end if then else elseif for in loop while when elsewhen equation algorithm initial parameter constant input output flow stream "
    "inner outer final each replaceable redeclare extends import within package function record connector type operator optimization "
    "constraint minimize maximize objective external annotation connect der pre time not and or true false enumeration partial protected "
    "public break return constrainedby ( ) [ ] { } ; , : . = := == <> <= >= < > + - * / ^ .+ .* 'q' \"s\" 1 0 1e999 9999999999999999999999 0.5"
).split()] + [b'"', b"'", b"/*", b"*/", b"//", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc3\xa9", b"\\", b"#", b"\r"]


def sources(folders):
    found = [p for folder in folders for p in sorted(pathlib.Path(folder).rglob("*.mo*")) if p.suffix in (".mo", ".mop")]
    if not found:
        sys.exit("mutate: no .mo or .mop files in " + ", ".join(map(str, folders)))
    return [p for p in found if p.stat().st_size <= LARGEST] or found


def flip_bytes(text, other, rng):
    out = bytearray(text)
    for _ in range(rng.randint(1, 8)):
        if out:
            out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def cut(text, other, rng):
    a, b = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    return text[:a] if rng.random() < 0.4 else text[:a] + text[b:]


def splice(text, other, rng):
    a, b = sorted((rng.randint(0, len(other)), rng.randint(0, len(other))))
    at = rng.randint(0, len(text))
    return text[:at] + other[a:b] + text[at:]


def edit_tokens(text, other, rng):
    tokens = TOKENS.findall(text)
    for _ in range(rng.randint(1, 5)):
        if not tokens:
            break
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        kind = rng.randrange(5)
        if kind == 0:
            del tokens[i]
        elif kind == 1:
            tokens.insert(i, tokens[j])
        elif kind == 2:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif kind == 3:
            tokens.insert(i, b" " + rng.choice(WORDS) + b" ")
        else:
            tokens[i] = rng.choice(WORDS)
    return b"".join(tokens)


NAMES = re.compile(rb"[A-Za-z_]\w*$")
NUMBERS = [b"0", b"1", b"2", b"-1", b"1e-300", b"1e300", b"0.0", b"3.5", b"1000000", b"2147483648", b"1:3", b"{1, 2}", b"true", b'"s"', b"time", b"x"]


def edit_meaning(text, other, rng):
    """Keeps the syntax mostly whole: other names, other numbers, lines that vanish, appear twice or change places."""
    tokens = TOKENS.findall(text)
    names = sorted({t for t in tokens if NAMES.match(t) and t not in WORDS}) or [b"x"]
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(tokens)) if tokens else 0
        for k in range(i, min(i + 40, len(tokens))):
            if tokens[k][:1].isdigit():
                tokens[k] = rng.choice(NUMBERS)
                break
            if tokens[k] in names:
                tokens[k] = rng.choice(names)
                break
    lines = b"".join(tokens).split(b"\n")
    if rng.random() < 0.5 and len(lines) > 3:
        i, j = rng.randrange(1, len(lines) - 1), rng.randrange(1, len(lines) - 1)
        kind = rng.randrange(3)
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(i, lines[j])
        else:
            lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def repeat(text, other, rng):
    tokens = TOKENS.findall(text)
    if not tokens:
        return text
    i = rng.randrange(len(tokens))
    part = b" ".join(tokens[i:i + rng.randint(1, 4)]) if rng.random() < 0.7 else rng.choice([b"(", b"[", b"{", b"if a then ", b"-", b"not ", b"model A ", b"a.", b"x[", b"+a"])
    return b"".join(tokens[:i]) + (part + b" ") * rng.randint(2, 3000) + b"".join(tokens[i:])


def noise(text, other, rng):
    return b" ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 200)))


MUTATIONS = [edit_meaning] * 6 + [edit_tokens] * 4 + [flip_bytes, cut, splice, repeat, noise]


def mutants(folders, n, seed=1):
    """Yields n pairs (name, bytes); the name says which mutation and which source."""
    rng = random.Random(seed)
    paths = sources(folders)
    for i in range(n):
        path = rng.choice(paths)
        mutation = rng.choice(MUTATIONS)
        text = mutation(path.read_bytes(), rng.choice(paths).read_bytes(), rng)
        if rng.random() < 0.1:
            text = text.replace(b"\n", b"\r\n")
        yield f"{i:05d}_{mutation.__name__}_{path.stem}{path.suffix}", text


def main():
    out, n = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folders = sys.argv[4:] or [pathlib.Path(__file__).parent.parent / "examples"]
    out.mkdir(parents=True, exist_ok=True)
    for name, text in mutants(folders, n, seed):
        (out / name).write_bytes(text)


if __name__ == "__main__":
    main()
