#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the build into an empty folder and uses it from another one: installed.py CMAKE BUILD."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def try_server(bolza):
    """The installed server finds its page, its description and the examples, and runs a job."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "server"))
    from harness import QUICK, Server
    with Server(bolza) as server:
        for path in ("/assets/style.css", "/assets/page.js", "/api/v1/openapi.json", "/examples/van_der_pol.mop"):
            if server.admin.get(path).status != 200:
                sys.exit(f"the installed server does not have {path}")
        job = server.admin.wait(server.admin.job(QUICK))
        if job["state"] != "done":
            sys.exit(f"the installed server does not solve: {job}")


def main():
    cmake, build = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as made:
        prefix, work = pathlib.Path(made) / "installed", pathlib.Path(made) / "work"
        work.mkdir()
        run(cmake, "--install", build, "--prefix", str(prefix))
        for pattern in ("bin/bolza", "lib*/**/libbolza_solver.so", "include/bolza.h", "share/bolza/stdlib/Modelica",
                        "share/bolza/examples/van_der_pol.mop", "share/bash-completion/completions/bolza",
                        "share/zsh/site-functions/_bolza", "share/fish/vendor_completions.d/bolza.fish",
                        "share/man/man1/bolza.1", "share/man/man1/bolza-solve.1"):
            if not any(prefix.glob(pattern)):
                sys.exit(f"{pattern} is not installed")
        bolza = str(prefix / "bin/bolza")
        clean = {k: v for k, v in os.environ.items() if k not in ("BOLZA_STDLIB", "MODELICAPATH")}
        clean["BOLZA_CACHE"] = str(work / "cache")  # empty: the installed compiler has to work, too
        example = str(prefix / "share/bolza/examples/van_der_pol.mop")
        report = json.loads(run(bolza, "solve", example, "--json", cwd=work, env=clean))
        if report["status"] != "solved" or not (work / "VanDerPol.mat").exists():
            sys.exit(f"the installed program does not solve the example: {report['status']}")
        if "--guess" not in run(bolza, "completion", "bash", cwd=work, env=clean):
            sys.exit("the completion lacks --guess")
        if any(prefix.glob("lib*/**/libbolza_server.so")):
            try_server(bolza)


main()
