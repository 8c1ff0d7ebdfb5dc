#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Studies that are killed, disturbed, or run by two at once: studies.py BOLZA [--kills N] [--points N] [--seed S].

* A sweep is killed by SIGKILL at N random moments, each time at another count of results, and continued: its table is that of
  an undisturbed run, byte for byte. So is that of two processes on the same points at the same time.
* A point whose process crashes, or is killed again and again, is recorded as that; the others are what they were.
* SIGTERM: points under way end, the exit code is 75, and the next run goes on.
* The disk is full at some write of a record (faulty_writes.c): the command says so, what was recorded before counts.
* Results that are damaged, torn, or cannot be read.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MODEL = "optimization Reach(objectiveIntegrand = u^2, finalTime = 1) parameter Real goal = 0.5; Real x(start = 0, fixed = true); input Real u(min = -1, max = 1); equation der(x) = u; constraint x(finalTime) = goal; end Reach;\n"


class Studies:
    def __init__(self, bolza, folder, points):
        self.bolza, self.folder, self.points = bolza, pathlib.Path(folder), points
        (self.folder / "m.mop").write_text(MODEL, encoding="utf8")
        self.failures = 0

    def command(self, name):
        # every eighth goal is out of reach: points without a solution are results, too
        return [self.bolza, "sweep", "m.mop", "--set", f"goal=range(-0.8,1.1,{self.points})", "--mesh", "6", "-o", name, "-q", "--jobs", "2"]

    def start(self, words, **env):
        return subprocess.Popen(words, cwd=self.folder, env={**os.environ, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def run(self, words, **env):
        with self.start(words, **env) as process:
            said = process.communicate()[0]
        return process.returncode, said

    def table(self, name):
        code, text = self.run([self.bolza, "study", "table", name])
        return text if code == 0 else f"exit code {code}: {text}"

    def status(self, name):
        return json.loads(self.run([self.bolza, "study", "status", name, "--json", "--failed"])[1])

    def done(self, name):
        return sum(f.read_bytes().count(b"\n") for f in (self.folder / name / "results").glob("*.jsonl")) if (self.folder / name / "results").is_dir() else 0

    def expect(self, what, holds, detail=""):
        if not holds:
            self.failures += 1
            print(f"FAILED: {what}\n{detail}")

    def wait_for(self, process, name, count):
        """Until so many points are recorded, or the process has ended."""
        while process.poll() is None and self.done(name) < count:
            time.sleep(0.01)  # else looking takes a processor of two


def children_of(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf8").split()]
    except OSError:
        return []


def killed(studies, whole, kills, rng):
    for _ in range(kills):
        process = studies.start(studies.command("killed"))
        studies.wait_for(process, "killed", min(studies.done("killed") + rng.randrange(1, max(2, studies.points // kills)), studies.points - 1))
        group = rng.random() < 0.5  # with its children at once, or alone
        os.killpg(process.pid, signal.SIGKILL) if group else process.kill()
        process.communicate()
    code, said = studies.run(studies.command("killed"))
    studies.expect("a study that was killed goes on", code == 1, said)  # some points have no solution
    studies.expect("its table is that of an undisturbed run", studies.table("killed") == whole, studies.table("killed"))


def two_at_once(studies, whole):
    first, second = studies.start(studies.command("both")), studies.start(studies.command("both"))
    said = [first.communicate()[0], second.communicate()[0]]
    studies.expect("two processes on the same points", (first.returncode, second.returncode) == (1, 1), said)
    studies.expect("their table is that of one", studies.table("both") == whole)


def crashed(studies, whole):
    process = studies.start(studies.command("crashed"))
    ended = set()
    while process.poll() is None and len(ended) < 3:
        for child in children_of(process.pid):
            if child not in ended and len(ended) < 3:
                try:
                    os.kill(child, signal.SIGILL)
                    ended.add(child)
                except ProcessLookupError:
                    pass
    process.communicate()
    broken = studies.status("crashed")["failed_points"]
    broken = [point for point in broken if point["status"] == "crashed"]
    studies.expect("crashes are recorded", 1 <= len(broken) <= 3 and all("signal 4" in p["message"] for p in broken), broken)
    lost = {str(p["point"]) for p in broken}
    others = [line for line in whole.splitlines() if line.split(",")[0] not in lost]
    studies.expect("the other points are what they were", [l for l in studies.table("crashed").splitlines() if l.split(",")[0] not in lost] == others)
    studies.run([studies.bolza, "study", "run", "crashed", "--again", "-q"])
    studies.expect("done again they are what they should be", studies.table("crashed") == whole)


def terminated(studies, whole):
    process = studies.start(studies.command("ended"))
    studies.wait_for(process, "ended", 3)
    process.send_signal(signal.SIGTERM)
    process.communicate()
    count = studies.done("ended")
    studies.expect("SIGTERM ends with 75", process.returncode == 75 and 3 <= count < studies.points, (process.returncode, count))
    studies.run([studies.bolza, "study", "run", "ended", "-q"])
    studies.expect("and the study goes on", studies.table("ended") == whole)


def damaged(studies, whole):
    shard = next((studies.folder / "killed" / "results").glob("*.jsonl"))
    text = shard.read_bytes()
    shard.write_bytes(text.replace(b'"point"', b'"Point"', 1)[:-10])  # one line changed, the last one torn
    strange = studies.status("killed")["strange_lines"]
    studies.expect("damaged lines are counted", strange == min(2, text.count(b"\n")), strange)
    studies.run(studies.command("killed"))
    studies.expect("their points are done again", studies.table("killed") == whole)
    if os.getuid() != 0:  # root reads everything
        shard.chmod(0)
        studies.expect("what cannot be read is told", "E986" in studies.table("killed"))
    results = studies.folder / "killed" / "results"
    results.rename(studies.folder / "elsewhere")
    results.write_text("no folder", encoding="utf8")
    studies.expect("a folder of results that is none", "E986" in studies.table("killed"))


def full(studies, whole, library):
    """After so many writes to files there is no room, as in faults.py."""
    told = 0
    for number in (0, 1, 3, 6, 10, 20, 40):
        studies.run(["rm", "-rf", "full"])
        code, said = studies.run(studies.command("full"), LD_PRELOAD=library, BOLZA_FAULT=f"full:{number}")
        told += "E987" in said
        studies.expect(f"a full disk at write {number} is no crash", code in (0, 1, 2) and "internal error" not in said, (code, said))
        code, said = studies.run(studies.command("full"))
        studies.expect(f"after a full disk at write {number} the study goes on", studies.table("full") == whole, said)
    studies.expect("a full disk is told", told > 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bolza")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--points", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        studies = Studies(str(pathlib.Path(arguments.bolza).resolve()), folder, arguments.points)
        code, said = studies.run(studies.command("whole"))
        studies.expect("an undisturbed run", code == 1, said)
        whole = studies.table("whole")
        studies.expect("has every point", whole.count("\n") == arguments.points + 1, whole)
        killed(studies, whole, arguments.kills, rng)
        two_at_once(studies, whole)
        crashed(studies, whole)
        terminated(studies, whole)
        damaged(studies, whole)
        library = str(studies.folder / "faulty_writes.so")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", str(HERE / "faulty_writes.c"), "-o", library, "-ldl"], check=True)
        full(studies, whole, library)
        code, said = studies.run(studies.command("short"), LD_PRELOAD=library, BOLZA_FAULT="short")
        studies.expect("writes of half of what is asked for are not noticed", code == 1 and studies.table("short") == whole, said)
        print(f"{studies.failures} failures" if studies.failures else "all as they should be")
    return 1 if studies.failures else 0


if __name__ == "__main__":
    sys.exit(main())
