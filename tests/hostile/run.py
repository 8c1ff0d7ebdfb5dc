#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the catalogue of hostile input: run.py BOLZA [FILE.toml ...] [--only WORDS] [--show] [--jobs N].

A case of a catalogue is a table [[case]]:
    name     what it tries; unique in its file
    command  words after `bolza`; {tmp} is a fresh folder, {m} the case's model file in it
    commands instead: several, each of which makes a case
    model    text of {m}, named `m.mo`, or `m.mop` when an optimization class stands in it
    make     instead: an expression of generators.py that gives that text
    files    further files in {tmp}: name = text, or name = { make = "…" }
    env      variables of the command; MODELICAPATH is empty, and the cache is a folder of its own, unless they say otherwise
    signals  [[seconds, "INT"], …] sent to the command; seconds in which it, or one that it started, waits for a processor do not count
    exit     the exit code, or a list of those that are right; negative: the signal that ended it
    code     a code that stands in a diagnostic; `line` is the line of the first one
    shows    texts that the output, either stream, contains; `hides` those that it does not
    leaves   files of {tmp} with their exact text afterwards; absent = "file" must not exist, present = "file" must
    before   words that the command runs under, such as `env LANG=C`
    server   "reached" or "unreached": {port} of this machine, and the abstract socket `bolza-{port}`, have a server, which is called by then or not
    victim   "lives" or "dies": {victim} is the number of a process outside, which lives or not at the end
    links    links in {tmp}: name = what it leads to
    sandbox  true: it needs bubblewrap, and is left out with a word where that is missing or namespaces are not allowed
    cpu, memory   seconds and MB that the case may take [10, 2048]; stack: MB of stack
    sanitized  false: left out where sanitizers are, which take another amount of stack and of address space; as all with sandbox
    open     what is still wrong: the case is run with --open alone, which tells those that have become right
Always wrong: a signal that was not sent, exit code 3, control characters in the output (C0, C1, those that turn the direction of writing), no message where the exit code is 2, a
process that is left and has {tmp} among its words.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib

import generators

HERE = pathlib.Path(__file__).resolve().parent
SLACK = float(os.environ.get("BOLZA_SLACK", 1))
KNOWN = {"name", "command", "model", "make", "files", "env", "signals", "exit", "code", "line", "shows", "hides", "leaves", "absent", "present", "sandbox", "before", "server", "victim", "links", "cpu", "memory", "stack", "sanitized", "open"}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def text_of(value):
    return generators.make(value["make"]) if isinstance(value, dict) else value


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf8")


def limited(case, command):
    """The command with what it may take; sanitizers reserve more address space than there is."""
    seconds, bytes_ = int(case.get("cpu", 10) * SLACK), int(case.get("memory", 2048) * 2**20)
    space = [f"--as={bytes_}"] if SLACK == 1 else []
    if "stack" in case:
        space.append(f"--stack={case['stack'] * 2**20}:{case['stack'] * 2**20}")
    return ["prlimit", f"--cpu={seconds}:{seconds + 2}", "--core=0", *space, *command]


def descendants(pid):
    yield pid
    try:
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from descendants(int(child))
    except OSError:
        pass  # it has ended


def waited(pid):
    """Seconds that a process, or one below it, was ready to run while others had the processors."""
    def of(process):
        try:
            return 1e-9 * int(pathlib.Path(f"/proc/{process}/schedstat").read_text().split()[1])
        except (OSError, IndexError):
            return 0.0
    return max(map(of, descendants(pid)))


def run_to_end(process, signals, most):
    """Sends the signals and gives what the process said. Seconds are its own: those count not in which a busy machine let it wait."""
    left, seconds, lost, step = sorted(signals), 0.0, 0.0, 0.05
    while True:
        try:
            return process.communicate(timeout=step)[0]
        except subprocess.TimeoutExpired:
            lost, before = max(lost, waited(process.pid)), lost
            seconds += max(0.1 * step, step - (lost - before))
        while left and seconds >= left[0][0] * SLACK:
            process.send_signal(getattr(signal, "SIG" + left.pop(0)[1]))
        if seconds > most * SLACK:
            process.kill()
            return process.communicate()[0]


class Surroundings:
    """A server and a process that a model may not reach."""
    def __init__(self, case):
        self.servers = []
        if "server" in case:
            self.servers = [socket.socket(), socket.socket(socket.AF_UNIX)]
            self.servers[0].bind(("127.0.0.1", 0))
            self.servers[1].bind(f"\0bolza-{self.port()}")
            for server in self.servers:
                server.listen()
                server.setblocking(False)
        self.victim = subprocess.Popen(["sleep", "300"]) if "victim" in case else None

    def port(self):
        return self.servers[0].getsockname()[1] if self.servers else 0

    def fill(self, text):
        return text.replace("{port}", str(self.port())).replace("{victim}", str(self.victim.pid if self.victim else 0))

    def reached(self):
        def called(server):
            try:
                return bool(server.accept())
            except BlockingIOError:
                return False
        return sum([called(server) for server in self.servers])

    def faults(self, case):
        reached, lives = self.reached(), self.victim is not None and self.victim.poll() is None
        if "server" in case and reached != (len(self.servers) if case["server"] == "reached" else 0):
            yield f"{reached} servers of {len(self.servers)} were reached"
        if "victim" in case and lives != (case["victim"] == "lives"):
            yield "the process outside " + ("lives" if lives else "was ended")

    def end(self):
        for server in self.servers:
            server.close()
        if self.victim:
            self.victim.kill()
            self.victim.wait()


def left_behind(tmp):
    """Processes that have the folder among their words, and do not end within half a minute."""
    def found():
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if str(tmp).encode() in (process / "cmdline").read_bytes():
                    yield process.name
            except OSError:
                pass  # it has ended
    for _ in range(300):
        left = list(found())
        if not left:
            break
        time.sleep(0.1)
    return left


def run(bolza, case, tmp, surroundings):
    """(exit code, what it said on both streams)"""
    model = text_of({"make": case["make"]}) if "make" in case else case.get("model", "")
    file = tmp / ("m.mop" if re.search(r"^\s*optimization\b", model, re.M) else "m.mo")
    fill = lambda text: surroundings.fill(text.replace("{tmp}", str(tmp)).replace("{m}", str(file)))
    if model:
        write(file, fill(model))
    for name, content in case.get("files", {}).items():
        write(tmp / name, fill(text_of(content)))
    for name, target in case.get("links", {}).items():
        (tmp / name).symlink_to(fill(target))
    env = {**os.environ, "BOLZA_CACHE": str(tmp / "cache"), "MODELICAPATH": "", "XDG_CONFIG_HOME": str(tmp / "config"), "TMPDIR": str(tmp)}
    if SLACK != 1:  # leaks of libraries are not ours
        env["LSAN_OPTIONS"] = f"suppressions={HERE}/leaks_of_libraries.txt:print_suppressions=0"
    env.update({name: fill(value) for name, value in case.get("env", {}).items()})
    process = subprocess.Popen(limited(case, [*shlex.split(case.get("before", "")), bolza, *map(fill, shlex.split(case["command"]))]), cwd=tmp, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = run_to_end(process, case.get("signals", []), 120)
    return process.returncode, said.decode("utf8", "replace")


def faults(case, code, said, tmp):
    expected = case.get("exit", 2)
    expected = expected if isinstance(expected, list) else [expected]
    if code in (-signal.SIGXCPU, -signal.SIGKILL) and code not in expected:
        yield "it took more time than it may"
    elif code not in expected:
        yield f"exit code {code}, expected {' or '.join(map(str, expected))}"
    if code == 2 and not said.strip():
        yield "refused without a message"
    if CONTROL.search(said):
        yield "control characters in the output: " + repr(CONTROL.search(said).group())
    wanted = case.get("code")
    if wanted and f"[{wanted}]" not in said and f'"code": "{wanted}"' not in said:
        yield f"no diagnostic {wanted}"
    if "line" in case:
        found = re.search(r"^\S*?:(\d+):\d+: (?:error|warning):", said, re.M)
        if not found or int(found.group(1)) != case["line"]:
            yield f"the first place is line {found.group(1) if found else 'none'}, expected {case['line']}"
    yield from (f"does not say `{text}`" for text in case.get("shows", []) if text not in said)
    yield from (f"says `{text}`" for text in case.get("hides", []) if text in said)
    for name, content in case.get("leaves", {}).items():
        if not (tmp / name).is_file() or (tmp / name).read_text(encoding="utf8") != content:
            yield f"`{name}` is not as it was"
    if "absent" in case and (tmp / case["absent"]).exists():
        yield f"`{case['absent']}` is there"
    if "present" in case and not (tmp / case["present"]).exists():
        yield f"`{case['present']}` is not there"


def read(path):
    cases = []
    for case in tomllib.loads(path.read_text(encoding="utf8")).get("case", []):
        commands = case.pop("commands", None)
        cases += [case] if commands is None else [{**case, "command": command, "name": f"{case['name']}: {command}"} for command in commands]
    for case in cases:
        if set(case) - KNOWN or "name" not in case or "command" not in case:
            sys.exit(f"{path.name}: {case.get('name', 'a case')}: not known: {', '.join(sorted(set(case) - KNOWN))}")
    return cases


def has_namespaces():
    try:
        return subprocess.run(["/usr/bin/bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True).returncode == 0
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bolza")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--open", action="store_true", help="the cases that are known to fail, and no others")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="what every case said")
    options = parser.parse_args()
    bolza, left_out, chosen = str(pathlib.Path(options.bolza).resolve()), 0, []
    for path in options.files or sorted(HERE.glob("*.toml")):
        cases = [case for case in read(path) if options.only in case["name"]]
        wanted = [case for case in cases if options.open == ("open" in case)]
        left_out += 0 if options.open else len(cases) - len(wanted)
        chosen += [(path, case) for case in wanted]

    if SLACK != 1:  # the leak check cannot trace a process in a namespace of its own
        chosen = [(path, case) for path, case in chosen if case.get("sanitized", "sandbox" not in case)]
    if any("sandbox" in case for _, case in chosen) and not has_namespaces():
        print(f"{sum('sandbox' in case for _, case in chosen)} cases are left out: bubblewrap is missing, or the system allows it no namespaces")
        chosen = [(path, case) for path, case in chosen if "sandbox" not in case]

    def tried(item):
        surroundings = Surroundings(item[1])
        with tempfile.TemporaryDirectory() as tmp:
            code, said = run(bolza, item[1], pathlib.Path(tmp), surroundings)
            wrong = [*faults(item[1], code, said, pathlib.Path(tmp)), *surroundings.faults(item[1])]
            if left := left_behind(tmp):
                wrong.append("processes are left: " + " ".join(left))
        surroundings.end()
        return *item, said, wrong

    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, case, said, wrong in pool.map(tried, chosen):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong or options.show:
                print(f"{path.name}: {case['name']}: {'; '.join(wrong) or 'right'}")
                print("".join("    " + repr(line)[1:-1][:200] + "\n" for line in said.splitlines()[:12]), end="")
    print(f"{passed} of {passed + failed} cases are right" + (f", {left_out} are known to be wrong" if left_out else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
