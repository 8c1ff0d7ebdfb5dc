#!/usr/bin/env python3
"""Drives `bolza check` with broken inputs: it may refuse every one of them, but must neither crash, hang, nor refuse in silence.

    scripts/fuzz_check.py BOLZA N [--seed S] [--first K] [--jobs J] [--timeout T] [--keep DIR] [FOLDER …]

BOLZA is the program, N the number of inputs; folders give the good texts to start from (default: examples, stdlib, tests/golden).
Exit code 1 when any input misbehaves; those inputs are kept in DIR (default: fuzz_failures).
"""
import argparse
import concurrent.futures
import itertools
import pathlib
import subprocess
import sys
import tempfile
import time

import mutate

ROOT = pathlib.Path(__file__).resolve().parent.parent


def verdict(bolza, path, timeout):
    """None when the program behaved, else what it did."""
    try:
        done = subprocess.run([bolza, "check", str(path)], capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"no answer within {timeout} s"
    said = done.stdout + done.stderr
    if done.returncode < 0:
        return f"ended by signal {-done.returncode}"
    if done.returncode >= 125:
        return f"exit code {done.returncode}"
    if b"AddressSanitizer" in said or b"runtime error:" in said:
        return "sanitizer report"
    if done.returncode != 0 and not said.strip():
        return f"exit code {done.returncode} without a message"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bolza")
    parser.add_argument("n", type=int)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="K", help="leave out the K inputs before, to go on with a run that was stopped")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("fuzz_failures"))
    options = parser.parse_args()
    folders = options.folders or [f for f in (ROOT / "examples", ROOT / "stdlib", ROOT / "tests" / "golden") if f.is_dir()]
    began, failures = time.time(), 0

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def run(item):
            name, text = item
            path = pathlib.Path(scratch) / name
            path.write_bytes(text)
            fault = verdict(options.bolza, path, options.timeout)
            path.unlink()
            return name, text, fault

        for name, text, fault in pool.map(run, itertools.islice(mutate.mutants(folders, options.n, options.seed), options.first, None)):
            if fault:
                failures += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / name).write_bytes(text)
                print(f"{name}: {fault}")
    print(f"{options.n - options.first} inputs, {failures} misbehaved, {time.time() - began:.0f} s, seed {options.seed}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
