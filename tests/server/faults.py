#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workers that are killed, a database and a server that are restarted: no job is lost, none has two results, none is left in a state that it
cannot leave. faults.py BOLZA [NUMBER OF JOBS] [WORDS OF A TEST]
"""
import collections
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

from harness import DECAY, ENDLESS, PASSWORD, PAUSE, TRIES, Postgres, Server, Visitor, demand, events_of, has_postgresql, run_all

WORKERS, KILLS, RESTARTS = 2, 10, 2


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


def the_database_goes_away_and_comes_back(bolza, _):
    with Postgres() as database, Server(bolza, "--lease", "600", "--job-time", "60", database=database.address) as server:
        user = server.token(server.user("patient"))
        running = user.job(ENDLESS, "e.mo", command="simulate", options={"stop": 1e7, "max-time": 8})
        user.wait(running, "running")
        database.run("stop", "immediate")
        demand(user.get("/healthz").status == 503 and user.submit(files={"d.mo": DECAY}).status == 503, "questions are answered meanwhile")
        database.run("start")
        again(lambda: user.get("/healthz"))
        job = user.wait(running)
        demand(job["state"] in ("done", "failed") and job["attempt"] == 1, f"what ran meanwhile is stored: {job}")
        demand(user.wait(user.job(DECAY, "d.mo", command="simulate"))["state"] == "done", "and the worker goes on")


def two_servers_share_a_database(bolza, _):
    with Server(bolza, workers=0) as first:
        user = first.user("both")
        with Server(bolza, database=first.database, admin=("admin", PASSWORD)) as second:
            other = Visitor(second)
            demand(other.login("both").status == 200, "an account of one is known to the other")
            job = user.job(DECAY, "d.mo", command="simulate")
            demand(other.wait(job)["state"] == "done" and user.show(job)["state"] == "done", "a job of one is run by the other")
            demand(events_of(user, job)[-1][0] == "end", "and watched from both")


CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long off(void) { const char* hours = getenv("TEST_HOURS"); return hours ? 3600 * atol(hours) : 0; }
int clock_gettime(clockid_t which, struct timespec* t) {
  int (*real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
  int code = real(which, t);
  if (which == CLOCK_REALTIME) t->tv_sec += off();
  return code;
}
int gettimeofday(struct timeval* t, void* zone) {
  int (*real)(struct timeval*, void*) = dlsym(RTLD_NEXT, "gettimeofday");
  int code = real(t, zone);
  t->tv_sec += off();
  return code;
}
time_t time(time_t* t) { struct timespec now; clock_gettime(CLOCK_REALTIME, &now); if (t) *t = now.tv_sec; return now.tv_sec; }
"""


def clocks_of_workers_do_not_matter(bolza, _):
    if not shutil.which("cc"):
        return
    with tempfile.TemporaryDirectory() as folder, Postgres() as database, Server(bolza, "--lease", "60", database=database.address, workers=0) as server:
        source, library = pathlib.Path(folder, "clock.c"), pathlib.Path(folder, "clock.so")
        source.write_text(CLOCK, encoding="utf8")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        options = [option for option in server.options if option == "--without-sandbox"]
        workers = [subprocess.Popen([server.bolza, "worker", "--lease", "60", *options], stderr=server.log,
                                    env=dict(os.environ, LD_PRELOAD=str(library), TEST_HOURS=hours, BOLZA_DATABASE=database.address)) for hours in ("1", "-1")]
        try:
            user = server.user("punctual")
            jobs = [user.wait(user.job(DECAY, "d.mo", command="simulate", options={"set": [f"k={k}"]})) for k in range(1, 7)]
            demand(all(job["state"] == "done" and job["attempt"] == 1 for job in jobs), jobs)
            demand(all(job["created"] <= job["started"] <= job["finished"] < job["created"] + 1800 for job in jobs), "times are the database's")
        finally:
            for worker in workers:
                worker.terminate()
                worker.wait(timeout=60)


def a_worker_without_room(bolza, _):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "no_folder")
        file.write_text("", encoding="utf8")
        with Server(bolza, environment={"TMPDIR": str(file)}) as server:
            user = server.user("roomless")
            job = user.wait(user.job(DECAY, "d.mo", command="simulate"))
            demand(job["state"] == "failed" and "no room" in job["message"], job)


def a_full_disk(bolza, _):
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        return  # it takes a file system of its own
    with tempfile.TemporaryDirectory() as folder:
        mounted = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=1m none {folder} && exec "$@"', "sh"]
        with Server(bolza, environment={"TMPDIR": folder}, prefix=mounted) as server:
            user = server.user("full")
            job = user.wait(user.job(DECAY, "d.mo", command="simulate", options={"step": 1e-5}))
            demand(job["state"] == "failed" and job["message"], job)
            small = user.wait(user.job(DECAY, "d.mo", command="simulate"))
            demand(small["state"] == "done", f"the worker goes on: {small}")


def a_full_disk_of_the_database(bolza, _):
    """Submissions are refused as long as it is full; a result is kept by its worker until there is room."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        return  # it takes a file system of its own
    with tempfile.TemporaryDirectory() as folder:
        mounted = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=8m none {folder} && exec "$@"', "sh"]
        with Server(bolza, "--lease", "600", database=f"{folder}/jobs.sqlite", prefix=mounted) as server:
            user = server.token(server.user("full"))
            running = user.job(ENDLESS, "e.mo", command="simulate", options={"stop": 1e7, "max-time": 6, "step": 1e4})
            user.wait(running, "running")
            filler = pathlib.Path(f"/proc/{server.process.pid}/root{folder}/filler")
            try:
                with open(filler, "wb", buffering=0) as file:
                    while True:
                        file.write(bytes(4096))
            except OSError:
                pass
            large = DECAY + "// " + "x" * 600_000
            refused = user.submit(files={"d.mo": large}, command="simulate")
            demand(refused.status == 503 and refused.headers["Retry-After"], refused)
            for _ in range(TRIES):  # until the worker has tried to store what it has
                if "full" in server.said():
                    break
                time.sleep(PAUSE)
            filler.unlink()
            job = user.wait(running)
            demand(job["state"] in ("done", "failed") and job["attempt"] == 1, f"what was found meanwhile is stored: {job}")
            demand(user.wait(again(lambda: user.submit(files={"d.mo": large}, command="simulate")).json["id"])["state"] == "done", "and it goes on")


def an_old_client(bolza, _):
    """What it sent when `/api/v1` began is taken; what the server does not know is refused by its name."""
    with Server(bolza) as server:
        user = server.token(server.user("old"))
        sent = user.submit(files={"d.mo": DECAY}, command="simulate", options={"stop": "1"})
        demand(sent.status == 202 and {"id", "state", "url"} <= set(sent.json), sent)
        shown = user.wait(sent.json["id"])
        first = {"id", "title", "command", "model", "class", "options", "hash", "state", "created", "started", "finished", "attempt", "verdict", "objective", "message", "version", "files", "results"}
        demand(first <= set(shown) and {"result.json", "result.mat", "result.csv", "report.html"} <= set(shown["results"]), shown)
        old = socket.create_connection(("127.0.0.1", server.port), timeout=60)  # HTTP/1.0, without what is asked for today
        with old:
            old.sendall(f"GET /api/v1/jobs/{sent.json['id']} HTTP/1.0\r\nAuthorization: Bearer {user.token}\r\n\r\n".encode())
            answer = b"".join(iter(lambda: old.recv(65536), b""))
        demand(b" 200 " in answer.split(b"\r\n")[0] and sent.json["id"].encode() in answer, answer[:300])
        for job, name in (({"priority": 3}, "priority"), ({"options": {"gone": "1"}}, "gone"), ({"command": "gone"}, "command")):
            reply = user.submit(**({"files": {"d.mo": DECAY}, "command": "simulate"} | job))
            demand(reply.status == 422 and f"`{name}`" in reply.json["error"], reply)


def the_first_schema_becomes_the_newest(bolza, _):
    """A database of the first version, with an account, a session, and jobs that are over, running and waiting."""
    script = (pathlib.Path(__file__).parent / "schema_1.sql").read_text(encoding="utf8")
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/old.sqlite"
        with sqlite3.connect(file) as database:
            database.executescript(script.replace("{bytes}", "BLOB").replace("{hex}", "X"))
        upgraded(bolza, file)
    if has_postgresql():
        with Postgres() as database:
            words = script.replace("{bytes}", "BYTEA").replace("{hex}'", "'\\x")
            psql = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/psql"))[-1]
            subprocess.run([psql, "-q", "-v", "ON_ERROR_STOP=1", database.address], input=words, text=True, check=True)
            upgraded(bolza, database.address)


def upgraded(bolza, database):
    with Server(bolza, database=database, admin=("old", PASSWORD)) as server:
        user = server.admin
        jobs = {job["title"]: job for job in user.get("/api/v1/jobs").json["jobs"]}

        def kept():
            return sum(job["input_bytes"] + job["result_bytes"] for job in user.get("/api/v1/jobs").json["jobs"])

        demand(jobs["over"]["state"] == "done" and jobs["over"]["objective"] == 0.25, jobs)
        demand(user.get(f"/api/v1/jobs/{jobs['over']['id']}/results/result.json").json == {"verdict": "solved"}, "its result")
        for title in ("running", "waiting"):
            done = user.wait(jobs[title]["id"])
            demand(done["state"] == "done" and done["verdict"], done)
        demand(user.get("/api/v1/account").json["used"]["bytes"] == kept() > 3 * len(DECAY) + 20, "what is kept was counted, and goes on to be")
        demand(user.post(f"/api/v1/jobs/{jobs['over']['id']}/share").status == 200, "what is new")
        demand(server.token(user).get("/api/v1/account").json["name"] == "old", "a token")


def an_older_program_refuses_a_newer_schema(bolza, _):
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/new.sqlite"
        with sqlite3.connect(file) as database:
            database.executescript("CREATE TABLE schema_version (version BIGINT PRIMARY KEY); INSERT INTO schema_version VALUES (1), (99);")
        run = subprocess.run([bolza, "serve", "--port", "0", "--database", file], capture_output=True, text=True)
        demand(run.returncode == 2 and "newer" in run.stderr, run)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60 if os.environ.get("BOLZA_ALL") else 30
    tests = [nothing_is_lost_with_sqlite, two_servers_share_a_database, a_worker_without_room, a_full_disk, a_full_disk_of_the_database, an_old_client, the_first_schema_becomes_the_newest, an_older_program_refuses_a_newer_schema]
    tests += [nothing_is_lost_with_postgresql, the_database_goes_away_and_comes_back, clocks_of_workers_do_not_matter] if has_postgresql() else []
    chosen = [test for test in tests if len(sys.argv) <= 3 or sys.argv[3] in test.__name__]
    return run_all(chosen, sys.argv[1], count)


if __name__ == "__main__":
    sys.exit(main())
