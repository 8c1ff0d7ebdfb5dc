#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the build as scripts/package does and uses what is in the package: package.py CPACK BUILD VERSION.

The package is unpacked, not installed: the files are looked at, each library that they are linked with has to come with a
package of Depends, and the program has to solve a problem from there. Exit code 77: the tools that pack are not installed.
"""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

FILES = ["usr/bin/bolza", "usr/lib/bolza/libbolza_solver.so", "usr/lib/bolza/libbolza_ipopt.so", "usr/lib/bolza/libbolza_jit.so",
         "usr/include/bolza.h", "usr/share/bolza/stdlib/Modelica", "usr/share/bolza/examples/van_der_pol.mop",
         "usr/share/bash-completion/completions/bolza", "usr/share/zsh/vendor-completions/_bolza",
         "usr/share/fish/vendor_completions.d/bolza.fish", "usr/share/man/man1/bolza-solve.1.gz",
         "usr/share/doc/bolza/copyright", "usr/share/doc/bolza/CHANGELOG.md.gz"]


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def packed(cpack, build, folder):
    """(package, debug symbols)"""
    run(cpack, "--config", f"{build}/CPackConfig.cmake", "-B", str(folder))
    return next(folder.glob("*.deb")), next(folder.glob("*.ddeb"))


def linked(tree):
    """{library: files linked with it}, of all programs and libraries in the tree."""
    found = {}
    for file in [tree / "usr/bin/bolza", *(tree / "usr/lib/bolza").glob("*.so")]:
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file)):
            found.setdefault(name, []).append(file.name)
    return found


def places_of(library, listed):
    """What dpkg may know the file of that name by, on this machine: its own or another name, as it was packed."""
    where = re.search(rf"^\s*{re.escape(library)} .*=> (.*)$", listed, re.M)
    for path in {where.group(1), os.path.realpath(where.group(1))} if where else ():
        yield from (path, re.sub("^/usr", "", path), f"/usr{path}")


def packages_of(libraries):
    """{library: packages that its file belongs to, and itself, which may be a virtual package as libblas.so.3}; dpkg is asked once, for it reads all its lists."""
    listed = run("/sbin/ldconfig", "-p")
    places = {library: set(places_of(library, listed)) for library in libraries}
    asked = sorted(set().union(*places.values()))
    done = subprocess.run(["dpkg", "-S", *asked], capture_output=True, text=True, check=False)
    owners = {}
    for line in done.stdout.splitlines():
        packages, place = line.rsplit(": ", 1)
        owners.setdefault(place, set()).update(name.split(":")[0] for name in packages.split(", "))
    return {library: {library}.union(*(owners.get(place, ()) for place in places[library])) for library in libraries}


def wrong_fields(package, version, tree):
    field = lambda name: run("dpkg-deb", "-f", package, name).strip()
    expected = {"Package": "bolza", "Version": version, "Architecture": run("dpkg", "--print-architecture").strip()}
    yield from (f"{name} is {field(name)}, not {value}" for name, value in expected.items() if field(name) != value)
    depends = set(re.findall(r"(?:^|, |\| )([a-z0-9][a-z0-9.+-]*)", field("Depends")))
    files_of = linked(tree)
    packages = packages_of(files_of)
    for library, files in sorted(files_of.items()):
        if not depends & packages[library]:
            yield f"no package of Depends has {library}, which {', '.join(files)} needs: {field('Depends')}"
    if "libopenblas0-serial" not in depends:
        yield "Depends lacks libopenblas0-serial"
    if "bubblewrap" not in field("Recommends"):
        yield "Recommends lacks bubblewrap"


def wrong_files(package, build, tree):
    yield from (f"{name} is not in the package" for name in FILES if not (tree / name).exists())
    for line in run("dpkg-deb", "-c", package).splitlines():
        if line.split()[1] != "root/root":
            yield f"not root's: {line}"
    source = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf8"), re.M).group(1).encode()
    for file in sorted(path for path in tree.rglob("*") if path.is_file()):
        name, content = file.relative_to(tree), file.read_bytes()
        if file.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield f"others may write {name}"
        if source in content:
            yield f"{name} names the folder that it was built in"
        if content.startswith(b"\x7fELF") and ".symtab" in run("readelf", "-SW", file):
            yield f"{name} is not stripped"


def wrong_symbols(symbols, tree, unpacked):
    """Each program and library has its symbols under its build id, where debuggers look."""
    run("dpkg-deb", "-x", symbols, unpacked)
    for file in [tree / "usr/bin/bolza", *(tree / "usr/lib/bolza").glob("*.so")]:
        key = re.search(r"Build ID: (\w+)", run("readelf", "-n", file)).group(1)
        if not (unpacked / f"usr/lib/debug/.build-id/{key[:2]}/{key[2:]}.debug").is_file():
            yield f"there are no symbols of {file.name}"


def wrong_program(tree, version, work):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("BOLZA_") and k != "MODELICAPATH"}
    clean["BOLZA_CACHE"] = str(work / "cache")
    bolza, example = tree / "usr/bin/bolza", tree / "usr/share/bolza/examples/van_der_pol.mop"
    ask = lambda *words: json.loads(run(bolza, *words, "--json", cwd=work, env=clean))
    if (said := ask("version")["version"]) != version:
        yield f"the program says that it is {said}"
    report = ask("solve", str(example), "--output", "r.mat")
    if report["status"] != "solved" or not (work / "r.mat").exists():
        yield f"the example ends as {report['status']}"


def main():
    cpack, build, version = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    if lacking := [tool for tool in ("dpkg-shlibdeps", "dpkg-deb", "file", "readelf") if not shutil.which(tool)]:
        print(f"not installed: {', '.join(lacking)}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as made:
        tree, debug, work = (pathlib.Path(made) / name for name in ("tree", "debug", "work"))
        work.mkdir()
        package, symbols = packed(cpack, build, pathlib.Path(made) / "packed")
        run("dpkg-deb", "-x", package, tree)
        wrong = [*wrong_fields(package, version, tree), *wrong_files(package, build, tree), *wrong_symbols(symbols, tree, debug),
                 *wrong_program(tree, version, work)]
    sys.exit("\n".join(wrong) or 0)


main()
