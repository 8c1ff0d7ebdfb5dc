#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts a solve as soon as it shows progress: interrupted.py BOLZA.

The problem has so many intervals that dozens of iterations are left when the first is shown, and the program looks for a
signal at each: nothing here depends on how fast the machine is. Standard error is a terminal, for the progress line.
"""
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "van_der_pol.mop"


def read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


def interrupted(bolza, which, folder):
    master, slave = pty.openpty()
    with subprocess.Popen([bolza, "solve", EXAMPLE, "--mesh", "5000", "-o", folder / "r.mat", "--csv", folder / "r.csv"],
                          stdout=subprocess.PIPE, stderr=slave, text=True) as solve:
        os.close(slave)
        said = b""
        while b"iteration" not in said:
            part = read(master)
            if not part:
                sys.exit(f"no progress was shown: {said}")
            said += part
        solve.send_signal(which)
        while read(master):
            pass
        out = solve.communicate()[0]
    os.close(master)
    return solve.returncode, out


def main():
    for which, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            ended, out = interrupted(sys.argv[1], which, folder)
            if ended != code:
                sys.exit(f"{which.name}: exit code {ended}, not {code}\n{out}")
            if "interrupted: what follows is the last iterate" not in out:
                sys.exit(f"{which.name}: it does not say that it was interrupted\n{out}")
            listed = subprocess.run([sys.argv[1], "plot", folder / "r.mat", "--json"], capture_output=True, text=True, check=True)
            status = json.loads(listed.stdout)["status"]
            names = sorted(file.name for file in folder.iterdir())
            rows = (folder / "r.csv").read_text(encoding="utf8").splitlines()
            if status != "interrupted" or names != ["r.csv", "r.mat"] or len(rows) < 5000:
                sys.exit(f"{which.name}: the last iterate is not in the result, or there are other files: {status}, {names}, {len(rows)} rows")


main()
