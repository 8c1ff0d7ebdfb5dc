#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workers that are killed, a database and a server that are restarted: no job is lost, none has two results, none is left in a state that it
cannot leave. faults.py BOLZA [NUMBER OF JOBS] [sqlite|postgresql]
"""
import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness import DECAY, PAUSE, ROOT, TRIES, Server, demand, run_all

WORKERS, KILLS, RESTARTS = 2, 10, 2


class Postgres:
    """A database of its own, started by the repository's script."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="bolza-pg-", dir="/tmp")

    def run(self, *words):
        return subprocess.run([ROOT / "scripts" / "postgres", words[0], self.folder, *words[1:]], check=True, capture_output=True, text=True).stdout.strip()

    def __enter__(self):
        self.address = self.run("start")
        return self

    def __exit__(self, *_):
        self.run("stop", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def has_postgresql():
    return any(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def again(action):
    """Until the server is back."""
    for _ in range(TRIES):
        try:
            reply = action()
            if reply.status < 500:
                return reply
        except OSError:
            pass
        time.sleep(PAUSE)
    raise AssertionError("the server does not come back")


def numbers(user):
    jobs, before = [], None
    while True:
        page = again(lambda: user.get("/api/v1/jobs?limit=200" + (f"&before={before!r}" if before else ""))).json["jobs"]
        jobs += page
        if not page:
            return jobs
        before = page[-1]["created"]


def disturbances(server, database, count):
    """What happens, by the number of jobs that are over by then."""
    def kill_worker():
        workers = server.children()
        if workers:
            os.kill(workers[0], signal.SIGKILL)

    def restart_server():
        port = server.port
        server.stop(signal.SIGKILL)
        server.start(port)

    def restart_database():
        database.run("stop", "immediate")
        database.run("start")

    plan = [(count * (k + 1) // (KILLS + 1), kill_worker) for k in range(KILLS)]
    plan += [(count * (k + 1) // (RESTARTS + 1), restart_server) for k in range(RESTARTS)]
    if database:
        plan += [(count * (2 * k + 1) // (2 * RESTARTS), restart_database) for k in range(RESTARTS)]
    return sorted(plan, key=lambda entry: entry[0])


def undergo(bolza, database, count, workers):
    options = ["--lease", "3", "--most-queued", "0", "--account-jobs", "0"]
    with Server(bolza, *options, database=database and database.address, workers=workers) as server:
        user = server.token(server.user("many"))
        ids = []
        for k in range(count):
            job = {"files": {"d.mo": DECAY}, "command": "simulate", "options": {"set": [f"k={1 + k / 100}"]}, "title": f"number {k}"}
            reply = again(lambda job=job: user.submit(**job))
            demand(reply.status == 202, reply)
            ids.append(reply.json["id"])
        plan, over, last = disturbances(server, database, count), 0, -1
        for _ in range(50 * TRIES):
            over = sum(job["state"] in ("done", "failed", "cancelled") for job in numbers(user))
            while plan and plan[0][0] <= over:
                plan.pop(0)[1]()
            if over == count and not plan:
                break
            time.sleep(PAUSE)
            last = over
        jobs = numbers(user)
        states = collections.Counter(job["state"] for job in jobs)
        demand(states == {"done": count}, f"{states}, {last}: {[job['message'] for job in jobs if job['state'] != 'done'][:3]}")
        demand(sorted(job["id"] for job in jobs) == sorted(ids), "the jobs are those that were sent")
        attempts = collections.Counter(job["attempt"] for job in jobs)
        print(f"        {count} jobs, {KILLS} workers killed, {RESTARTS} restarts; attempts {dict(attempts)}")
        for job in jobs[:: max(1, count // 10)]:
            shown = user.show(job["id"])
            demand("result.mat" in shown["results"] and "result.json" in shown["results"], shown)


def nothing_is_lost_with_sqlite(bolza, count):
    undergo(bolza, None, count, 1)


def nothing_is_lost_with_postgresql(bolza, count):
    with Postgres() as database:
        undergo(bolza, database, count, WORKERS)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    tests = [nothing_is_lost_with_sqlite] + ([nothing_is_lost_with_postgresql] if has_postgresql() else [])
    chosen = [test for test in tests if len(sys.argv) <= 3 or test.__name__.endswith(sys.argv[3])]
    return run_all(chosen, sys.argv[1], count)


if __name__ == "__main__":
    sys.exit(main())
