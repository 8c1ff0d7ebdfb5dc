#!/usr/bin/env python3
"""Runs the command-line tests: run.py BOLZA [FILE ...].

A test file has blocks:
    $ bolza check broken.mo          the command; {tmp} is an empty folder, {bolza} the program, the working folder holds this file
    = 2                              its exit code
    > text                           stdout contains the text
    ! text                           stderr contains the text
    ~ text                           neither contains the text
Lines that begin with # are comments.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def blocks(text):
    block = None
    for line in text.splitlines():
        if line.startswith("$ "):
            if block:
                yield block
            block = {"command": line[2:], "code": 0, "checks": []}
        elif line.startswith("= "):
            block["code"] = int(line[2:])
        elif line[:2] in ("> ", "! ", "~ "):
            block["checks"].append((line[0], line[2:]))
    if block:
        yield block


def run(block, bolza, folder):
    command = block["command"].replace("{tmp}", folder).replace("{bolza}", bolza)
    if command.startswith("bolza"):
        command = bolza + command[5:]
    command = command.replace("| bolza", "| " + bolza).replace("&& bolza", "&& " + bolza)
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=HERE, timeout=900)
    wrong = []
    if done.returncode != block["code"]:
        wrong.append(f"exit code {done.returncode}, not {block['code']}")
    for kind, text in block["checks"]:
        text = text.replace("{tmp}", folder)
        if kind == ">" and text not in done.stdout:
            wrong.append(f"stdout lacks: {text}")
        if kind == "!" and text not in done.stderr:
            wrong.append(f"stderr lacks: {text}")
        if kind == "~" and (text in done.stdout or text in done.stderr):
            wrong.append(f"should not be said: {text}")
    return wrong, done


def main():
    bolza = os.path.abspath(sys.argv[1])
    files = [pathlib.Path(f) for f in sys.argv[2:]] or sorted(HERE.glob("*.test"))
    passed = failed = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks(file.read_text()):
                wrong, done = run(block, bolza, folder)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAIL {file.name}: {block['command']}\n  " + "\n  ".join(wrong))
                    print("  stdout: " + done.stdout[:600] + "\n  stderr: " + done.stderr[:600])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
