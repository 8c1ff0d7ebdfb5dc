#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands and files by which docs/server.md installs a server for a group, as far as they run without systemd: install.py BOLZA. The
texts are read from the page, so that what is tested is what stands there."""
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

from harness import DECAY, PASSWORD, PAUSE, QUICK, ROOT, TRIES, Postgres, Server, Visitor, demand, has_postgresql, run_all

PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf8")


def block_after(words):
    """The first block of code after these words."""
    at = PAGE.index(words)
    return PAGE[at:].split("```\n", 2)[1]


def stands(command):
    demand(f"`{command}`" in PAGE or f"\n{command}\n" in PAGE, f"docs/server.md does not say `{command}`")
    return command


def shell(command, **how):
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, **how)
    demand(run.returncode == 0, f"{command}: {run.stdout}{run.stderr}")
    return run.stdout


def units_are_understood(bolza):
    if not shutil.which("systemd-analyze"):
        print("        no systemd-analyze")
        return
    unit = block_after("`/etc/systemd/system/bolza.service`:")
    demand("ExecStart=/usr/bin/bolza serve" in unit and "ExecStart=/usr/bin/bolza worker" in PAGE, unit)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"bolza.service": unit, "bolza-worker.service": re.sub("ExecStart=.*", "ExecStart=/usr/bin/bolza worker", unit)}.items():
            file = pathlib.Path(folder, name)
            file.write_text(text.replace("/usr/bin/bolza", str(pathlib.Path(bolza).resolve())), encoding="utf8")
            run = subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file], capture_output=True, text=True)
            said = [line for line in run.stderr.splitlines() if name in line]
            demand(run.returncode == 0 and not said, f"{name}: {run.stdout}{run.stderr}")
            wrong = pathlib.Path(folder, "wrong.service")
            wrong.write_text(text.replace("Restart=always", "Restart=perhaps"), encoding="utf8")
            run = subprocess.run(["systemd-analyze", "verify", "--man=no", wrong], capture_output=True, text=True)
            demand("wrong.service" in run.stderr, "a mistake in a unit is seen")


def options_of_the_unit():
    words = re.search("ExecStart=/usr/bin/bolza serve (.*)", block_after("`/etc/systemd/system/bolza.service`:")).group(1).split()
    at = words.index("--port")
    return words[:at] + words[at + 2:]


def role_and_database():
    """The commands that make them, for a server that is not the system's."""
    commands = block_after("On Debian 12, as root, with the package").splitlines()
    return [line.replace("runuser -u postgres -- ", "") for line in commands if line.startswith("runuser")]


def address_of_this_machine():
    """One that is not only its own, where it has any."""
    listed = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    return next((address for address in listed if re.fullmatch(r"[0-9.]+", address)), "127.0.0.1")


HERE = address_of_this_machine()


def through(port, path, headers=None):
    """An answer of the proxy."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(HERE, port, timeout=60, context=context)
    connection.request("GET", path, headers={"Host": "bolza.example"} | (headers or {}))
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def nginx_configuration(folder, port, server_port):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bolza.example", "-keyout", f"{folder}/key.pem",
                    "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
    site = block_after("with nginx\n").replace("listen 443 ssl;", f"listen {HERE}:{port} ssl; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;")
    site = site.replace("127.0.0.1:8080", f"127.0.0.1:{server_port}")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    file = pathlib.Path(folder, "nginx.conf")
    file.write_text(f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{site}\n}}\n", encoding="utf8")
    return file


def a_proxy_stands_in_front(bolza):
    nginx = shutil.which("nginx") or os.environ.get("BOLZA_TEST_NGINX")
    if not nginx or not shutil.which("openssl"):
        print("        no nginx")
        return
    with Server(bolza, *options_of_the_unit(), "--anonymous", port=free_port()) as server, tempfile.TemporaryDirectory() as folder:
        port = free_port()
        configuration = nginx_configuration(folder, port, server.port)
        shell(f"{nginx} -t -e {folder}/error.log -c {configuration}")
        proxy = subprocess.Popen([nginx, "-e", f"{folder}/error.log", "-c", configuration], stderr=subprocess.DEVNULL)
        try:
            for _ in range(TRIES):
                try:
                    status, _ = through(port, "/healthz")
                    break
                except OSError:
                    time.sleep(PAUSE)
            demand(status == 200, "it answers through the proxy")
            nobody = Visitor(server)
            sent = nobody.submit(files={"d.mo": DECAY}, command="simulate").json
            demand(sent["url"].startswith("https://bolza.example/api/v1/jobs/"), "links begin with the public address")
            status, text = through(port, f"/api/v1/jobs/{sent['id']}/events", {"X-Job-Secret": sent["secret"]})
            demand(status == 200 and "event: end" in text, "events come through it")
            if not HERE.startswith("127."):
                demand(through(port, "/metrics")[0] == 403, "who asks through the proxy is not the proxy")
                demand(through(port, "/metrics", {"X-Forwarded-For": "127.0.0.1"})[0] == 403, "nor by saying so")
        finally:
            proxy.send_signal(signal.SIGTERM)
            proxy.wait(timeout=60)


def a_role_of_its_own_is_enough(bolza):
    """The role and the database of the page; the server with the options of the unit."""
    with Postgres() as database:
        folder = re.search(r"host=([^&]+)", database.address).group(1)
        environment = dict(os.environ, PGHOST=folder, PGUSER="bolza")
        commands = role_and_database()
        demand(commands == ["createuser bolza", "createdb --owner bolza bolza"], commands)
        for command in commands:  # that role and that database are the test's own: others stand for them
            shell(re.sub(r"\bbolza\b", "group_role", command), env=environment)
        with Server(bolza, *options_of_the_unit(), database=f"postgresql:///group_role?host={folder}&user=group_role", admin=(), port=free_port()) as server:
            link = server.process.stdout.readline()
            demand("https://bolza.example/register?invitation=" in link, link)
            visitor = Visitor(server)
            demand(visitor.register("first", re.search(r"invitation=(\S+)", link).group(1)).status == 201, "the first account")
            demand(visitor.wait(visitor.job(QUICK))["state"] == "done", "a job")


def titles(server, name):
    user = Visitor(server)
    demand(user.login(name).status == 200, "the account is there")
    return sorted(job["title"] for job in user.get("/api/v1/jobs").json["jobs"])


def backed_up(bolza, database, backup, restore):
    """What was done before the backup is there again, what came after it is not."""
    with Server(bolza, database=database) as server:
        user = server.user("kept")
        user.wait(user.job(QUICK, title="before"))
        backup()
        user.wait(user.job(QUICK, title="after"))
        demand(titles(server, "kept") == ["after", "before"], "both are there")
        server.stop()
        restore()
        server.accounts = ("admin", PASSWORD)
        server.start()
        demand(titles(server, "kept") == ["before"], "the backup is what is there")
        user.login("kept")
        job = user.get("/api/v1/jobs").json["jobs"][0]["id"]
        demand(user.get(f"/api/v1/jobs/{job}/results/result.mat").status == 200, "with its results")
        demand(user.wait(user.job(QUICK, title="later"))["state"] == "done", "and it goes on")


def backup_of_sqlite(bolza):
    if not shutil.which("sqlite3"):
        print("        no sqlite3")
        return
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "bolza-server.sqlite")

        def restore():
            os.replace(f"{folder}/copy.sqlite", file)
            for ending in ("-wal", "-shm"):
                pathlib.Path(f"{file}{ending}").unlink(missing_ok=True)

        backed_up(bolza, str(file), lambda: shell(stands('sqlite3 bolza-server.sqlite ".backup copy.sqlite"'), cwd=folder), restore)


def backup_of_postgresql(bolza):
    with Postgres() as database, tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PGHOST=re.search(r"host=([^&]+)", database.address).group(1), PGUSER="bolza")
        backed_up(bolza, database.address, lambda: shell(stands("pg_dump --format=custom --file=copy.dump bolza"), cwd=folder, env=environment),
                  lambda: shell(stands("pg_restore --clean --if-exists --dbname=bolza copy.dump"), cwd=folder, env=environment))


def main():
    tests = [units_are_understood, a_proxy_stands_in_front, backup_of_sqlite]
    tests += [a_role_of_its_own_is_enough, backup_of_postgresql] if has_postgresql() else []
    return run_all([test for test in tests if not sys.argv[2:] or test.__name__ in sys.argv[2:]], sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
