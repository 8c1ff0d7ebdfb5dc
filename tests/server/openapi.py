#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares docs/openapi.json with the server: the same addresses, and every answer, good and bad, as it is described. openapi.py BOLZA."""
import json
import sys

from harness import DECAY, ENDLESS, PASSWORD, QUICK, ROOT, Server, Visitor, demand, run_all

DESCRIPTION = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf8"))
TYPES = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}
seen = set()


def fits_type(value, name):
    if name in ("number", "integer"):
        return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def compare(value, schema, place):
    if schema is True:
        return
    if "$ref" in schema:
        return compare(value, DESCRIPTION["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], place)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    demand(not types or any(fits_type(value, name) for name in types), f"{place} is {value!r}, not {types}")
    demand("enum" not in schema or value in schema["enum"], f"{place} is {value!r}")
    if isinstance(value, dict):
        properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        demand(set(schema.get("required", [])) <= set(value), f"{place} lacks {set(schema.get('required', [])) - set(value)}")
        for name, member in value.items():
            demand(name in properties or more, f"{place} has {name}, which is not described")
            compare(member, properties.get(name, more), f"{place}.{name}")
    if isinstance(value, list):
        for number, member in enumerate(value):
            compare(member, schema.get("items", True), f"{place}[{number}]")


def ask(visitor, method, pattern, status, body=None, raw=None, query="", **places):
    """An answer with this status, as it is described."""
    path = pattern
    for name, value in places.items():
        path = path.replace("{" + name + "}", value)
    reply = visitor.ask(method, path + query, body, raw=raw)
    place = f"{method} {pattern} {status}"
    demand(reply.status == status, f"{place}: {reply}")
    operation = DESCRIPTION["paths"][pattern][method.lower()]
    demand(str(status) in operation["responses"], f"{place} is not described")
    content = operation["responses"][str(status)]["content"]
    kind = reply.headers["Content-Type"].split(";")[0]
    demand(kind in content, f"{place}: {kind} is not described")
    if kind == "application/json":
        compare(reply.json, content[kind]["schema"], place)
    seen.add((method, pattern))
    return reply


def the_addresses_are_the_same(server):
    listed = {(route["method"], route["path"]) for route in ask(Visitor(server), "GET", "/api/v1", 200).json["routes"]}
    described = {(method.upper(), path) for path, operations in DESCRIPTION["paths"].items() for method in operations}
    demand(listed == described, listed ^ described)
    demand(ask(Visitor(server), "GET", "/api/v1/openapi.json", 200).json == DESCRIPTION, "it describes itself")


def answers_about_jobs(server):
    user, nobody = server.user("jobs"), Visitor(server)
    good = {"files": {"q.mop": QUICK}, "title": "t", "options": {"mesh": 20}}
    job = ask(user, "POST", "/api/v1/jobs", 202, good).json["id"]
    for body, status in (({"files": {}}, 422), ({"files": {"../q.mop": QUICK}}, 422), (good | {"start_from": "none"}, 404)):
        ask(user, "POST", "/api/v1/jobs", status, body)
    ask(user, "POST", "/api/v1/jobs", 400, raw=b"[1]")
    ask(nobody, "POST", "/api/v1/jobs", 401, good)
    ask(server.token(user, "read"), "POST", "/api/v1/jobs", 403, good)
    user.wait(job)
    running = user.job(ENDLESS, "e.mo", command="simulate", options={"stop": 1e6})
    ask(user, "POST", "/api/v1/jobs", 409, good | {"start_from": running})
    for query in ("", "?state=done", "?search=t&limit=1"):
        ask(user, "GET", "/api/v1/jobs", 200, query=query)
    ask(nobody, "GET", "/api/v1/jobs", 401)
    for one in (job, running):
        ask(user, "GET", "/api/v1/jobs/{id}", 200, id=one)
    ask(user, "GET", "/api/v1/jobs/{id}", 404, id="0" * 32)
    ask(user, "GET", "/api/v1/jobs/{id}/events", 200, id=job)
    ask(nobody, "GET", "/api/v1/jobs/{id}/events", 404, id=job)
    for name in user.show(job)["results"]:
        ask(user, "GET", "/api/v1/jobs/{id}/results/{name}", 200, id=job, name=name)
    ask(user, "GET", "/api/v1/jobs/{id}/results/{name}", 404, id=job, name="nothing")
    ask(user, "GET", "/api/v1/jobs/{id}/files/{name}", 200, id=job, name="q.mop")
    ask(user, "GET", "/api/v1/jobs/{id}/files/{name}", 404, id=job, name="nothing")
    ask(user, "POST", "/api/v1/jobs/{id}/cancel", 202, {}, id=running)
    ask(user, "POST", "/api/v1/jobs/{id}/cancel", 409, {}, id=job)
    ask(nobody, "POST", "/api/v1/jobs/{id}/cancel", 404, {}, id=job)
    ask(user, "POST", "/api/v1/jobs/{id}/rerun", 202, {}, id=job)
    ask(user, "POST", "/api/v1/jobs/{id}/rerun", 404, {}, id="0" * 32)
    ask(user, "POST", "/api/v1/jobs/{id}/share", 200, {}, id=job)
    ask(user, "DELETE", "/api/v1/jobs/{id}/share", 200, {}, id=job)
    ask(nobody, "DELETE", "/api/v1/jobs/{id}/share", 404, {}, id=job)
    ask(user, "POST", "/api/v1/check", 200, {"files": {"m.mo": DECAY + "?"}, "command": "simulate"})
    ask(user, "POST", "/api/v1/check", 422, {"files": {}})
    ask(nobody, "POST", "/api/v1/check", 401, {"files": {}})


def answers_about_accounts(server):
    nobody, admin = Visitor(server), server.admin
    invitation = ask(admin, "POST", "/api/v1/invitations", 201, {"role": "user"}).json["invitation"]
    ask(admin, "POST", "/api/v1/invitations", 422, {"role": "king"})
    user = Visitor(server)
    account = {"name": "someone", "password": PASSWORD, "invitation": invitation}
    ask(nobody, "POST", "/api/v1/accounts", 403, account | {"invitation": "wrong"})
    ask(nobody, "POST", "/api/v1/accounts", 422, account | {"password": "short"})
    ask(nobody, "POST", "/api/v1/accounts", 400, account | {"name": 7})
    opened = ask(user, "POST", "/api/v1/accounts", 201, account).json
    user.csrf = opened["csrf"]
    ask(Visitor(server), "POST", "/api/v1/accounts", 409, account | {"invitation": admin.post("/api/v1/invitations", {"role": "user"}).json["invitation"]})
    ask(user, "POST", "/api/v1/invitations", 403, {"role": "user"})
    ask(user, "GET", "/api/v1/account", 200)
    ask(nobody, "GET", "/api/v1/account", 401)
    made = ask(user, "POST", "/api/v1/tokens", 201, {"name": "n", "scope": "read"}).json
    ask(user, "POST", "/api/v1/tokens", 422, {"name": "n", "scope": "all"})
    listed = ask(user, "GET", "/api/v1/tokens", 200).json["tokens"]
    ask(Visitor(server, token=made["token"]), "GET", "/api/v1/account", 200)
    ask(user, "DELETE", "/api/v1/tokens/{id}", 200, {}, id=listed[0]["id"])
    ask(user, "DELETE", "/api/v1/tokens/{id}", 404, {}, id=listed[0]["id"])
    ask(user, "POST", "/api/v1/account/password", 403, {"old": "wrong", "new": PASSWORD})
    ask(user, "POST", "/api/v1/account/password", 422, {"old": PASSWORD, "new": "short"})
    ask(user, "POST", "/api/v1/account/password", 200, {"old": PASSWORD, "new": PASSWORD})
    ask(user, "GET", "/api/v1/users", 403)
    users = ask(admin, "GET", "/api/v1/users", 200).json["users"]
    someone = next(u["id"] for u in users if u["name"] == "someone")
    own = next(u["id"] for u in users if u["name"] == "admin")
    ask(admin, "PATCH", "/api/v1/users/{id}", 200, {"most_jobs": 3, "most_bytes": None}, id=someone)
    ask(admin, "PATCH", "/api/v1/users/{id}", 422, {"most_jobs": -3}, id=someone)
    ask(admin, "PATCH", "/api/v1/users/{id}", 409, {"role": "user"}, id=own)
    ask(admin, "PATCH", "/api/v1/users/{id}", 404, {}, id="nobody")
    ask(user, "DELETE", "/api/v1/session", 200, {})
    ask(nobody, "DELETE", "/api/v1/session", 401, {})
    ask(Visitor(server), "POST", "/api/v1/session", 200, {"name": "someone", "password": PASSWORD})
    ask(Visitor(server), "POST", "/api/v1/session", 401, {"name": "someone", "password": "wrong"})


def answers_about_the_server(server):
    nobody = Visitor(server)
    for path in ("/api/v1/methods", "/api/v1/options", "/healthz", "/metrics"):
        ask(nobody, "GET", path, 200)


def every_address_was_asked(_):
    described = {(method.upper(), path) for path, operations in DESCRIPTION["paths"].items() for method in operations}
    demand(seen == described, f"not asked: {described - seen}")


def main():
    tests = [the_addresses_are_the_same, answers_about_jobs, answers_about_accounts, answers_about_the_server, every_address_was_asked]
    with Server(sys.argv[1]) as server:
        return run_all(tests, server)


if __name__ == "__main__":
    sys.exit(main())
