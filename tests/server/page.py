#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages as they are without scripts: forms, links, what they show. page.py BOLZA."""
import html
import html.parser
import re
import sqlite3
import sys
import urllib.parse

from harness import DECAY, PASSWORD, QUICK, Server, Visitor, demand, run_all


class Browser:
    """Follows redirections and sends forms, as a browser without scripts does."""

    def __init__(self, server):
        self.visitor = Visitor(server)

    def get(self, path):
        reply = self.visitor.get(path)
        for _ in range(5):
            if reply.status != 303:
                break
            self.path = reply.headers["Location"]
            reply = self.visitor.get(self.path)
        return reply

    def send(self, page, action, **values):
        """The form of the page with this action, with its hidden values."""
        form = next((f for f in forms_of(page.text) if f["action"].split("?")[0] == action), None)
        demand(form, f"there is no form to {action}: {page.text[:500]}")
        body = urllib.parse.urlencode(form["values"] | values).encode()
        reply = self.visitor.post(form["action"], raw=body, headers={"Content-Type": "application/x-www-form-urlencoded"})
        if reply.status == 303:
            self.path = reply.headers["Location"]
            return self.get(self.path)
        return reply


class FormReader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms, self.area = [], None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            self.forms.append({"action": a.get("action", ""), "values": {}})
        elif tag == "input" and self.forms and a.get("name"):
            self.forms[-1]["values"][a["name"]] = a.get("value", "")
        elif tag == "textarea":
            self.area = a["name"]
            self.forms[-1]["values"][self.area] = ""
        elif tag == "select":
            self.select = a["name"]
        elif tag == "option" and "selected" in a:
            self.forms[-1]["values"][self.select] = a["value"]

    def handle_endtag(self, tag):
        if tag == "textarea":
            self.forms[-1]["values"][self.area] = self.forms[-1]["values"][self.area].removeprefix("\n")
            self.area = None

    def handle_data(self, data):
        if self.area:
            self.forms[-1]["values"][self.area] += data


def forms_of(text):
    reader = FormReader()
    reader.feed(text)
    return reader.forms


def invited(server, name):
    browser = Browser(server)
    invitation = server.admin.post("/api/v1/invitations", {"role": "user"}).json["invitation"]
    page = browser.send(browser.get(f"/register?invitation={invitation}"), "/register", name=name, password=PASSWORD)
    demand("New job" in page.text, page)
    return browser


def wait_on_page(browser, path):
    job = re.search(r"/jobs/([0-9a-f]{32})", path).group(1)
    browser.visitor.wait(job)
    return browser.get(path)


def a_job_from_the_form(server):
    browser = invited(server, "form")
    page = browser.get("/new?command=solve")
    job = browser.send(page, "/new", title="from <the> form", model_name="quick.mop", model=QUICK, **{"option.mesh": "20"})
    demand(job.status == 200 and "from &lt;the&gt; form" in job.text, job)
    done = wait_on_page(browser, browser.path)
    demand('class="state done"' in done.text and "-1" in done.text and "mesh = 20" in done.text, done)
    listed = browser.get("/jobs?search=form")
    demand("from &lt;the&gt; form" in listed.text and ">done<" in listed.text, listed)
    copy = browser.get("/new?from=" + re.search(r"/jobs/(\w+)", browser.path).group(1))
    demand(html.unescape(copy.text).count("end Quick;") == 1 and 'value="20"' in copy.text, "a copy is filled in")


def what_is_wrong_is_said_beside_the_form(server):
    browser = invited(server, "mistaken")
    page = browser.send(browser.get("/new?command=simulate"), "/new", model_name="m.mo", model=DECAY, **{"option.integrator": "--no-such"})
    demand(page.status in (200, 422), page)
    page = browser.send(browser.get("/new?command=simulate"), "/new", model_name="../m.mo", model=DECAY)
    demand(page.status == 422 and 'role="alert"' in page.text and "Decay" in page.text, page)


def a_fit_with_a_table(server):
    browser = invited(server, "table")
    data = "time,x\n0,1\n1,0.6065\n2,0.3679\n"
    page = browser.send(browser.get("/new?command=fit"), "/new", model_name="decay.mo", model=DECAY, data_name="d.csv", data=data, **{"option.free": "k=1[0,10]"})
    done = wait_on_page(browser, browser.path)
    demand('class="state done"' in done.text and "report.html" in done.text, done.text[:3000])
    demand(page.status == 200, page)


def sharing_cancelling_running_again(server):
    browser = invited(server, "sharer")
    browser.send(browser.get("/new"), "/new", model_name="q.mop", model=QUICK)
    path = browser.path
    page = wait_on_page(browser, path)
    shared = browser.send(page, path + "/share")
    link = re.search(r"/s/[\w-]+", shared.text).group()
    other = Browser(server)
    seen = other.get(link)
    demand(seen.status == 200 and "Quick" in seen.text and "/cancel" not in seen.text and "/unshare" not in seen.text, seen)
    again = browser.send(page, path + "/rerun")
    demand(again.status == 200 and browser.path != path, again)
    page = browser.send(browser.get(path), path + "/unshare")
    demand(other.get(link).status == 404, "the link is taken back")


def accounts_on_the_page(server):
    browser = invited(server, "pages")
    page = browser.send(browser.get("/account"), "/account/tokens", token_name="<b>laptop</b>", scope="read")
    token = re.search(r"bolza_[\w-]+", page.text).group()
    demand(Visitor(server, token=token).get("/api/v1/jobs").status == 200, "the token")
    demand("&lt;b&gt;laptop" in page.text and "<b>laptop" not in page.text, "its name")
    out = browser.send(page, "/logout")
    demand(out.status == 200 and Browser(server).get("/jobs").text.count("Log in"), out)
    page = browser.send(browser.get("/login?next=/account"), "/login", name="pages", password=PASSWORD)
    demand(browser.path == "/account" and page.status == 200, page)
    elsewhere = Browser(server)
    elsewhere.send(elsewhere.get("/login?next=//evil.example"), "/login", name="pages", password=PASSWORD)
    demand(elsewhere.path == "/jobs", "no way elsewhere")


def every_page_says_what_it_is(server):
    browser = invited(server, "reader")
    for path in ("/login", "/register", "/jobs", "/new", "/new?command=fit", "/account", "/nothing-here"):
        reply = browser.get(path)
        policy = reply.headers["Content-Security-Policy"]
        demand("script-src 'self'" in policy and "frame-ancestors 'none'" in policy, policy)
        if reply.status == 200:
            demand('lang="en"' in reply.text and reply.text.count("<h1>") == 1 and "<main" in reply.text, path)
            labels = set(re.findall(r'for="([^"]+)"', reply.text))
            fields = set(re.findall(r'<(?:input|select|textarea) id="([^"]+)"', reply.text))
            demand(fields <= labels, f"{path}: fields without a label: {fields - labels}")
    demand(browser.get("/assets/style.css").headers["Content-Type"].startswith("text/css"), "the style")
    demand(browser.get("/assets/../page.js").status == 404 and browser.get("/examples/van_der_pol.mop").status == 200, "files")


def older_jobs_of_the_same_moment(server):
    browser = invited(server, "prolific")
    browser.send(browser.get("/new?command=simulate"), "/new", model_name="m.mo", model=DECAY)
    job = re.search(r"/jobs/([0-9a-f]{32})", browser.path).group(1)
    browser.visitor.wait(job)
    with sqlite3.connect(server.database) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(jobs)")]
        values = ", ".join("lower(hex(randomblob(16)))" if c == "id" else "created + (value > 60) * 1e-3" if c == "created" else c for c in columns)
        database.execute(f"INSERT INTO jobs ({', '.join(columns)}) WITH RECURSIVE numbers(value) AS (SELECT 1 UNION SELECT value + 1 FROM numbers WHERE value < 120) "
                         f"SELECT {values} FROM jobs, numbers WHERE jobs.id = ?", (job,))
    listed, path = [], "/jobs?command=simulate"
    while path:
        page = browser.get(path)
        listed += re.findall(r'<a href="/jobs/([0-9a-f]{32})">', page.text)
        older = re.search(r'<a href="([^"]+)">Older jobs', page.text)
        path = html.unescape(older.group(1)) if older else None
    demand(len(listed) == len(set(listed)) == 121, f"{len(listed)} jobs are listed, {len(set(listed))} of them different, of 121 with two times")
    by_rest, query = [], ""
    while True:
        jobs = browser.visitor.get("/api/v1/jobs?limit=50" + query).json["jobs"]
        if not jobs:
            break
        by_rest += [job["id"] for job in jobs]
        query = f"&before={jobs[-1]['created']!r}&before_id={jobs[-1]['id']}"
    demand(by_rest == listed, "the lists are the same")


def main():
    tests = [a_job_from_the_form, what_is_wrong_is_said_beside_the_form, a_fit_with_a_table, sharing_cancelling_running_again, accounts_on_the_page,
             every_page_says_what_it_is, older_jobs_of_the_same_moment]
    with Server(sys.argv[1]) as server:
        return run_all([t for t in tests if not sys.argv[2:] or t.__name__ in sys.argv[2:]], server)


if __name__ == "__main__":
    sys.exit(main())
