#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages in headless Chromium: browser.py BOLZA [FOLDER for screenshots]. Left out (77) where Chromium, node or what scripts/page fetches
is not there.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import ROOT, Server


def main():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    node = shutil.which("node")
    page = ROOT / "page"
    if not (chromium and node and (page / "node_modules" / "playwright-core").is_dir() and (page / "built" / "editor.js").is_file()):
        print("skipped: there is no Chromium, no node, or scripts/page was not run")
        return 77
    with tempfile.TemporaryDirectory() as made, Server(sys.argv[1], workers=1) as server:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else made)
        folder.mkdir(parents=True, exist_ok=True)
        invitation = server.admin.post("/api/v1/invitations", {"role": "user"}).json["invitation"]
        run = subprocess.run([node, page / "test" / "browser.mjs", f"http://127.0.0.1:{server.port}", invitation, folder, chromium])
        if run.returncode:
            print(server.said())
        return run.returncode


if __name__ == "__main__":
    sys.exit(main())
