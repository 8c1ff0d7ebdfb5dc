#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The server from an empty folder: jobs, accounts, events, results, the client. basics.py BOLZA."""
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness import DECAY, ENDLESS, PASSWORD, PAUSE, QUICK, TRIES, VAN_DER_POL, Postgres, Server, Visitor, demand, events_of, has_postgresql, run_all


def a_solve_is_queued_run_and_kept(server):
    user = server.user("solver")
    job = user.job(VAN_DER_POL, "van_der_pol.mop", title="oscillator", options={"mesh": 60})
    done = user.wait(job)
    demand(done["state"] == "done" and done["verdict"] == "solved", done)
    demand(abs(done["objective"] - 3.175) < 0.001, done["objective"])
    demand(set(done["results"]) >= {"result.json", "result.mat", "result.csv", "report.html"}, done["results"])
    demand(len(done["hash"]) == 64 and done["version"].startswith("0."), done)
    result = user.get(f"/api/v1/jobs/{job}/results/result.json").json
    demand(result["objective"] == done["objective"] and result["class"] == "VanDerPol", result["class"])
    csv = user.get(f"/api/v1/jobs/{job}/results/result.csv").text.splitlines()
    demand(csv[0].startswith("time") and len(csv) > 60, csv[0])
    demand(user.get(f"/api/v1/jobs/{job}/results/result.mat").body[20:26] == b"Aclass", "the .mat file")
    demand("<svg" in user.get(f"/api/v1/jobs/{job}/results/report.html").text, "the report")
    demand(user.get(f"/api/v1/jobs/{job}/files/van_der_pol.mop").text == VAN_DER_POL, "the model is kept as it was sent")


def events_tell_every_iteration(server):
    user = server.user("watcher")
    job = user.job(VAN_DER_POL, "van_der_pol.mop")
    events = events_of(user, job)
    progress = [data for kind, _, data in events if kind == "progress"]
    demand(events[-1][0] == "end" and events[-1][2]["state"] == "done", events[-1])
    demand(progress[0]["iteration"] == 0 and len(progress) > 10, len(progress))
    demand(abs(progress[-1]["objective"] - 3.175) < 1e-3 and progress[-1]["infeasibility"] < 1e-6, progress[-1])
    last = [number for kind, number, _ in events if kind == "progress"][-3]
    rest = [number for kind, number, _ in events_of(user, job, last) if kind == "progress"]
    demand(len(rest) == 2, f"after {last} came {rest}")


def a_simulation_and_a_fit(server):
    user = server.user("fitter")
    job = user.wait(user.job(DECAY, "decay.mo", command="simulate", options={"stop": 2, "set": ["k=0.5"]}))
    demand(job["state"] == "done", job)
    last = user.get(f"/api/v1/jobs/{job['id']}/results/result.csv").text.splitlines()
    x = dict(zip(last[0].split(","), last[-1].split(",")))["x"]
    demand(abs(float(x) - math.exp(-1)) < 1e-4, x)
    data = "time,x\n" + "".join(f"{t},{math.exp(-0.7 * t)}\n" for t in range(6))
    fit = user.wait(user.job(DECAY, "decay.mo", command="fit", files={"runs.csv": data}, options={"data": "runs.csv", "free": "k=1[0,10]"}))
    demand(fit["state"] == "done", fit)
    said = user.get(f"/api/v1/jobs/{fit['id']}/results/result.json").text
    demand("0.7" in said and "report.html" in fit["results"], fit["results"])


def lists_search_and_filters(server):
    user = server.user("archivist")
    ids = [user.job(title=title) for title in ("first one", "second 100%", "third_one")]
    for job in ids:
        user.wait(job)

    def found(question):
        return [job["title"] for job in user.get("/api/v1/jobs?" + question).json["jobs"]]

    demand(found("") == ["third_one", "second 100%", "first one"], found(""))
    demand(found("search=ONE") == ["third_one", "first one"], found("search=ONE"))
    demand(found("search=100%25") == ["second 100%"], "a percent sign is itself")
    demand(found("search=d_o") == ["third_one"], "an underscore is itself")
    demand(found("state=failed") == [] and len(found("state=done&limit=2")) == 2, "filters")
    before = user.show(ids[1])["created"]
    demand(found(f"before={before!r}") == ["first one"], "pages")


def a_job_is_cancelled(server):
    user = server.user("canceller")
    job = user.job(ENDLESS, "endless.mo", command="simulate", options={"stop": 1e6})
    user.wait(job, "running")
    waiting = user.job()
    demand(user.post(f"/api/v1/jobs/{waiting}/cancel").status == 202 and user.show(waiting)["state"] == "cancelled", "one that waits")
    demand(user.post(f"/api/v1/jobs/{job}/cancel").status == 202, "one that runs")
    demand(user.wait(job)["state"] == "cancelled", user.show(job))
    demand(user.post(f"/api/v1/jobs/{job}/cancel").status == 409, "one that is over")


def what_fails_says_why(server):
    user = server.user("failing")
    wrong = user.wait(user.job("model M Real x; equation der(x) = y; end M;", "m.mo", command="simulate"))
    demand(wrong["state"] == "failed" and "E203" in wrong["message"], wrong)
    late = user.wait(user.job(ENDLESS, "m.mo", command="simulate", options={"stop": 1e6, "max-time": 1}))
    demand(late["state"] in ("failed", "done") and late["verdict"] != "solved", late)
    demand(user.wait(user.job())["state"] == "done", "the worker goes on")


def a_job_is_run_again_and_starts_from_another(server):
    user = server.user("again")
    first = user.wait(user.job(VAN_DER_POL, "v.mop", options={"mesh": 20}))
    again = user.post(f"/api/v1/jobs/{first['id']}/rerun")
    demand(again.status == 202, again)
    second = user.wait(again.json["id"])
    demand(second["hash"] == first["hash"] and second["objective"] == first["objective"] and second["id"] != first["id"], second)
    warm = user.wait(user.job(VAN_DER_POL, "v.mop", options={"mesh": 20}, start_from=first["id"]))
    demand(warm["state"] == "done" and abs(warm["objective"] - first["objective"]) < 1e-5, warm)

    def iterations(job):
        return user.get(f"/api/v1/jobs/{job['id']}/results/result.json").json["iterations"]

    demand(iterations(warm) < iterations(first), "a start from the optimum takes fewer iterations")


def others_do_not_see_it_and_a_link_shares_it(server):
    owner, other = server.user("owner"), server.user("other")
    job = owner.job()
    owner.wait(job)
    for path in ("", "/events", "/results/result.json", "/files/m.mop"):
        demand(other.get(f"/api/v1/jobs/{job}{path}").status == 404, path)
    link = owner.post(f"/api/v1/jobs/{job}/share").json["share"]
    nobody = Visitor(server)
    demand(nobody.get(f"/api/v1/jobs/{job}?share={link}").json["state"] == "done", "a link shows it")
    demand(nobody.post(f"/api/v1/jobs/{job}/cancel?share={link}").status == 404, "and changes nothing")
    owner.ask("DELETE", f"/api/v1/jobs/{job}/share", {})
    demand(nobody.get(f"/api/v1/jobs/{job}?share={link}").status == 404, "until it is taken back")


def accounts_sessions_and_tokens(server):
    user = server.user("Person.One")
    demand(Visitor(server).register("person.one").status == 403, "by invitation alone")
    demand(user.get("/api/v1/account").json["name"] == "person.one", "without case")
    token = server.token(user)
    demand(token.get("/api/v1/account").json["name"] == "person.one", "a token")
    reader = server.token(user, "read")
    demand(reader.get("/api/v1/jobs").status == 200 and reader.submit(files={"m.mop": QUICK}).status == 403, "a token that reads")
    demand(user.post("/api/v1/account/password", {"old": "no", "new": PASSWORD + "!"}).status == 403, "the old password")
    demand(user.post("/api/v1/account/password", {"old": PASSWORD, "new": PASSWORD + "!"}).status == 200, "the new password")
    demand(token.get("/api/v1/account").status == 401, "tokens end with the password")
    demand(user.ask("DELETE", "/api/v1/session", {}).status == 200 and user.get("/api/v1/account").status == 401, "logged out")
    demand(Visitor(server).login("PERSON.ONE", PASSWORD + "!").status == 200, "logged in")
    users = server.admin.get("/api/v1/users").json["users"]
    one = next(u for u in users if u["name"] == "person.one")
    demand(server.admin.ask("PATCH", f"/api/v1/users/{one['id']}", {"password": "forgotten, so new"}).status == 200, "a password that was forgotten")
    demand(Visitor(server).login("person.one", "forgotten, so new").status == 200, "the new one")
    demand(server.admin.ask("PATCH", f"/api/v1/users/{one['id']}", {"disabled": True}).json["disabled"], "disabled")
    demand(Visitor(server).login("person.one", "forgotten, so new").status == 401, "an account that is disabled")
    run = subprocess.run([server.bolza, "serve", "--database", server.database, "--invite", "admin"], capture_output=True, text=True)
    rescuer = Visitor(server)
    demand(rescuer.register("rescuer", run.stdout.strip().split("invitation=")[1]).json["account"]["role"] == "admin", run)


def the_client_is_the_same_program(server):
    token = server.token(server.user("client")).token
    address = f"http://127.0.0.1:{server.port}"
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        (folder / "v.mop").write_text(VAN_DER_POL, encoding="utf8")
        environment = dict(os.environ, BOLZA_TOKEN=token)
        run = subprocess.run([server.bolza, "solve", "v.mop", "VanDerPol", "--mesh", "60", "--server", address, "--json", "--csv", "out.csv", "--report", "page.html"],
                             cwd=folder, env=environment, capture_output=True, text=True)
        demand(run.returncode == 0, run.stderr + run.stdout)
        here = subprocess.run([server.bolza, "solve", "v.mop", "--mesh", "60", "--json", "-o", "here.mat"], cwd=folder, capture_output=True, text=True)
        demand(json.loads(run.stdout)["objective"] == json.loads(here.stdout)["objective"], "the same optimum as here")
        demand({"out.csv", "page.html", "VanDerPol.mat"} <= {file.name for file in folder.iterdir()}, "files")
        listed = subprocess.run([server.bolza, "jobs", "--server", address, "--json"], env=environment, capture_output=True, text=True)
        job = json.loads(listed.stdout)["jobs"][0]["id"]
        got = subprocess.run([server.bolza, "jobs", "get", job, "--server", address, "-o", "again.mat"], cwd=folder, env=environment, capture_output=True, text=True)
        demand(got.returncode == 0 and (folder / "again.mat").read_bytes() == (folder / "VanDerPol.mat").read_bytes(), got.stderr)
        none = subprocess.run([server.bolza, "jobs", "get", job, "--server", address, "--report", "page2.html", "-o", "again.mat"], cwd=folder, env=environment, capture_output=True, text=True)
        demand(none.returncode == 0 and (folder / "page2.html").exists(), none.stderr)
        (folder / "w.mop").write_text("model W end W", encoding="utf8")
        wrong = subprocess.run([server.bolza, "simulate", "w.mop", "--server", address], cwd=folder, env=environment, capture_output=True, text=True)
        demand(wrong.returncode == 2 and "E113" in wrong.stdout, wrong.stdout + wrong.stderr)
        failed = json.loads(subprocess.run([server.bolza, "jobs", "--server", address, "--json"], env=environment, capture_output=True, text=True).stdout)["jobs"][0]
        none = subprocess.run([server.bolza, "jobs", "get", failed["id"], "--server", address, "-o", "none.mat"], cwd=folder, env=environment, capture_output=True, text=True)
        demand(none.returncode == 2 and "the job is failed and has no `result.mat`" in none.stderr and not (folder / "none.mat").exists(), none)
        none = subprocess.run([server.bolza, "jobs", "get", failed["id"], "--server", address], cwd=folder, env=environment, capture_output=True, text=True)
        demand(none.returncode == 2 and "-o or --report" in none.stderr, none)
        no = subprocess.run([server.bolza, "solve", "v.mop", "--server", address, "--token", "wrong"], cwd=folder, capture_output=True, text=True)
        demand(no.returncode == 2 and "token" in no.stderr, no.stderr)


def studies_are_jobs(server):
    user = server.user("planner")
    job = user.job(VAN_DER_POL, "v.mop", command="sweep", options={"set": ["u(max=range(0.7,1,4))"], "mesh": 15, "results": "objective"})
    done = user.wait(job)
    demand(done["state"] == "done" and done["verdict"] == "complete", done)
    rows = user.get(f"/api/v1/jobs/{job}/results/result.csv").text.splitlines()
    demand(rows[0] == "point,u(max),verdict,status,objective,message" and len(rows) == 5, rows)
    objectives = [float(row.split(",")[4]) for row in rows[1:]]
    demand(objectives == sorted(objectives, reverse=True) and objectives[0] > objectives[-1] + 0.1, "a looser bound costs less")
    demand("<svg" in user.get(f"/api/v1/jobs/{job}/results/report.html").text, "its page")
    points = [data["points"] for kind, _, data in events_of(user, job) if kind == "progress"]
    demand(points and points[-1] == 4, f"progress {points}")
    page = user.get(f"/jobs/{job}").text
    demand("report.html" in page and 'id="trajectories"' not in page, "a page without trajectories")
    job = user.job(DECAY, "d.mo", command="sweep simulate", options={"set": ["k=range(1,2,12)"], "stop": 1})
    demand(user.wait(job)["verdict"] == "complete", user.show(job))
    rows = [row.split(",") for row in user.get(f"/api/v1/jobs/{job}/results/result.csv").text.splitlines()]
    place = rows[0].index("final.x")
    demand(all(abs(float(row[place]) - math.exp(-float(row[1]))) < 1e-5 for row in rows[1:]) and len(rows) == 13, rows)
    data = "time,x\n" + "\n".join(f"{k / 4},{math.exp(-0.5 * k / 4)}" for k in range(9))
    job = user.job(DECAY, "d.mo", command="sweep fit", files={"d.csv": data}, options={"data": "d.csv", "free": "k=1[0.01,10]", "guesses": 2})
    demand(user.wait(job)["state"] == "done", user.show(job))
    for name, value in {"engine": "slurm", "print": "true", "shard": "1/2", "table": "x.csv", "sandbox-cache": "x", "total-time": "9"}.items():
        demand(user.submit(files={"v.mop": VAN_DER_POL}, command="sweep", options={name: value}).status == 422, f"--{name} is not for jobs")
    demand(user.submit(files={"v.mop": VAN_DER_POL}, command="sweep", options={"mesh": 9, "set": ["u(max=1)"]}).status == 202, "what is wrong with a plan the job says")
    last = user.get("/api/v1/jobs?limit=1").json["jobs"][0]["id"]
    demand("E985" in user.wait(last)["message"], user.show(last))


def results_are_verified(server):
    user, other = server.user("auditor"), server.user("passer-by")
    solve = user.job(VAN_DER_POL, "v.mop", title="to be verified")
    demand(user.submit(command="verify", start_from=solve).status in (202, 409), "not before it is done, or at once")
    user.wait(solve)
    sent = user.submit(command="verify", start_from=solve)
    demand(sent.status == 202, sent)
    done = user.wait(sent.json["id"])
    demand(done["state"] == "done" and done["verdict"] == "verified" and done["title"] == "to be verified", done)
    said = user.get(f"/api/v1/jobs/{done['id']}/results/result.json").json
    demand(abs(said["objective"] - user.show(solve)["objective"]) < 1e-3 and len(said["checks"]) > 3, said)
    page = user.get(f"/jobs/{done['id']}").text
    demand("<h2>Checks</h2>" in page and f"/jobs/{solve}" in page, page)
    demand(f'action="/jobs/{solve}/verify"' in user.get(f"/jobs/{solve}").text, "a button")
    demand(other.submit(command="verify", start_from=solve).status == 404, "somebody else's")
    demand(user.submit(command="verify").status == 422 and user.submit(command="verify", files={"v.mop": VAN_DER_POL}).status == 422, "nothing to verify")
    simulation = user.job(DECAY, "d.mo", command="simulate")
    user.wait(simulation)
    demand(user.submit(command="verify", start_from=simulation).status == 409, "a simulation is no optimum")
    wrong = user.submit(command="verify", start_from=solve, files={"v.mop": VAN_DER_POL.replace("x1^2", "2*x1^2")})
    demand(wrong.status == 202 and user.wait(wrong.json["id"])["verdict"] == "refused", "of another model it is no optimum")


def the_client_sends_studies_and_verifies(server):
    user = server.user("remote-planner")
    address, environment = f"http://127.0.0.1:{server.port}", dict(os.environ, BOLZA_TOKEN=server.token(user).token)
    with tempfile.TemporaryDirectory() as made:
        pathlib.Path(made, "d.mo").write_text(DECAY, encoding="utf8")
        words = [server.bolza, "sweep", "simulate", "d.mo", "--set", "k=range(1,2,9)", "--stop", "1"]
        there = subprocess.run([*words, "--server", address, "--table", "there.csv", "--report", "there.html"], cwd=made, env=environment, capture_output=True, text=True)
        demand(there.returncode == 0, there.stdout + there.stderr)
        here = subprocess.run([*words, "--table", "here.csv", "-q"], cwd=made, capture_output=True, text=True)
        demand(here.returncode == 0 and pathlib.Path(made, "here.csv").read_bytes() == pathlib.Path(made, "there.csv").read_bytes(), "the same table, to the last bit")
        demand("<svg" in pathlib.Path(made, "there.html").read_text(encoding="utf8"), "and the page")
        no = subprocess.run([*words, "--server", address, "-o", "x.study"], cwd=made, env=environment, capture_output=True, text=True)
        demand(no.returncode == 2 and "stays on the server" in no.stderr, no)
        solve = user.job(VAN_DER_POL, "v.mop")
        user.wait(solve)
        run = subprocess.run([server.bolza, "jobs", "verify", solve, "--server", address], env=environment, capture_output=True, text=True)
        demand(run.returncode == 0 and json.loads(run.stdout)["command"] == "verify" and json.loads(run.stdout)["state"] == "done", run.stdout + run.stderr)


def kernels_are_kept_for_an_account(bolza):
    with tempfile.TemporaryDirectory() as cache, Server(bolza, "--job-cache", cache, "--anonymous") as server:
        if "--without-sandbox" in server.options:
            return
        user, other = server.user("first"), server.user("second")
        timings = []
        for who in (user, user, other):
            job = who.job(VAN_DER_POL, "v.mop", options={"mesh": 10})
            demand(who.wait(job)["state"] == "done", who.show(job))
            timings.append(sorted(file.name for file in pathlib.Path(cache).rglob("*.bolza")))
        demand(timings[0] and timings[0] == timings[1], "the second job of an account compiles nothing")
        folders = [folder for folder in pathlib.Path(cache).iterdir()]
        demand(len(folders) == 2 and len(timings[2]) == 2 * len(timings[0]), f"another account has its own: {folders}")
        nobody = Visitor(server)
        sent = nobody.submit(files={"v.mop": VAN_DER_POL}, options={"mesh": 10})
        nobody.secret = sent.json["secret"]
        demand(nobody.wait(sent.json["id"])["state"] == "done" and len(list(pathlib.Path(cache).iterdir())) == 2, "who is nobody has none")


def the_client_cancels_what_is_interrupted(server):
    user = server.user("interrupter")
    with tempfile.TemporaryDirectory() as made:
        pathlib.Path(made, "e.mo").write_text(ENDLESS, encoding="utf8")
        run = subprocess.Popen([server.bolza, "simulate", "e.mo", "--stop", "1e6", "--server", f"http://127.0.0.1:{server.port}", "--token", server.token(user).token],
                               cwd=made, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(TRIES):
            jobs = user.get("/api/v1/jobs").json["jobs"]
            if jobs:
                break
            time.sleep(PAUSE)
        user.wait(jobs[0]["id"], "running")
        run.send_signal(signal.SIGINT)
        demand(run.wait(timeout=120) == 130, "the exit code of an interrupt")
        demand(user.wait(jobs[0]["id"])["state"] == "cancelled", "the job is cancelled")


def accounts_take_turns(server):
    many, one = server.user("many"), server.user("one")
    first = server.user("first").job(ENDLESS, "e.mo", command="simulate", options={"stop": 1e6})
    server.admin.wait(first, "running")
    queued = [many.job() for _ in range(5)]
    single = one.job()
    server.admin.post(f"/api/v1/jobs/{first}/cancel")
    started = one.wait(single)["started"]
    others = sorted(many.wait(job)["started"] for job in queued)
    demand(started < others[1], "one job of an account does not wait for five of another")


def without_an_account(bolza):
    with Server(bolza, "--anonymous") as server, tempfile.TemporaryDirectory() as made:
        pathlib.Path(made, "q.mop").write_text(QUICK, encoding="utf8")
        run = subprocess.run([server.bolza, "solve", "q.mop", "--server", f"http://127.0.0.1:{server.port}", "--json"], cwd=made, capture_output=True, text=True)
        demand(run.returncode == 0 and abs(json.loads(run.stdout)["objective"] + 1) < 1e-6, run.stdout + run.stderr)


def encrypted(bolza):
    if not shutil.which("openssl"):
        return
    with tempfile.TemporaryDirectory() as made:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", f"{made}/key.pem", "-out", f"{made}/cert.pem"], check=True, capture_output=True)
        pathlib.Path(made, "q.mop").write_text(QUICK, encoding="utf8")
        options = ["--certificate", f"{made}/cert.pem", "--key", f"{made}/key.pem", "--anonymous", "--host", "localhost"]
        with Server(bolza, *options, admin=()) as server:
            words = [server.bolza, "solve", "q.mop", "--json", "--server", f"https://localhost:{server.port}"]
            run = subprocess.run(words, cwd=made, env=dict(os.environ, SSL_CERT_FILE=f"{made}/cert.pem"), capture_output=True, text=True)
            demand(run.returncode == 0 and abs(json.loads(run.stdout)["objective"] + 1) < 1e-6, run.stdout + run.stderr)
            run = subprocess.run(words, cwd=made, capture_output=True, text=True)
            demand(run.returncode == 2, "a certificate that nobody vouches for")


def health_and_metrics(server):
    nobody = Visitor(server)
    demand(nobody.get("/healthz").json["status"] == "ok", "health")
    text = nobody.get("/metrics").text
    demand('bolza_jobs{state="done"}' in text and "bolza_workers 1" in text, text)


def check_says_what_is_wrong(server):
    user = server.user("checker")
    reply = user.post("/api/v1/check", {"files": {"m.mo": "model M Real x; equation der(x) = y; end M;"}, "command": "simulate"})
    demand(reply.status == 200 and reply.json["diagnostics"][0]["code"] == "E203", reply)
    demand(reply.json["diagnostics"][0]["line"] == 1, reply)


def main():
    tests = [a_solve_is_queued_run_and_kept, events_tell_every_iteration, a_simulation_and_a_fit, lists_search_and_filters, a_job_is_cancelled,
             what_fails_says_why, a_job_is_run_again_and_starts_from_another, others_do_not_see_it_and_a_link_shares_it, accounts_sessions_and_tokens,
             studies_are_jobs, results_are_verified, the_client_is_the_same_program, the_client_sends_studies_and_verifies, the_client_cancels_what_is_interrupted, accounts_take_turns, health_and_metrics, check_says_what_is_wrong]

    def chosen(functions):
        return [test for test in functions if not sys.argv[2:] or test.__name__ in sys.argv[2:]]

    with Server(sys.argv[1]) as server:
        code = run_all(chosen(tests), server)
        if code:
            print(server.said())
    if has_postgresql():
        with Postgres() as database, Server(sys.argv[1], database=database.address) as server:
            print("with PostgreSQL:")
            code = run_all(chosen(tests), server) or code
    return run_all(chosen([without_an_account, encrypted, kernels_are_kept_for_an_account]), sys.argv[1]) or code


if __name__ == "__main__":
    sys.exit(main())
