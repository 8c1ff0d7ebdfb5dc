#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Studies on a Slurm cluster of one node (scripts/slurm_node): run.py BOLZA. Exit code 77: Slurm cannot be had here.

A sweep as an array of tasks, and what happens to clusters: a task is cancelled in the middle, the node is drained and resumed, what is
missing is submitted again, a task is put back into the queue by its scheduler (SIGTERM) and by its own time limit (SIGUSR1). In the end
the table is that of the same sweep on this machine, byte for byte, and no node has compiled a kernel.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODEL = "optimization Reach(objectiveIntegrand = u^2, finalTime = 1) parameter Real goal = 0.5; Real x(start = 0, fixed = true); input Real u(min = -1, max = 1); equation der(x) = u; constraint x(finalTime) = goal; end Reach;\n"
SKIPPED = 77
PATIENCE = 600  # polls of half a second: a test hangs that has not got there by then


def installed():
    return all(shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") for program in ("slurmctld", "slurmd", "munged", "mungekey", "sbatch"))


def install():
    """The packages of this test alone. False: they cannot be had, or there are no cgroups, without which slurmd does not start."""
    if not any(line.split()[2].startswith("cgroup") for line in pathlib.Path("/proc/mounts").read_text().splitlines()):
        return False
    if installed():
        return True
    if os.getuid() != 0:
        return False
    done = subprocess.run(["bash", "-c", "source scripts/setup.sh; install_packages slurm-wlm munge"], cwd=ROOT, capture_output=True, text=True)
    print(done.stdout, done.stderr)
    return installed()


class Cluster:
    def __init__(self, bolza, folder):
        self.bolza, self.folder = bolza, pathlib.Path(folder)
        self.env = {**os.environ, "SLURM_CONF": str(self.folder / "node" / "slurm.conf"), "SLURM_NODE_PORT": "16817", "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.work / "m.mop").write_text(MODEL, encoding="utf8")

    def call(self, *words, good=True):
        done = subprocess.run(words, cwd=self.work, env=self.env, capture_output=True, text=True, timeout=600)
        if good and done.returncode != 0:
            raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def node(self, action):
        return self.call(str(ROOT / "scripts" / "slurm_node"), action, str(self.folder / "node"), good=action == "start")

    def study(self, *words, good=True):
        return self.call(self.bolza, "study", *words, good=good)

    def status(self, name):
        return json.loads(self.study("status", name, "--json"))

    def wait(self, what, holds):
        for _ in range(PATIENCE):
            if holds():
                return
            time.sleep(0.5)
        raise AssertionError(f"in vain: {what}\n{self.call('squeue', '--array', '--states=all', good=False)}")

    def has_ended(self, job):
        states = set(self.call("squeue", "--noheader", "--array", "--states=all", f"--jobs={job}", "--format=%T").split())
        return states <= {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"}


def sweep(cluster, name, points, *words):
    # every point takes a moment: a fine mesh, solved once
    return [cluster.bolza, "sweep", "m.mop", "--set", f"goal=range(-0.9,0.9,{points})", "--mesh", "300", "-o", name, *words]


def submitted(cluster, *words):
    return json.loads(cluster.call(*words, "--json"))["job"]


def check(holds, what):
    if not holds:
        raise AssertionError(what)
    print("  ok:", what)


def cancelled_and_drained(cluster, whole):
    job = submitted(cluster, *sweep(cluster, "s", 120, "--engine", "slurm", "--tasks", "4", "--partition", "all", "--memory-limit", "400"))
    cluster.wait("a task runs", lambda: cluster.status("s")["points"] - cluster.status("s")["missing"] > 5)
    check(job in json.dumps(cluster.status("s")["jobs"]), "status asks the queue")
    cluster.call("scancel", f"{job}_1")
    cluster.call("scontrol", "update", "NodeName=node0", "State=DRAIN", "Reason=test")
    cluster.wait("what runs ends on a drained node", lambda: not cluster.call("squeue", "--noheader", "--states=RUNNING,COMPLETING").strip())
    left = cluster.status("s")["missing"]
    check(left > 0, "a drained node begins nothing")
    cluster.call("scontrol", "update", "NodeName=node0", "State=RESUME")
    cluster.wait("the rest runs on the resumed node", lambda: cluster.has_ended(job))
    missing = cluster.status("s")["missing"]
    check(0 < missing < left, f"the cancelled task leaves points: {missing} of {left} that were missing")
    again = submitted(cluster, cluster.bolza, "study", "run", "s", "--engine", "slurm", "--missing", "--tasks", "4")
    cluster.wait("what was missing is done", lambda: cluster.has_ended(again))
    check(cluster.status("s")["missing"] == 0, "resubmitted by --missing it is complete")
    check(cluster.study("table", "s") == whole, "its table is that of this machine")


def requeued(cluster, whole, name, signal):
    job = submitted(cluster, *sweep(cluster, name, 120, "--engine", "slurm", "--tasks", "1"))
    first = cluster.status(name)["missing"]
    cluster.wait("the task runs", lambda: cluster.status(name)["missing"] < first)
    signal(job)
    cluster.wait("the task ends with its points", lambda: not cluster.call("squeue", "--noheader", "--states=RUNNING,COMPLETING", f"--jobs={job}").strip())
    left = cluster.status(name)["missing"]
    check(0 < left < first, f"{name}: {left} points wait for the task to start again")
    cluster.wait("it has started again, and is done", lambda: cluster.has_ended(job))
    check(cluster.status(name)["missing"] == 0, f"{name}: complete after one requeue")
    check(cluster.study("table", name) == whole, f"{name}: its table is that of this machine")


def main():
    if not install():
        print("skipped: slurm-wlm and munge are not here and cannot be installed")
        return SKIPPED
    if os.getuid() != 0:
        print("skipped: only root can start a cluster")
        return SKIPPED
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)  # munged refuses a socket that others cannot reach
        cluster = Cluster(str(pathlib.Path(sys.argv[1]).resolve()), folder)
        try:
            print(cluster.node("start"))
            cluster.call(*sweep(cluster, "whole", 120, "--quiet"))
            whole = cluster.study("table", "whole")
            printed = cluster.call(*sweep(cluster, "printed", 8, "--engine", "slurm", "--print", "--tasks", "3", "--time-limit", "1:00:00"))
            check("#SBATCH --array=0-2" in printed and "#SBATCH --time=1:00:00" in printed, "--print prints the script")
            check(cluster.status("printed")["jobs"] == [], "and submits nothing")
            cancelled_and_drained(cluster, whole)
            kernels = sorted(p.name for p in (cluster.work / "s" / "kernels").glob("*.bolza"))
            check(kernels == sorted(p.name for p in (cluster.work / "printed" / "kernels").glob("*.bolza")), "kernels were compiled before the array, none by it")
            requeued(cluster, whole, "terminated", lambda job: cluster.call("scontrol", "requeue", f"{job}_0"))
            requeued(cluster, whole, "late", lambda job: cluster.call("scancel", "--batch", "--signal=USR1", f"{job}_0"))
        except AssertionError as e:
            print(f"FAILED: {e}")
            for log in (cluster.folder / "node").glob("*.log"):
                print(f"--- {log.name}\n{log.read_text(encoding='utf8', errors='replace')[-3000:]}")
            return 1
        finally:
            cluster.node("stop")
    return 0


if __name__ == "__main__":
    sys.exit(main())
