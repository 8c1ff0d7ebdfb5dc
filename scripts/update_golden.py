#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites the expected output in the golden files: update_golden.py [BUILD_DIR]. Look at the diff before you commit it."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build"
programs = sorted(p for p in build.rglob("test_*") if p.is_file() and os.access(p, os.X_OK))
if not programs:
    sys.exit(f"update_golden: no test programs below {build}; build them first")
for program in programs:
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=False).stdout
    if "Golden." in listed:
        subprocess.run([program, "--gtest_filter=Golden.*"], env={**os.environ, "BOLZA_UPDATE_GOLDEN": "1"}, check=False)
