#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a source cannot be compiled by itself: check_standalone.py [--all | --commits N] [--jobs J].

The release build compiles up to ten sources of a room together, with precompiled headers, so a forgotten include or a name from the
file above it goes unseen. Every source of such a batch is parsed here alone (-fsyntax-only), with the options of its batch but for
precompiled headers. Parsing all of them takes three times as long as building, so without --all only those are parsed that the last
commits (4 of them, or --commits N) or the working tree changed, themselves or their headers.
Needs the release build (its compile_commands.json and the parser it generates).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"


def sources_with_options():
    """{path from the root: (options, folder)} of every source that is compiled with others."""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        batch = pathlib.Path(entry["file"])
        if batch.parent.name != "batches":
            continue
        words = shlex.split(entry["command"])
        at = words.index("-o")
        options = [w for w in words[:at] + words[at + 2:] if w not in ("-c", str(batch)) and not w.endswith("ccache")]
        if "-include-pch" in options:
            at = options.index("-include-pch")
            del options[at:at + 2]
        for source in re.findall(r'#include "([^"]+\.cpp)"', batch.read_text()):
            found[source] = (options, entry["directory"])
    return found


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.split("\n")


def changed_by(commits):
    """Files that the last commits or the working tree changed."""
    names = git("log", f"-{commits}", "--name-only", "--format=") + git("diff", "--name-only", "HEAD")
    names += git("ls-files", "--others", "--exclude-standard")
    return {name for name in names if name.endswith((".h", ".cpp"))}


def concerned(sources, changed):
    """The sources that changed, themselves or their headers."""
    return (source for source in sources if source in changed or source[:-len("cpp")] + "h" in changed)


def parse(source, options, folder):
    done = subprocess.run([*options, "-fsyntax-only", str(ROOT / source)], cwd=folder, capture_output=True, text=True)
    return source, done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--commits", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    if not (BUILD / "compile_commands.json").exists():
        sys.exit("build/release is not there: cmake --preset release && cmake --build --preset release makes it")
    sources = sources_with_options()
    if not sources:
        sys.exit("build/release compiles nothing together: there is nothing to compare with")
    chosen = sorted(sources) if given.all else sorted(concerned(sources, changed_by(given.commits)))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for source, code, text in pool.map(lambda s: parse(s, *sources[s]), chosen):
            if code:
                failed += 1
                print(f"{source} does not compile by itself:\n" + "\n".join(text.split("\n")[:12]), file=sys.stderr)
    print(f"{len(chosen)} of {len(sources)} sources parsed alone, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
