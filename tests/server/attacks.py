#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What somebody may try against the server, and that it is refused: attacks.py BOLZA [WORDS]. docs/security.md lists every attempt by its name.

Longer than other files: attempts are short, share the server that they are made against, and are read one after the other beside that list."""
import base64
import concurrent.futures
import gzip
import hashlib
import json
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.parse

from harness import DECAY, ENDLESS, PASSWORD, QUICK, ROOT, Postgres, Server, Visitor, demand, has_postgresql, quote

attempts = []
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
NASTY_SQL = ["' OR '1'='1", "'; DROP TABLE jobs; --", "\" OR 1=1 --", "1 UNION SELECT password FROM users", "\\'", "%' ESCAPE '", "$1", "?1", "{now}", "x') --"]
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def attempt(group, words):
    def add(function):
        attempts.append((group, words, function))
        return function
    return add


def refused(reply, *statuses):
    demand(reply.status in (statuses or (400, 401, 403, 404, 405, 409, 413, 422, 429)), f"it was not refused: {reply}")


def raw(server, data, more=()):
    """What comes back for these bytes, until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as s:
        try:
            s.sendall(data)
            for piece in more:
                s.sendall(piece)
        except OSError:
            pass  # it has closed
        out = b""
        while True:
            try:
                piece = s.recv(65536)
            except OSError:
                return out
            if not piece:
                return out
            out += piece


class Scene:
    """A server with an owner who has a job, somebody who attacks, and one that takes jobs without accounts behind a proxy."""

    def __init__(self, bolza, database=None):
        self.server = Server(bolza, "--job-time", "4", "--job-memory", "600", "--most-body", "1", "--account-jobs", "8", database=database)
        self.open = Server(bolza, "--anonymous", "--open-registration", "--behind-proxy", "--most-queued", "6", "--account-jobs", "3", "--account-megabytes", "1", workers=0)
        self.number = 0

    def __enter__(self):
        self.server.__enter__()
        self.open.__enter__()
        self.owner = self.server.user("owner")
        self.attacker = self.server.user("attacker")
        self.job = self.owner.job(QUICK, "secret_model.mop", title="secret title")
        self.owner.wait(self.job)
        return self

    def __exit__(self, *_):
        self.server.__exit__()
        self.open.__exit__()

    def fresh(self, name="fresh"):
        self.number += 1
        return self.server.user(f"{name}{self.number}")

    def ended(self, model, name="m.mo", command="simulate", **more):
        """The attacker's job, over."""
        return self.attacker.wait(self.attacker.job(model, name, command=command, **more))


# ---- jobs of others

@attempt("jobs of others", "its state, by the id")
def foreign_state(s):
    refused(s.attacker.get(f"/api/v1/jobs/{s.job}"), 404)


@attempt("jobs of others", "its events")
def foreign_events(s):
    refused(s.attacker.get(f"/api/v1/jobs/{s.job}/events"), 404)


@attempt("jobs of others", "its results")
def foreign_results(s):
    for name in ("result.json", "result.mat", "report.html", "log.txt"):
        refused(s.attacker.get(f"/api/v1/jobs/{s.job}/results/{name}"), 404)


@attempt("jobs of others", "the files that were sent")
def foreign_files(s):
    refused(s.attacker.get(f"/api/v1/jobs/{s.job}/files/secret_model.mop"), 404)


@attempt("jobs of others", "cancelling it")
def foreign_cancel(s):
    refused(s.attacker.post(f"/api/v1/jobs/{s.job}/cancel"), 404)


@attempt("jobs of others", "sharing it, and taking its link back")
def foreign_share(s):
    refused(s.attacker.post(f"/api/v1/jobs/{s.job}/share"), 404)
    refused(s.attacker.ask("DELETE", f"/api/v1/jobs/{s.job}/share", {}), 404)


@attempt("jobs of others", "running it again, which would copy its files")
def foreign_rerun(s):
    refused(s.attacker.post(f"/api/v1/jobs/{s.job}/rerun"), 404)


@attempt("jobs of others", "starting from its trajectory")
def foreign_start(s):
    refused(s.attacker.submit(files={"m.mop": QUICK}, start_from=s.job), 404)


@attempt("jobs of others", "its page, and a form filled in with it")
def foreign_page(s):
    refused(s.attacker.get(f"/jobs/{s.job}"), 404)
    for name in ("from", "start"):
        page = s.attacker.get(f"/new?{name}={s.job}")
        demand("Quick" not in page.text and "secret" not in page.text, page)


@attempt("jobs of others", "everybody's jobs, asked for by a user")
def foreign_list(s):
    demand("secret title" not in s.attacker.get("/api/v1/jobs?all=true").text, "the list of everybody")
    demand("secret title" not in s.attacker.get("/jobs?all=true&search=secret").text, "the page of everybody")


@attempt("jobs of others", "a job without an account, by its id alone or with a wrong secret")
def anonymous_secret(s):
    visitor = Visitor(s.open)
    made = visitor.submit(files={"m.mop": QUICK}).json
    path = f"/api/v1/jobs/{made['id']}"
    for secret in ("", "wrong", made["secret"][:-1], made["id"]):
        refused(visitor.get(f"{path}?secret={secret}"), 404)
        refused(visitor.post(f"{path}/cancel", headers={"X-Job-Secret": secret}), 404)
    demand(Visitor(s.open, secret=made["secret"]).get(path).status == 200, "who has the secret sees it")
    demand(Visitor(s.open, secret=made["secret"]).post(f"{path}/cancel").status == 202, "and cancels it")


@attempt("jobs of others", "a job without an account where that is not allowed")
def anonymous_refused(s):
    refused(Visitor(s.server).submit(files={"m.mop": QUICK}), 401)
    refused(Visitor(s.server).post("/api/v1/check", {"files": {"m.mop": QUICK}}), 401)


@attempt("jobs of others", "a link that shares one job, for another, and after it was taken back")
def share_link(s):
    other = s.owner.job()
    link = s.owner.post(f"/api/v1/jobs/{s.job}/share").json["share"]
    nobody = Visitor(s.server)
    demand(nobody.get(f"/api/v1/jobs/{s.job}?share={link}").status == 200, "the link")
    refused(nobody.get(f"/api/v1/jobs/{other}?share={link}"), 404)
    for path in ("cancel", "share"):
        refused(nobody.post(f"/api/v1/jobs/{s.job}/{path}?share={link}"), 404)
    s.owner.ask("DELETE", f"/api/v1/jobs/{s.job}/share", {})
    refused(nobody.get(f"/api/v1/jobs/{s.job}?share={link}"), 404)
    refused(nobody.get(f"/s/{link}"), 404)


# ---- accounts and their secrets

@attempt("accounts", "what is for administrators, asked for by a user")
def not_admin(s):
    account = s.attacker.get("/api/v1/account").json["id"]
    refused(s.attacker.get("/api/v1/users"), 403)
    refused(s.attacker.post("/api/v1/invitations", {"role": "admin"}), 403)
    refused(s.attacker.ask("PATCH", f"/api/v1/users/{account}", {"role": "admin"}), 403)
    refused(s.attacker.post("/account/invite", raw=b"role=admin", headers=FORM), 403)


@attempt("accounts", "a role among the words of a registration")
def role_in_registration(s):
    visitor = Visitor(s.open)
    reply = visitor.post("/api/v1/accounts", {"name": "climber", "password": PASSWORD, "role": "admin"})
    demand(reply.status == 201 and reply.json["account"]["role"] == "user", reply)


@attempt("accounts", "registering without an invitation, with a made-up one, and twice with one")
def invitations(s):
    name = iter(f"guest{k}" for k in range(9))
    refused(Visitor(s.server).register(next(name)), 403)
    refused(Visitor(s.server).register(next(name), "made-up"), 403)
    invitation = s.server.admin.post("/api/v1/invitations", {"role": "user"}).json["invitation"]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda n: Visitor(s.server).register(n, invitation).status, [next(name) for _ in range(4)]))
    demand(sorted(replies) == [201, 403, 403, 403], f"at once: {replies}")


@attempt("accounts", "names with markup, blanks, controls, other alphabets; a name in other letters")
def names(s):
    for name in (MARKUP, "a b", "a\n", "\x1b[31m", "аdmin", "", "x" * 65, "../x", "a\x00b"):
        refused(Visitor(s.open).register(name), 422, 400)
    refused(Visitor(s.open).register("ADMIN"), 409)


@attempt("accounts", "passwords that are short, and a password of 900 kB")
def passwords(s):
    for password in ("short", "", "p" * 257, "p" * 900_000):
        refused(Visitor(s.open).register("pass", password=password), 422)
    refused(Visitor(s.server).login("owner", "p" * 900_000), 401)


@attempt("accounts", "guessing a password: after ten failures the right one does not help either")
def guessing(s):
    user = s.fresh("guessed")
    name = user.get("/api/v1/account").json["name"]
    behind = Visitor(s.open)
    behind.register(name)
    for k in range(10):
        refused(Visitor(s.open).post("/api/v1/session", {"name": name, "password": f"guess {k}"}, headers={"X-Forwarded-For": f"10.0.0.{k}"}), 401)
    refused(Visitor(s.open).post("/api/v1/session", {"name": name, "password": PASSWORD}, headers={"X-Forwarded-For": "10.0.0.99"}), 429)
    refused(Visitor(s.open).post("/api/v1/session", {"name": name.upper(), "password": PASSWORD}, headers={"X-Forwarded-For": "10.0.0.98"}), 429)


@attempt("accounts", "many names from one address")
def spraying(s):
    for k in range(10):
        refused(Visitor(s.open).post("/api/v1/session", {"name": f"sprayed{k}", "password": "x"}, headers={"X-Forwarded-For": "10.9.9.9"}), 401)
    refused(Visitor(s.open).post("/api/v1/session", {"name": "climber", "password": PASSWORD}, headers={"X-Forwarded-For": "10.9.9.9"}), 429)
    refused(Visitor(s.open).post("/api/v1/session", {"name": "climber", "password": PASSWORD}, headers={"X-Forwarded-For": "1.2.3.4, 10.9.9.9"}), 429)


def ticks(server):
    """Processor time of the server."""
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


@attempt("accounts", "telling by the answer, or by the work that it takes, whether a name has an account")
def unknown_names(s):
    Visitor(s.open).register("known")

    def try_nine(name, network):
        before = ticks(s.open)
        replies = [Visitor(s.open).post("/api/v1/session", {"name": name, "password": "wrong"}, headers={"X-Forwarded-For": f"10.{network}.0.{k}"}) for k in range(9)]
        return ticks(s.open) - before, {(r.status, r.text) for r in replies}

    try_nine("warm", 1)
    known, answers = try_nine("known", 2)
    unknown, others = try_nine("unknown", 3)
    demand(answers == others and len(answers) == 1, f"{answers} {others}")
    demand(known < 3 * unknown + 6 and unknown < 3 * known + 6 and unknown > 3, f"{known} and {unknown} ticks for nine logins")


@attempt("sessions", "a cookie that was made up, cut, or is another's hash")
def made_up_cookie(s):
    value = s.owner.cookie.split("=")[1]
    for cookie in ("bolza_session=", "bolza_session=made-up", f"bolza_session={value[:-1]}", f"bolza_session={value}x", "bolza_session=' OR '1'='1"):
        refused(Visitor(s.server).get("/api/v1/account", headers={"Cookie": cookie}), 401, 400)


@attempt("sessions", "a session after its logout")
def after_logout(s):
    user = s.fresh("leaver")
    cookie = user.cookie
    user.ask("DELETE", "/api/v1/session", {})
    refused(Visitor(s.server).get("/api/v1/account", headers={"Cookie": cookie}), 401)


@attempt("sessions", "other sessions and tokens after the password has changed")
def after_change(s):
    user = s.fresh("changer")
    name = user.get("/api/v1/account").json["name"]
    other, token = Visitor(s.server), s.server.token(user)
    other.login(name)
    user.post("/api/v1/account/password", {"old": PASSWORD, "new": PASSWORD + "2"})
    refused(other.get("/api/v1/account"), 401)
    refused(token.get("/api/v1/account"), 401)
    demand(user.get("/api/v1/account").status == 200, "the session that changed it goes on")


@attempt("sessions", "session and token of an account that was disabled")
def after_disabling(s):
    user = s.fresh("disabled")
    account, token = user.get("/api/v1/account").json["id"], s.server.token(user)
    s.server.admin.ask("PATCH", f"/api/v1/users/{account}", {"disabled": True})
    refused(user.get("/api/v1/account"), 401)
    refused(token.get("/api/v1/account"), 401)


@attempt("sessions", "a session that was planted before the login")
def fixation(s):
    visitor = Visitor(s.server)
    visitor.cookie = "bolza_session=planted"
    visitor.login("owner")
    demand(visitor.cookie != "bolza_session=planted" and visitor.get("/api/v1/account").status == 200, visitor.cookie)
    refused(Visitor(s.server).get("/api/v1/account", headers={"Cookie": "bolza_session=planted"}), 401)


@attempt("sessions", "reading the cookie by a script, or sending it from another site")
def cookie_attributes(s):
    header = Visitor(s.server).login("owner").headers["Set-Cookie"]
    demand("HttpOnly" in header and "SameSite=Lax" in header and "Path=/" in header, header)


@attempt("tokens", "a token that was made up, cut, or given in another scheme")
def made_up_token(s):
    token = s.server.token(s.owner).token
    for header in ("Bearer made-up", f"Bearer {token[:-1]}", f"Bearer {token} ", f"Basic {token}", token, "Bearer ", f"bearer {token}"):
        refused(Visitor(s.server).get("/api/v1/account", headers={"Authorization": header}), 401) if header != f"Bearer {token} " else None


@attempt("tokens", "a token that may read: submitting, cancelling, sharing, running again")
def read_token(s):
    reader = s.server.token(s.owner, "read")
    refused(reader.submit(files={"m.mop": QUICK}), 403)
    for what in ("cancel", "share"):
        refused(reader.post(f"/api/v1/jobs/{s.job}/{what}"), 404)
    refused(reader.post(f"/api/v1/jobs/{s.job}/rerun"), 403)
    refused(reader.post(f"/jobs/{s.job}/share", raw=b"", headers=FORM), 404)
    refused(reader.post("/new", raw=b"command=solve", headers=FORM), 403)


@attempt("tokens", "a token that makes tokens, removes them, changes the password, or is an administrator's that reads")
def token_beyond(s):
    token, reader = s.server.token(s.owner), s.server.token(s.owner, "read")
    refused(token.post("/api/v1/tokens", {"name": "more", "scope": "write"}), 403)
    refused(reader.ask("DELETE", f"/api/v1/tokens/{s.owner.get('/api/v1/tokens').json['tokens'][0]['id']}", {}), 403)
    refused(token.post("/api/v1/account/password", {"old": PASSWORD, "new": PASSWORD}), 403)
    refused(s.server.token(s.server.admin, "read").get("/api/v1/users"), 403)


@attempt("tokens", "removing a token of another account")
def foreign_token(s):
    s.server.token(s.owner)
    for token in s.owner.get("/api/v1/tokens").json["tokens"]:
        refused(s.attacker.ask("DELETE", f"/api/v1/tokens/{token['id']}", {}), 404)


# ---- questions that another site makes a browser ask

def forged(s, **headers):
    return s.owner.ask("POST", f"/api/v1/jobs/{s.job}/share", {}, headers=headers)


@attempt("forged questions", "a cookie without the token of its forms, with a wrong one, with that of another session")
def without_csrf(s):
    refused(forged(s, **{"X-CSRF-Token": ""}), 403)
    refused(forged(s, **{"X-CSRF-Token": "wrong"}), 403)
    refused(forged(s, **{"X-CSRF-Token": s.attacker.csrf}), 403)


@attempt("forged questions", "one that a browser says comes from another site")
def other_origin(s):
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": f"http://127.0.0.1:{s.server.port}.evil.example"}):
        refused(forged(s, **headers), 403)


@attempt("forged questions", "a form as another site can send it: urlencoded, plain text, multipart")
def foreign_form(s):
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        refused(s.owner.post(f"/jobs/{s.job}/share", raw=b"csrf=&x=1", headers={"Content-Type": kind, "X-CSRF-Token": ""}), 403, 400)


@attempt("forged questions", "DELETE and PATCH without the token")
def other_methods(s):
    for method in ("DELETE", "PATCH"):
        path = f"/api/v1/jobs/{s.job}/share" if method == "DELETE" else "/api/v1/users/x"
        refused(s.server.admin.ask(method, path, {}, headers={"X-CSRF-Token": ""}), 403)


@attempt("forged questions", "logging somebody in, and out, from elsewhere")
def forged_login(s):
    refused(Visitor(s.server).post("/login", raw=b"name=owner&password=x", headers=FORM | {"Origin": "https://evil.example"}), 403)
    refused(Visitor(s.server).post("/api/v1/session", {"name": "owner", "password": PASSWORD}, headers={"Sec-Fetch-Site": "cross-site"}), 403)
    refused(s.owner.post("/logout", raw=b"", headers=FORM | {"X-CSRF-Token": ""}), 403)


@attempt("forged questions", "a picture or a link that changes something")
def by_get(s):
    for path in (f"/api/v1/jobs/{s.job}/share", f"/jobs/{s.job}/share", f"/jobs/{s.job}/cancel", "/logout"):
        refused(s.owner.get(path), 405)


@attempt("forged questions", "showing a page in a frame of another site")
def framed(s):
    for path in ("/jobs", "/login", f"/jobs/{s.job}"):
        demand("frame-ancestors 'none'" in s.owner.get(path).headers["Content-Security-Policy"], path)


# ---- paths and names

@attempt("paths", "out of the folder of the page's parts, in five spellings")
def out_of_assets(s):
    for path in ("/assets/../../etc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets//etc/passwd", "/assets/..\\..\\etc\\passwd",
                 "/assets/built/editor.js", "/examples/../README.md", "/examples/..%2fREADME.md"):
        reply = s.owner.get(path)
        demand(reply.status == 404 and "root:" not in reply.text, f"{path}: {reply}")


@attempt("paths", "results and files with .. in their names")
def out_of_results(s):
    for name in ("../result.json", "..%2fresult.json", "..%2f..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "result.json%00.html", ".", "..", "result.json/"):
        for kind in ("results", "files"):
            reply = s.owner.get(f"/api/v1/jobs/{s.job}/{kind}/{name}")
            demand("root:" not in reply.text and (reply.status in (400, 404) or name == "result.json/"), f"{name}: {reply}")


@attempt("paths", "files of a job that are called ../x, /etc/passwd, .bashrc, -o, a/b, CON:, or nothing")
def file_names(s):
    for name in ("../x.mop", "/etc/passwd", ".bashrc", "-o", "a/b.mop", "a\\b.mop", "CON:", "", "ü.mop", "x" * 101, "a b.mop", "a\x00.mop", "a\n.mop"):
        refused(s.attacker.submit(files={name: QUICK, "m.mop": QUICK}, model="m.mop"), 422)
        refused(s.attacker.submit(files={name: QUICK}, model=name), 422)
    for name in ("out", "guess.mat"):  # the worker's own
        refused(s.attacker.submit(files={name: "x", "m.mop": QUICK}, model="m.mop"), 422)


@attempt("paths", "a model, tables, a guess that are files of the server")
def files_of_server(s):
    for model in ("/etc/passwd", "../jobs.sqlite", "."):
        refused(s.attacker.submit(files={"m.mop": QUICK}, model=model), 422)
    for command, option in (("fit", "data"), ("fit", "conditions"), ("fit", "parameters"), ("solve", "init-from"), ("solve", "scenarios"), ("simulate", "input")):
        for value in ("/etc/passwd", "../../etc/passwd", s.server.database):
            refused(s.attacker.submit(files={"m.mo": DECAY}, command=command, options={option: value}), 422)


# ---- options

@attempt("options", "those that say where outputs go, whom to trust, what runs")
def forbidden_options(s):
    for name in ("output", "o", "csv", "report", "journal", "trust", "sandbox", "path", "server", "token", "json", "quiet", "q", "no-cache", "max-memory", "progress", "help", "pareto", "colour"):
        refused(s.attacker.submit(files={"m.mop": QUICK}, options={name: "x"}), 422)


@attempt("options", "whatever option of the program names a file or a folder, but those that name files of the job")
def options_of_files(s):
    table = json.loads(subprocess.run([s.server.bolza, "completion", "bash", "--json"], capture_output=True, text=True, check=True).stdout)
    offered = s.attacker.get("/api/v1/options").json
    for command in table["commands"]:
        for option in command["options"] if command["name"] in offered else []:
            for name in (name.lstrip("-") for name in option["names"]):
                if re.search("FILE|DIR|FOLDER|PAGE", option["type"]) and name not in ("data", "parameters", "conditions", "scenarios", "init-from", "input"):
                    refused(s.attacker.submit(files={"m.mop": QUICK}, command=command["name"], options={name: "m.mop"}), 422)


@attempt("options", "names that would be two words, or another option")
def option_names(s):
    for name in ("--trust", "mesh --trust", "mesh=1 --trust", "-o", "", "mesh\n--trust=all", "mesh\x00", "trust=all", "Mesh", "../mesh"):
        refused(s.attacker.submit(files={"m.mop": QUICK}, options={name: "all"}), 422)


@attempt("options", "values that would be further words: they stay one")
def option_values(s):
    marker = pathlib.Path(s.server.folder) / "made"
    for value in (f"20 --output={marker}", f"20\n--output={marker}", f"$(touch {marker})", f"`touch {marker}`", f"; touch {marker}", f"--output={marker}"):
        job = s.attacker.wait(s.attacker.job(options={"mesh": value}))
        demand(job["state"] == "failed", job)
    demand(not marker.exists(), "something was written")
    refused(s.attacker.submit(files={"m.mop": QUICK}, options={"mesh": "20\x00--trust=all"}), 422)


@attempt("options", "a class that is an option, or holds another word")
def class_names(s):
    for name in ("--trust=all", "-o", "A --trust=all", "A\n", "A\x00", "x" * 300):
        refused(s.attacker.submit(files={"m.mop": QUICK}, **{"class": name}), 422)


@attempt("options", "more time, memory and processors than the server gives")
def more_than_given(s):
    job = s.ended(ENDLESS, options={"stop": 1e6, "max-time": 1e7})
    demand(job["state"] in ("failed", "done") and job["finished"] is not None, job)
    refused(s.attacker.submit(files={"m.mo": DECAY}, command="fit", options={"jobs": 64}), 422)


@attempt("options", "a list where an option has one value, of every option; a kept job that has one")
def lists_of_values(s):
    table = json.loads(subprocess.run([s.server.bolza, "completion", "bash", "--json"], capture_output=True, text=True, check=True).stdout)
    tried = 0
    for command in table["commands"]:
        for option in command["options"] if command["name"] in ("solve", "simulate", "fit") else ():
            for name in () if option["repeated"] else option["names"]:
                refused(s.attacker.submit(files={"m.mo": DECAY}, command=command["name"], options={name.lstrip("-"): ["1", "2"]}), 422)
                tried += 1
    demand(tried > 60, f"{tried} options")
    kept_with(s, ['{"max-time": ["1", "2"]}', '{"stop": {"a": 1}, "max-time": null}', '{"set": [["k=1"]], "tol": 7}', "[]", "7", '{"max-'])


def kept_with(s, kept):
    """Queued jobs whose kept options are others, with the hash that they have: the worker ends each of them, and goes on."""
    with s.server_without_workers() as server:
        user = server.user("keeper")
        jobs = {options: user.job(DECAY, "m.mo", command="simulate") for options in kept}
        known = {"class": "", "command": "simulate", "files": {"m.mo": hashlib.sha256(DECAY.encode()).hexdigest()}, "model": "m.mo", "start_from": ""}
        texts = {}
        for options, job in jobs.items():
            try:
                texts[options] = json.dumps(known | {"options": json.loads(options)}, sort_keys=True, separators=(",", ":"))
            except json.JSONDecodeError:
                texts[options] = ""
            with sqlite3.connect(server.database) as database:
                database.execute("UPDATE jobs SET options = ?, hash = ? WHERE id = ?", (options, hashlib.sha256(texts[options].encode()).hexdigest(), job))
        server.stop()
        server.workers = 1
        server.start()
        for options, job in jobs.items():
            ended = user.wait(job)
            demand(ended["state"] in ("done", "failed") and ended["attempt"] == 1, f"{options}: {ended}")
            demand(ended["state"] == "done" or "hash" not in ended["message"] or not texts[options], f"{options}: the hash of the test is another: {ended}")
        demand(user.wait(user.job(DECAY, "m.mo", command="simulate"))["state"] == "done", "the worker goes on")


@attempt("options", "options of IPOPT that write a file")
def ipopt_file(s):
    marker = pathlib.Path(s.server.folder) / "ipopt.txt"
    for options in ({"ipopt": [f"output_file={marker}"]}, {"engine-option": [f"ipopt.output_file={marker}"]}):
        s.attacker.wait(s.attacker.job(options=options))
    demand(not marker.exists(), "IPOPT wrote outside")


# ---- models

FOREIGN = 'function run input String s; output Integer r; external "C" r = system(s); end run; model M constant Integer n = run("{0}"); Real x[n + 1] = ones(n + 1); end M;'


@attempt("models", "external C that calls system")
def external_c(s):
    marker = pathlib.Path(s.server.folder) / "ran"
    job = s.ended(FOREIGN.replace("{0}", f"touch {marker}"))
    demand(job["state"] == "failed" and "E257" in job["message"] and not marker.exists(), job)


@attempt("models", "C text that is included, and a library to be opened")
def included_c(s):
    for annotation in ('Include="int f(void) { return system(\\"id\\"); }"', 'Library="/tmp/evil.so"', 'Include="#include \\"/etc/passwd\\""'):
        job = s.ended(f'function f output Integer r; external "C" r = f() annotation({annotation}); end f; model M Integer n = f(); Real x = n; end M;')
        demand(job["state"] == "failed" and "uid=" not in json.dumps(job) and "root:" not in json.dumps(job), job)


@attempt("models", "a table that is /etc/passwd, by readTable and by CombiTimeTable")
def table_of_server(s):
    models = ['model M parameter Real t[:, :] = readTable("/etc/passwd"); Real x = t[1, 1]; end M;',
              'model M Modelica.Blocks.Sources.CombiTimeTable t(tableOnFile = true, tableName = "root", fileName = "/etc/passwd"); end M;',
              'model M import Modelica.Utilities.Streams.readFile; constant String l[:] = readFile("/etc/passwd"); Real x = size(l, 1); end M;']
    for model in models:
        job = s.ended(model)
        results = s.attacker.get(f"/api/v1/jobs/{job['id']}/results/result.json").text + s.attacker.get(f"/api/v1/jobs/{job['id']}/results/log.txt").text
        demand(job["state"] == "failed" and "root:x" not in results, f"{job} {results[:300]}")


@attempt("models", "a file of another folder by modelica://, with .. and with %2e")
def modelica_address(s):
    for address in ("modelica://M/../../../etc/passwd", "modelica://../etc/passwd", "modelica://M/%2e%2e/%2e%2e/etc/passwd", "file:///etc/passwd"):
        job = s.ended(f'model M Modelica.Blocks.Sources.CombiTimeTable t(tableOnFile = true, tableName = "x", fileName = Modelica.Utilities.Files.loadResource("{address}")); end M;')
        demand(job["state"] == "failed", job)


@attempt("models", "reading the environment, writing files, ending the process")
def utilities(s):
    marker = pathlib.Path(s.server.folder) / "written"
    calls = ['constant String v = Modelica.Utilities.System.getEnvironmentVariable("PATH"); Real x = Modelica.Utilities.Strings.length(v)',
             'Real x(start = 1, fixed = true); initial algorithm Modelica.Utilities.System.command("touch %s")' % marker,
             'Real x(start = 1, fixed = true); initial algorithm Modelica.Utilities.Streams.print("x", "%s")' % marker]
    for call in calls:
        job = s.ended(f"model M {call}; end M;" if "algorithm" not in call else f"model M {call}; equation der(x) = -x; end M;")
        demand(job["state"] == "failed" and not marker.exists(), job)


@attempt("models", "an annotation that names a result elsewhere")
def annotated_output(s):
    marker = pathlib.Path(s.server.folder) / "annotated.mat"
    model = QUICK.replace("end Quick;", f'annotation(solver(output = "{marker}"), experiment(StopTime = 1)); end Quick;')
    s.attacker.wait(s.attacker.job(model))
    demand(not marker.exists(), "it was written")


@attempt("models", "one that never ends: it fails, and the worker goes on")
def endless(s):
    job = s.ended(ENDLESS, options={"stop": 1e7})
    demand(job["state"] in ("failed", "done") and job["verdict"] != "solved", job)
    demand(s.owner.wait(s.owner.job())["state"] == "done", "the worker goes on")


@attempt("models", "one that takes all memory: it fails, and the worker goes on")
def memory_hog(s):
    for n in (1100, 20000):  # the first is a model that may be so large, and takes more than 600 MB; the second has too many variables
        job = s.ended(f"model M parameter Integer n = {n}; Real x[n, n](each start = 1, each fixed = true); equation der(x) = -x*2; end M;")
        demand(job["state"] == "failed" and job["message"], job)
    demand(s.owner.wait(s.owner.job())["state"] == "done", "the worker goes on")


@attempt("models", "an expression of 200,000 parentheses, a chain of 20,000 classes")
def deep_model(s):
    deep = "model M Real x = " + "(" * 200_000 + "1" + ")" * 200_000 + "; end M;"
    chain = "".join(f"model A{k} extends A{k + 1}; end A{k};\n" for k in range(20_000)) + "model A20000 Real x = 1; end A20000;"
    for model, name in ((deep, "M"), (chain, "A0")):
        job = s.ended(model, **{"class": name})
        demand(job["state"] in ("failed", "done") and "signal" not in job["message"], job)


@attempt("models", "text without end on standard output and error")
def loud_model(s):
    model = 'model M Real x(start = 0, fixed = true); equation der(x) = 1; algorithm when sample(0, 1e-5) then Modelica.Utilities.Streams.print("' + "x" * 2000 + '"); end when; end M;'
    job = s.ended(model, options={"stop": 10})
    demand(job["result_bytes"] < 300e6 and s.attacker.show(job["id"])["results"].get("log.txt", 0) < 100_000, job)


@attempt("models", "bytes that are no text on standard output and error")
def bytes_in_the_log(s):
    model = b'model M Real x(start = 1, fixed = true); equation der(x) = -x; when time > 0.5 then Modelica.Utilities.Streams.print("\xff\xfe\xc3("); end when; assert(time < 0.8, "\xff\x80 late"); end M;'
    job = s.ended({"base64": base64.b64encode(model).decode()})
    text = s.attacker.get(f"/api/v1/jobs/{job['id']}/results/log.txt").body if "log.txt" in s.attacker.show(job["id"])["results"] else b""
    text.decode("utf8")
    demand(job["state"] in ("failed", "done"), job)
    demand(s.attacker.get(f"/jobs/{job['id']}").body.decode("utf8"), "its page is text")


# ---- what is shown

@attempt("what is shown", "markup in title, file, option, class, message and model")
def markup(s):
    model = "model M \"" + MARKUP.replace('"', "'") + "\" Real x = 1; end M; // </textarea></pre>" + MARKUP
    job = s.ended(model, title=MARKUP, options={"set": [f"x={MARKUP}"]}, **{"class": "'<script>alert(3)</script>'"})
    for path in (f"/jobs/{job['id']}", "/jobs?search=script", f"/new?from={job['id']}", f"/jobs?search={quote(MARKUP)}&state={quote(MARKUP)}&command={quote(MARKUP)}"):
        text = s.attacker.get(path).text
        demand(not re.search(r"<script>alert|<img src=x|</textarea></pre>", text), f"{path}: {text}")


@attempt("what is shown", "markup in names of tokens, and what was typed wrong")
def markup_of_forms(s):
    s.attacker.post("/api/v1/tokens", {"name": MARKUP[:90], "scope": "read"})
    texts = [s.attacker.get("/account").text,
             Visitor(s.server).post("/login", raw=urllib.parse.urlencode({"name": MARKUP, "password": "x", "next": MARKUP}).encode(), headers=FORM).text,
             Visitor(s.server).get("/register?invitation=" + quote(MARKUP)).text, Visitor(s.server).get("/" + quote(MARKUP)).text]
    for text in texts:
        demand("<script>alert" not in text and "<img src=x" not in text, text)


@attempt("what is shown", "scripts in a report, a result or a file that was sent: no origin, no network, no guessed type")
def report_policy(s):
    for path in ("results/report.html", "results/result.json", "files/secret_model.mop"):
        headers = s.owner.get(f"/api/v1/jobs/{s.job}/{path}").headers
        policy = headers["Content-Security-Policy"]
        demand(policy.startswith("sandbox allow-scripts;") and "default-src 'none'" in policy and "allow-same-origin" not in policy, policy)
        demand(headers["X-Content-Type-Options"] == "nosniff", path)
    sent = s.attacker.job("<html><script>alert(1)</script>", "page.html", command="simulate")
    headers = s.attacker.get(f"/api/v1/jobs/{sent}/files/page.html").headers
    demand("html" not in headers["Content-Type"] and headers["Content-Disposition"] == "attachment", headers)


@attempt("what is shown", "control characters and marks that turn the direction of writing")
def controls(s):
    job = s.ended("model M Real x = 1; end M;", title="a\x1b[2Jb\u202ec\u0085")
    text = s.attacker.get(f"/jobs/{job['id']}").text
    demand("\x1b" not in text and "\u202e" not in text and "\u0085" not in text and "\\u202e" in text, text[:2000])


@attempt("what is shown", "a way to another site: next=//evil, next=/\\evil, next with a line end")
def open_redirect(s):
    for target in ("//evil.example", "/\\evil.example", "https://evil.example", "/x\r\nSet-Cookie: a=b", "javascript:alert(1)"):
        user = s.fresh("redirected")
        name = user.get("/api/v1/account").json["name"]
        reply = Visitor(s.server).post("/login", raw=urllib.parse.urlencode({"name": name, "password": PASSWORD, "next": target}).encode(), headers=FORM)
        demand(reply.status == 303 and reply.headers["Location"] == "/jobs" and "a=b" not in str(reply.headers), reply.headers)


@attempt("what is shown", "links to another server by the header Host")
def host_header(s):
    reply = s.owner.post(f"/api/v1/jobs/{s.job}/share", headers={"Host": "evil.example"})
    demand(reply.status == 403 or "evil" not in reply.text, reply)
    page = s.owner.get("/jobs", headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"})
    demand("evil" not in page.text, page)


# ---- bodies and bytes

@attempt("bytes", "a body of 1 GB: refused before it is read")
def huge_body(s):
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {s.server.token(s.attacker).token}\r\nContent-Length: 1000000000\r\n\r\n"
    demand(b" 413 " in raw(s.server, head.encode(), [b"x" * 10_000]).split(b"\r\n")[0], "a length of 1 GB")
    refused(s.attacker.submit(files={"m.mop": "x" * 1_500_000}), 413)


@attempt("bytes", "a body in pieces without end")
def endless_body(s):
    head = b"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = raw(s.server, head, [b"10000\r\n" + b"x" * 65536 + b"\r\n"] * 200)
    demand(b" 200 " not in answer.split(b"\r\n")[0], answer[:200])


@attempt("bytes", "a small body that becomes 200 MB when it is unpacked")
def bomb(s):
    body = gzip.compress(b" " * 200_000_000)
    reply = s.attacker.post("/api/v1/jobs", raw=body, headers={"Content-Type": "application/json", "Content-Encoding": "gzip"})
    refused(reply, 400, 413, 415)


@attempt("bytes", "a head, and a body, that stop half way: the connection is closed")
def slow(s):
    for data in (b"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{", b"GET /jobs HT"):
        answer = raw(s.server, data)
        demand(b" 200 " not in answer.split(b"\r\n")[0], answer[:200])


@attempt("bytes", "JSON of 100,000 brackets, of no object, with numbers beyond all bounds")
def deep_json(s):
    for body in (b"[" * 100_000, b'{"files":' * 20_000, b"{\"a\":" * 50 + b"1" + b"}" * 50, b"[]", b"null", b"", b"{", b'{"files": {"m.mop": 1e999}}', b'"x"', b"\xef\xbb\xbf{}", b"{\"a\": NaN}"):
        refused(s.attacker.post("/api/v1/jobs", raw=body, headers={"Content-Type": "application/json"}), 400, 422)


@attempt("bytes", "bytes that are no text, and NUL: in a body, an address, a header, a form")
def no_text(s):
    refused(s.attacker.post("/api/v1/jobs", raw=b'{"title": "\xff\xfe", "files": {"m.mop": ""}}'), 400)
    refused(s.attacker.get("/api/v1/jobs?search=%ff"), 400)
    refused(s.attacker.get("/api/v1/jobs?search=a%00b"), 400)
    refused(s.attacker.get("/api/v1/jobs/%ff%fe"), 400)
    refused(s.attacker.get("/api/v1/jobs", headers={"X-Job-Secret": "\xff"}), 400)
    refused(s.attacker.post("/new", raw=b"title=%ff&csrf=" + s.attacker.csrf.encode(), headers=FORM), 400)


@attempt("bytes", "members and types that the description does not have")
def wrong_types(s):
    good = {"files": {"m.mop": QUICK}}
    for body in (good | {"owner": "admin"}, good | {"itle": "x"}, good | {"": "x"}, good | {"title": 7}, good | {"options": []}, good | {"options": {"mesh": {"a": 1}}}, good | {"options": {"mesh": [[1]]}}, good | {"options": {"mesh": []}},
                 good | {"options": {"mesh": None}}, {"files": []}, {"files": {"m.mop": 7}}, {"files": {"m.mop": {"base64": "*"}}}, {"files": {"m.mop": {"base64": 7}}}, good | {"command": "compile"},
                 good | {"command": "serve"}, good | {"command": ["solve"]}, good | {"title": "x" * 201}, good | {"options": {"mesh": "x" * 20_001}}, {"files": {f"f{k}.mo": "" for k in range(51)}, "model": "f1.mo"},
                 good | {"options": {"set": ["k=1"] * 201}}):
        refused(s.attacker.post("/api/v1/jobs", body), 422)


@attempt("bytes", "heads of 100 kB, 10,000 headers, addresses of 20 kB, methods that there are not")
def heads(s):
    for data in (b"GET /jobs HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", b"GET /jobs HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n", b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
                 b"TRACE / HTTP/1.1\r\n\r\n", b"BREW /jobs HTTP/1.1\r\n\r\n", b"CONNECT x:1 HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET jobs HTTP/9\r\n\r\n", b"\r\n\r\n\r\n"):
        answer = raw(s.server, data)
        demand(b" 200 " not in answer.split(b"\r\n")[0], answer[:200])
    demand(Visitor(s.server).get("/healthz").status == 200, "the server goes on")


@attempt("bytes", "a second question hidden behind the first: after lengths that disagree, and in one piece")
def smuggling(s):
    hidden = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    for data in (b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
                 b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 60\r\n\r\n{}" + hidden, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + hidden,
                 b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n" + hidden):
        demand(raw(s.server, data).count(b"HTTP/1.1 ") <= 1, "there were two answers")


# ---- the database

@attempt("the database", "SQL in ids, names, tokens, secrets, links, searches, filters, limits")
def sql_everywhere(s):
    before = len(s.owner.get("/api/v1/jobs").json["jobs"])
    for text in NASTY_SQL:
        q = quote(text)
        refused(s.attacker.get(f"/api/v1/jobs/{q}"), 404)
        refused(s.attacker.get(f"/api/v1/jobs/{s.job}?share={q}"), 404)
        refused(s.attacker.get(f"/api/v1/jobs/{s.job}?secret={q}"), 404)
        refused(s.owner.get(f"/api/v1/jobs/{s.job}/results/{q}"), 404)
        refused(s.attacker.get(f"/s/{q}"), 404)
        refused(Visitor(s.server, token=text.encode("ascii", "ignore").decode()).get("/api/v1/account"), 401)
        refused(Visitor(s.server).register("good-name", text), 403)
        refused(s.attacker.ask("DELETE", f"/api/v1/tokens/{q}", {}), 404)
        refused(s.server.admin.ask("PATCH", f"/api/v1/users/{q}", {}), 404)
        for field in ("search", "state", "command", "before", "limit"):
            reply = s.attacker.get(f"/api/v1/jobs?{field}={q}")
            demand(reply.status == 200 and "secret title" not in reply.text, f"{field}={text}: {reply}")
    demand(len(s.owner.get("/api/v1/jobs").json["jobs"]) == before, "jobs are gone")


@attempt("the database", "SQL in what is kept: title, class, files, options")
def sql_kept(s):
    user = s.fresh("keeper")
    for text in NASTY_SQL:
        job = user.job(title=text, options={"set": [f"p={text}"]})
        demand(user.show(job)["title"] == text and user.show(job)["options"]["set"] == [f"p={text}"], text)
        user.post(f"/api/v1/jobs/{job}/cancel")


@attempt("the database", "limits of a list that are negative, huge, or no number")
def list_limits(s):
    for limit in ("-1", "0", "1e9", "99999999999999999999", "x", "NaN"):
        demand(len(s.owner.get(f"/api/v1/jobs?limit={limit}&before={limit}").json["jobs"]) <= 200, limit)


@attempt("the database", "secrets in its file: passwords, tokens, sessions, links, invitations")
def secrets_kept(s):
    token = s.server.token(s.owner).token
    link = s.owner.post(f"/api/v1/jobs/{s.job}/share").json["share"]
    invitation = s.server.admin.post("/api/v1/invitations", {"role": "user"}).json["invitation"]
    bytes_ = b"".join(file.read_bytes() for file in pathlib.Path(s.server.folder).glob("jobs.sqlite*"))
    for secret in (PASSWORD, token, link, invitation, s.owner.cookie.split("=")[1]):
        demand(secret.encode() not in bytes_, "a secret stands in the file")
    demand(os.stat(s.server.database).st_mode & 0o077 == 0, "others may read the file")


@attempt("the database", "a kept model that was changed there: the worker refuses it")
def tampered(s):
    with s.server_without_workers() as server:
        user = server.user("victim")
        job = user.job()
        with sqlite3.connect(server.database) as database:
            database.execute("UPDATE job_files SET content = ? WHERE job = ?", (DECAY.encode(), job))
        refused(user.post(f"/api/v1/jobs/{job}/rerun"), 409)
        server.stop()
        server.workers = 1
        server.start()
        demand("hash" in user.wait(job)["message"], user.show(job))


def server_without_workers(self):
    return Server(self.server.bolza, workers=0)


Scene.server_without_workers = server_without_workers


# ---- more than one's share

@attempt("shares", "twenty jobs at once where three may wait")
def quota_race(s):
    user = Visitor(s.open)
    user.register("greedy")
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda _: user.submit(files={"m.mop": QUICK}).status, range(20)))
    demand(replies.count(202) == 3 and replies.count(429) == 17, replies)
    for job in user.get("/api/v1/jobs").json["jobs"]:
        user.post(f"/api/v1/jobs/{job['id']}/cancel")


@attempt("shares", "more bytes than the archive keeps of an account, in many jobs")
def byte_quota(s):
    user = Visitor(s.open)
    user.register("hoarder")
    statuses = []
    for _ in range(4):
        reply = user.submit(files={"m.mop": QUICK, "big.csv": "x" * 400_000}, model="m.mop")
        statuses.append(reply.status)
        if reply.status == 202:
            user.post(f"/api/v1/jobs/{reply.json['id']}/cancel")
    demand(statuses == [202, 202, 429, 429], statuses)


@attempt("shares", "more jobs than the queue holds: refused at once with when to come again")
def full_queue(s):
    users = []
    for k in range(4):
        users.append(Visitor(s.open))
        users[-1].register(f"queuer{k}")
    replies = [user.submit(files={"m.mop": QUICK}) for user in users for _ in range(2)]
    last = replies[-1]
    demand(last.status == 503 and last.headers["Retry-After"], last)
    for user in users:
        for job in user.get("/api/v1/jobs").json["jobs"]:
            user.post(f"/api/v1/jobs/{job['id']}/cancel")


@attempt("shares", "400 connections that watch: others are answered meanwhile")
def many_watchers(s):
    job = Visitor(s.open).submit(files={"m.mop": QUICK}).json
    question = f"GET /api/v1/jobs/{job['id']}/events?secret={job['secret']} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    sockets = []
    try:
        for _ in range(400):
            sockets.append(socket.create_connection(("127.0.0.1", s.open.port), timeout=120))
            sockets[-1].sendall(question)
        first = [one.recv(20) for one in sockets]
        demand(sum(b" 200 " in answer for answer in first) <= 240 and any(b" 503 " in answer for answer in first), "all of them watch")
        demand(Visitor(s.open).get("/healthz").status == 200, "the server answers")
    finally:
        for one in sockets:
            one.close()
    Visitor(s.open, secret=job["secret"]).post(f"/api/v1/jobs/{job['id']}/cancel")


@attempt("shares", "metrics asked for from another machine")
def metrics(s):
    refused(Visitor(s.open).get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"}), 403)
    demand(Visitor(s.server).get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"}).status == 200, "without a proxy the header says nothing")


def listed():
    """The attempts that docs/security.md names, by group."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `(\w+)` \|$", text, re.M)
    return [(group, words, name) for group, words, name in rows]


def undergo(scene, chosen):
    """How many of these attempts were not refused."""
    failed = 0
    for group, words, function in chosen:
        try:
            function(scene)
            print(f"refused  {group}: {words}", flush=True)
        except Exception as wrong:
            failed += 1
            print(f"FAILED   {group}: {words} ({function.__name__}): {type(wrong).__name__} {str(wrong)[:600]}", flush=True)
    said = scene.server.said() + scene.open.said()
    if "internal error" in said:
        failed += 1
        print(f"FAILED   {said}")
    return failed


def main():
    written = [(group, words, function.__name__) for group, words, function in attempts]
    if "--list" in sys.argv:
        for row in written:
            print("| {} | {} | `{}` |".format(*row))
        return 0
    failed = 0
    if listed() != written:
        failed += 1
        print("FAILED  docs/security.md lists other attempts: attacks.py BOLZA --list prints its table")
    chosen = [row for row in attempts if len(sys.argv) <= 2 or sys.argv[2] in f"{row[0]} {row[1]} {row[2].__name__}"]
    with Scene(sys.argv[1]) as scene:
        failed += undergo(scene, chosen)
    if has_postgresql():
        with Postgres() as database, Scene(sys.argv[1], database.address) as scene:
            print("with PostgreSQL:")
            failed += undergo(scene, [row for row in chosen if row[2] in (sql_everywhere, sql_kept, list_limits, no_text, wrong_types, invitations)])
    print(f"{len(attempts)} attempts, {failed} not refused")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
