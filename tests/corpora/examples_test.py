#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of `scripts/corpora --examples`: a library made here, a program that answers as bolza does, what becomes of each example."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import examples  # noqa: E402

LIBRARY = """within ;
package Thing
  model Good annotation(experiment(StopTime = 1)); end Good;
  model Off annotation(experiment(StopTime = 1)); end Off;
  model Lone annotation(experiment(StopTime = 1)); end Lone;
  model Refused annotation(experiment(StopTime = 1)); end Refused;
  model Begun annotation(experiment(StopTime = 1)); end Begun;
  model Silent annotation(experiment(StopTime = 1)); end Silent;
  model Loops annotation(experiment(StopTime = 1)); end Loops;
  model Foreign annotation(experiment(StopTime = 1)); end Foreign;
  model Unlimited annotation(experiment(Interval = 1)); end Unlimited;
end Thing;
"""
PROGRAM = """#!/usr/bin/env python3
import json, pathlib, sys
command, name = sys.argv[1:3]
error = {"severity": "error", "code": "E999", "message": "no such thing", "file": "a.mo", "line": 3}
if name.endswith("Loops") and command == "simulate":
    while True: pass
if name.endswith("Silent"):
    sys.exit("it broke")
if name.endswith("Foreign"):
    print(json.dumps({"diagnostics": [error | {"code": "E257"} if command == "check" else error]}))
    sys.exit(2)
if name.endswith("Refused") or (name.endswith("Begun") and command == "simulate"):
    print(json.dumps({"diagnostics": [error]}))
    sys.exit(1)
if command == "simulate":
    pathlib.Path(sys.argv[sys.argv.index("--output") + 1]).write_text("time,x\\n0,0\\n1,1\\n")
print(json.dumps({"time": 1, "steps": 2, "diagnostics": []}))
"""


class Examples(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        references = self.folder / "snapshot/Thing/Resources/ReferenceResults/Dymola"
        references.mkdir(parents=True)
        (self.folder / "snapshot/Thing/package.mo").write_text(LIBRARY)
        (references / "Thing_Good.txt").write_text("last-generated=2020\nstatistics-simulation={'a': '1'}\nx=[0, 0.5, 1]\ntime=[0, 1]\n")
        (references / "Thing_Off.txt").write_text("x=[0, 5, 10]\ntime=[0, 1]\n")
        self.bolza = self.folder / "bolza"
        self.bolza.write_text(PROGRAM)
        self.bolza.chmod(0o755)
        self.table = {"Thing": {"folder": "snapshot", "package": "Thing", "reference": "buildingspy"}}

    def tearDown(self):
        self.scratch.cleanup()

    def outcome(self, name):
        row = examples.run(self.bolza, self.folder, self.table, "Thing", "Thing." + name, {"time": 1, "memory": 100})
        return row["outcome"], row.get("code", ""), row.get("message", "")

    def test_examples_are_what_has_a_stop_time(self):
        found = examples.examples_of(self.folder, self.table["Thing"])
        self.assertEqual(found, ["Thing." + n for n in ("Good", "Off", "Lone", "Refused", "Begun", "Silent", "Loops", "Foreign")])
        self.assertEqual(examples.draw(found, 3, 5), examples.draw(found, 3, 5))
        self.assertEqual(examples.draw(found, 100, 5), found)

    def test_outcomes(self):
        self.assertEqual(self.outcome("Good")[0], "matched")
        self.assertEqual(self.outcome("Lone")[0], "simulated")
        self.assertEqual(self.outcome("Refused"), ("refused", "E999", "no such thing"))
        self.assertEqual(self.outcome("Foreign"), ("refused", "E999", "no such thing"))  # what `simulate` said, which runs foreign code
        self.assertEqual(self.outcome("Begun")[0], "accepted")
        self.assertEqual(self.outcome("Silent")[0], "crash")
        self.assertEqual(self.outcome("Loops")[0], "time")
        outcome, _, message = self.outcome("Off")
        self.assertEqual(outcome, "differs")
        self.assertIn("x by 4.00e-01 of its range at 1", message)

    def test_a_run_goes_on_and_replaces_its_section(self):
        page, kept = self.folder / "page.md", self.folder / "examples.jsonl"
        page.write_text("# Page\n\n## Examples of libraries\n\nold\n\n## Other\n\nstays\n")
        kept.write_text(json.dumps({"library": "Thing", "class": "Thing.Good", "outcome": "simulated", "of": 7}) + "\n")
        done = self.corpora(page)
        self.assertEqual(done.returncode, 2)  # the table of libraries does not know this one
        self.assertIn("no library Thing", done.stderr)
        rows = [json.loads(line) for line in kept.read_text().splitlines()]
        lines = examples.section(rows, {"time": 60, "memory": 4000})
        self.assertIn("| Thing | 7 / 1 |  | 1 |  |  |  |  |  |  |  |", lines)

    def corpora(self, page):
        command = [sys.executable, HERE.parent.parent / "scripts/corpora", self.folder, "--examples", "Thing", "--table", page]
        return subprocess.run(command, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    unittest.main()
