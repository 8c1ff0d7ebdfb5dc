#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills and full disks: faults.py BOLZA [--kills N] [--seed S].

Killed: solve, simulate, refine, a chain and compile are ended by SIGKILL at N random moments, with cold and warm caches. Every
output is then what it was before, or the whole new one; the next run works and gives what a run without kills gives; no part
of a file has a name.
Full: at each write in turn the disk is full (faulty_writes.c, preloaded). The command says so or does not need the file;
outputs are as they were or whole. Short: every write writes half. Nothing is noticed.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
OLD = "what was there before\n"
PROBLEM = "optimization M(objectiveIntegrand = x^2 + v^2 + u^2, finalTime = 3) Real x(start = 1, fixed = true), v(start = 0, fixed = true); input Real u(min = -1, max = 1); equation der(x) = v; der(v) = (1 - x^2)*v - x + u; end M;\n"
OUTPUTS = ["-o", "r.mat", "--csv", "r.csv", "--report", "r.html"]
COMMANDS = {
    "solve": (["solve", "m.mop", *OUTPUTS], ["r.mat", "r.csv", "r.html"]),
    "simulate": (["simulate", "m.mop", "-o", "r.mat", "--csv", "r.csv"], ["r.mat", "r.csv"]),
    "refine": (["solve", "m.mop", "--mesh", "5", "--refine", "1e-6", *OUTPUTS], ["r.mat", "r.csv", "r.html"]),
    "chain": (["solve", "m.mop", "--chain", "euler(mesh=20) -> radau(mesh=40)", *OUTPUTS], ["r.mat", "r.csv", "r.html"]),
    "compile": (["compile", "m.mop", "-o", "k"], ["k.o"]),
}


class Place:
    """A folder with the model, old outputs and a cache."""
    def __init__(self, bolza, folder):
        self.bolza, self.folder = bolza, pathlib.Path(folder)
        (self.folder / "m.mop").write_text(PROBLEM, encoding="utf8")
        self.env = {**os.environ, "BOLZA_CACHE": str(self.folder / "cache"), "MODELICAPATH": ""}

    def lay_out(self, outputs):
        for name in outputs:
            (self.folder / name).write_text(OLD, encoding="utf8")

    def start(self, words, **env):
        return subprocess.Popen([self.bolza, *words], cwd=self.folder, env={**self.env, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, words, **env):
        with self.start(words, **env) as process:
            said = process.communicate()[0].decode("utf8", "replace")
        return process.returncode, said

    def is_old(self, name):
        return (self.folder / name).read_bytes() == OLD.encode()

    def damaged(self, outputs, good):
        """Those that are neither what they were nor whole; `good` has the tables that a run without faults gives."""
        return [name for name in outputs if not self.is_old(name) and not self.is_whole(name, good)]

    def is_whole(self, name, good):
        content = (self.folder / name).read_bytes()
        if name.endswith(".csv"):
            return content == good
        if name.endswith(".html"):
            return content.rstrip().endswith(b"</html>")
        if name.endswith(".o"):
            return content.startswith(b"\x7fELF") and subprocess.run(["nm", self.folder / name], capture_output=True).returncode == 0
        return self.run(["plot", name, "x"])[0] == 0

    def clear_cache(self):
        subprocess.run(["rm", "-rf", str(self.folder / "cache")], check=True)


def reference(bolza, words):
    """The table that a command gives."""
    with tempfile.TemporaryDirectory() as tmp:
        place = Place(bolza, tmp)
        code, said = place.run(words)
        if code != 0:
            sys.exit(f"{words}: exit code {code}\n{said}")
        table = place.folder / "r.csv"
        return table.read_bytes() if table.exists() else b""


def killed(bolza, n, longest, rng):
    """Also counts the kills that found the command at work."""
    for name, (words, outputs) in COMMANDS.items():
        good = reference(bolza, words)
        at_work = 0
        with tempfile.TemporaryDirectory() as tmp:
            place = Place(bolza, tmp)
            for k in range(n):
                if rng.random() < 0.5:
                    place.clear_cache()
                place.lay_out(outputs)
                process = place.start(words)
                time.sleep(longest * rng.random())
                at_work += process.poll() is None
                process.kill()
                process.communicate()
                if bad := place.damaged(outputs, good):
                    yield f"{name}, kill {k}: neither old nor whole: {', '.join(bad)}"
            print(f"{name}: {at_work} of {n} kills met it at work", flush=True)
            code, said = place.run(words)
            if code != 0 or place.damaged(outputs, good) or any(place.is_old(output) for output in outputs):
                yield f"{name}: the run after the kills ended with {code}: {said[-300:]}"
            if left := [path.name for path in place.folder.glob(".bolza-*")]:
                yield f"{name}: the kills leave {', '.join(left)}"


def full(bolza, library):
    for name, (words, outputs) in COMMANDS.items():
        good = reference(bolza, words)
        for at in range(0, 60):
            with tempfile.TemporaryDirectory() as tmp:
                place = Place(bolza, tmp)
                place.lay_out(outputs)
                code, said = place.run(words, LD_PRELOAD=library, BOLZA_FAULT=f"full:{at}")
                fresh = [output for output in outputs if not place.is_old(output)]
                if bad := place.damaged(outputs, good):
                    yield f"{name}, full after {at} writes: neither old nor whole: {', '.join(bad)}"
                if code == 0 and len(fresh) < len(outputs):
                    yield f"{name}, full after {at} writes: exit code 0 without outputs"
                if code not in (0, 1, 2, 4) or (code and "[E" not in said):
                    yield f"{name}, full after {at} writes: exit code {code}: {said[-300:]}"
                if list(place.folder.glob(".bolza-*")):
                    yield f"{name}, full after {at} writes: a part is left"
            if code == 0:
                break


def short(bolza, library):
    for name, (words, outputs) in COMMANDS.items():
        good = reference(bolza, words)
        with tempfile.TemporaryDirectory() as tmp:
            place = Place(bolza, tmp)
            place.lay_out(outputs)
            for cache in ("cold", "warm"):
                code, said = place.run(words, LD_PRELOAD=library, BOLZA_FAULT="short")
                if code != 0 or place.damaged(outputs, good) or any(place.is_old(output) for output in outputs):
                    yield f"{name}, short writes, {cache} cache: exit code {code}: {said[-300:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bolza")
    parser.add_argument("--kills", type=int, default=6, help="of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=0.15, help="seconds until a kill: about what the slowest of the commands takes")
    options = parser.parse_args()
    bolza = str(pathlib.Path(options.bolza).resolve())
    with tempfile.TemporaryDirectory() as tmp:
        library = str(pathlib.Path(tmp) / "faulty_writes.so")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", str(HERE / "faulty_writes.c"), "-o", library, "-ldl"], check=True)
        wrong = [*killed(bolza, options.kills, options.longest, random.Random(options.seed)), *full(bolza, library), *short(bolza, library)]
    print("\n".join(wrong) or f"{len(COMMANDS)} commands, {options.kills} kills of each, a full disk at each write, short writes: all as it should be")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
