#!/usr/bin/env python3
"""Broken Modelica texts, made from good ones: the same seed gives the same texts.

    scripts/mutate.py OUT N [SEED] [FOLDER …]     writes N files into OUT, from the .mo and .mop files of the folders

Used as a module: for name, text in mutants(folders, n, seed): …
"""
import pathlib
import random
import re
import sys

LARGEST = 20_000  # bytes of a source file; longer ones are cut at a random place
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
    return found


def load(path, rng):
    text = path.read_bytes()
    if len(text) > LARGEST:
        start = rng.randrange(len(text) - LARGEST)
        text = text[start:start + LARGEST]
    return text


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


def repeat(text, other, rng):
    tokens = TOKENS.findall(text)
    if not tokens:
        return text
    i = rng.randrange(len(tokens))
    part = b" ".join(tokens[i:i + rng.randint(1, 4)]) if rng.random() < 0.7 else rng.choice([b"(", b"[", b"{", b"if a then ", b"-", b"not ", b"model A ", b"a.", b"x[", b"+a"])
    return b"".join(tokens[:i]) + (part + b" ") * rng.randint(2, 3000) + b"".join(tokens[i:])


def noise(text, other, rng):
    return b" ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 200)))


MUTATIONS = [edit_tokens] * 5 + [flip_bytes, cut, splice, repeat, noise]


def mutants(folders, n, seed=1):
    """Yields n pairs (name, bytes); the name says which mutation and which source."""
    rng = random.Random(seed)
    paths = sources(folders)
    for i in range(n):
        path = rng.choice(paths)
        mutation = rng.choice(MUTATIONS)
        text = mutation(load(path, rng), load(rng.choice(paths), rng), rng)
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
