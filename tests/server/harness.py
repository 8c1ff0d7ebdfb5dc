# SPDX-License-Identifier: Apache-2.0
"""A server of its own on a free port of this machine, and who asks it: for the tests in this folder.

Nothing here looks at the clock: a test waits for the events of a job, or asks again a bounded number of times.
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
VAN_DER_POL = (ROOT / "examples" / "van_der_pol.mop").read_text(encoding="utf8")
PASSWORD = "correct horse battery"
QUICK = "optimization Quick(objective = p^2 - 2*p, startTime = 0, finalTime = 1) parameter Real p(free = true); Real x(start = 1, fixed = true); equation der(x) = -x; end Quick;"
DECAY = "model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;"
# A simulation of so many steps that it does not end before it is told to.
ENDLESS = "model Endless Real x(start = 1, fixed = true); Real y(start = 0, fixed = true); equation der(x) = y; der(y) = -1e8*x; end Endless;"
TRIES, PAUSE = 3000, 0.1  # when something is asked for again


class Wrong(Exception):
    """What a test finds."""


def demand(holds, what):
    if not holds:
        raise Wrong(what)


def can_sandbox():
    bwrap = shutil.which("bwrap")
    return bwrap and subprocess.run([bwrap, "--unshare-all", "--ro-bind", "/", "/", "/bin/true"], capture_output=True).returncode == 0


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf8", "replace")

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


class Visitor:
    """Somebody with a browser, or with a token."""

    def __init__(self, server, token=None, secret=None):
        self.server, self.token, self.secret = server, token, secret
        self.cookie = self.csrf = None

    def ask(self, method, path, body=None, headers=None, raw=None):
        given = dict(headers or {})
        if self.token:
            given.setdefault("Authorization", f"Bearer {self.token}")
        if self.secret:
            given.setdefault("X-Job-Secret", self.secret)
        if self.cookie:
            given.setdefault("Cookie", self.cookie)
        if self.csrf:
            given.setdefault("X-CSRF-Token", self.csrf)
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
            given.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        try:
            connection.request(method, path, data, given)
            answer = connection.getresponse()
            reply = Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()
        set_cookie = reply.headers.get("Set-Cookie")
        if set_cookie:
            self.cookie = set_cookie.split(";")[0]
        return reply

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.ask("POST", path, {} if body is None and "raw" not in more else body, **more)

    def submit(self, **job):
        return self.post("/api/v1/jobs", job)

    def job(self, model=QUICK, name="m.mop", **more):
        """The id of a job that was taken."""
        reply = self.submit(files={name: model} | more.pop("files", {}), model=name, **more)
        demand(reply.status == 202, f"a job was not taken: {reply}")
        return reply.json["id"]

    def show(self, job):
        return self.get(f"/api/v1/jobs/{job}").json

    def wait(self, job, *states):
        """The job, once it is over or in one of the states."""
        for _ in range(TRIES):
            shown = self.show(job)
            if shown["state"] in (states or ("done", "failed", "cancelled")):
                return shown
            time.sleep(PAUSE)
        raise Wrong(f"the job stays {shown['state']}: {shown}")

    def register(self, name, invitation=None, password=PASSWORD):
        reply = self.post("/api/v1/accounts", {"name": name, "password": password} | ({"invitation": invitation} if invitation else {}))
        if reply.status == 201:
            self.csrf = reply.json["csrf"]
        return reply

    def login(self, name, password=PASSWORD):
        reply = self.post("/api/v1/session", {"name": name, "password": password})
        if reply.status == 200:
            self.csrf = reply.json["csrf"]
        return reply


class Server:
    """`bolza serve`, as a context. @param database  None: a file of its own  @param prefix  what it is run under  @param port  0: any free one  @param admin  name and password, where the database has accounts; (): none is needed"""

    def __init__(self, bolza, *options, database=None, workers=1, environment=None, prefix=(), admin=None, port=0):
        self.bolza, self.options, self.workers = str(pathlib.Path(bolza).resolve()), options, workers
        self.folder = tempfile.mkdtemp(prefix="bolza-server-test-")
        self.database = database or f"{self.folder}/jobs.sqlite"
        self.environment = dict(os.environ, **(environment or {}))
        self.environment.pop("BOLZA_TOKEN", None)
        if not can_sandbox():
            self.options += ("--without-sandbox",)
        self.prefix, self.accounts, self.admin, self.wanted_port = list(prefix), admin, None, port

    def __enter__(self):
        self.start(self.wanted_port)
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, port=0):
        self.log = open(f"{self.folder}/log.txt", "a", encoding="utf8")
        self.process = subprocess.Popen([*self.prefix, self.bolza, "serve", "--port", str(port), "--database", self.database, "--workers", str(self.workers), *self.options],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=self.folder, env=self.environment)
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)$", line.strip())
        is_known = port and line.strip().startswith("bolza serve: https://")  # its public address
        demand(found or is_known, f"the server did not start: {line!r} {pathlib.Path(self.log.name).read_text(encoding='utf8')}")
        self.port = int(found.group(1)) if found else port
        if self.accounts == ():
            return
        if self.accounts:
            self.admin = Visitor(self)
            demand(self.admin.login(*self.accounts).status == 200, "the administrator is not known")
        elif self.admin is None:
            invitation = re.search(r"invitation=(\S+)", self.process.stdout.readline())
            if invitation:
                self.admin = Visitor(self)
                reply = self.admin.register("admin", invitation.group(1))
                demand(reply.status == 201, f"the first account was not opened: {reply}")

    def stop(self, which=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(which)
            self.process.wait(timeout=120)
        self.process.stdout.close()
        self.log.close()

    def said(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf8")

    def user(self, name):
        """A new account by invitation, logged in."""
        invitation = self.admin.post("/api/v1/invitations", {"role": "user"}).json["invitation"]
        visitor = Visitor(self)
        reply = visitor.register(name, invitation)
        demand(reply.status == 201, f"no account: {reply}")
        return visitor

    def token(self, visitor, scope="write"):
        return Visitor(self, token=visitor.post("/api/v1/tokens", {"name": "test", "scope": scope}).json["token"])

    def children(self):
        """Processes of its workers."""
        try:
            return [int(pid) for pid in pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()]
        except OSError:
            return []


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


def events_of(visitor, job, last=None):
    """Everything that is sent of a job until it is over: [(kind, id, data)]."""
    headers = {"Last-Event-ID": last} if last else {}
    reply = visitor.get(f"/api/v1/jobs/{job}/events", headers=headers)
    demand(reply.status == 200, f"no events: {reply}")
    events = []
    for block in reply.text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "event" in fields:
            events.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
    return events


def run_all(tests, *arguments):
    """Each function by itself; the exit code."""
    failed = 0
    for test in tests:
        try:
            test(*arguments)
            print(f"ok      {test.__name__}", flush=True)
        except Wrong as wrong:
            failed += 1
            print(f"FAILED  {test.__name__}: {wrong}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


def quote(text):
    return urllib.parse.quote(text, safe="")
