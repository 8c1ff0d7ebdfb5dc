#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of run.py itself, above all that it can fail: what is wrong is reported with its line, both numbers and the tolerance."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parent / "run.py"
PRINTS = """#!/bin/sh
echo '{"x": 1.5, "final": {"y[1]": 2, "items": 3}, "H": {"a": {"a": 1, "b": 4}, "b": {"a": 4, "b": 9}}, "t": [0, 1, 1], "arguments": "'"$*"'"}'
echo first >&2; echo second >&2
[ "$1" != fail ]
"""


class Runner(unittest.TestCase):
    environment = {"BOLZA_ALL": ""}

    def run_file(self, text):
        with tempfile.TemporaryDirectory() as folder:
            bolza, file = pathlib.Path(folder, "bolza"), pathlib.Path(folder, "a.test")
            bolza.write_text(PRINTS, encoding="utf8")
            bolza.chmod(0o755)
            file.write_text(text, encoding="utf8")
            return subprocess.run([sys.executable, RUN, bolza, file], capture_output=True, text=True, check=False, env={**os.environ, **self.environment})

    def passes(self, *lines):
        done = self.run_file("\n".join(lines) + "\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def fails(self, *lines, saying=()):
        done = self.run_file("\n".join(lines) + "\n")
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        for text in saying:
            self.assertIn(text, done.stdout)

    def check_fails(self, check, *saying):
        self.fails("$ bolza", "check matches(x, 1.5)", f"check {check}", saying=[f"a.test:3: check {check}", *saying])

    def test_passes_what_is_right(self):
        said = self.passes(
            "# a comment", "", "let f = lambda x, y: x*x*y + exp(y)", "$ bolza", "= 0", '> "x"', '> "final"', "! first", "! second", "~ third",
            "check near(x, 1.6, 0.11)", "check near(x, 1.6, rel=0.07)", "check near(final, {'y[1]': 2, 'items': 3}, 1e-9)", "check matches(final.items, 3)",
            "check matches(final['y[1]', 'items'], [2, 3])", "check below(x, 2)", "check between(x, 1, 2)", "check ratio(final.items, x, 1.9, 2.1)",
            "check monotone(t[:2], 'rising')", "check monotone([3, 2], 'falling')", "check different(t[:2])", "check has(stderr, 'first')",
            "check lacks(final, 'z')", "check matches(H, transposed(H))", "check matches(times(H, numbered(H)), {'a': 9, 'b': 22})", "check matches(largest(H), 9)",
            "check near(slopes(f, (2, 0)), [0, 5], 1e-15)", "check near(curvatures(f, (2, 0)), [[0, 4], [4, 1]], 1e-8)",
            "check matches(number_after(stdout, '\"x\":'), 1.5)")
        self.assertEqual(said, "1 passed, 0 failed\n")

    def test_leaves_further_samples_out_and_does_not_when_all_are_asked_for(self):
        lines = ("for i in 1 2 | 3 4 5", "$ bolza {i}", "end", "more", "$ bolza 6", "end", "$ bolza 7")
        self.assertEqual(self.passes(*lines), "3 passed, 0 failed\n")
        self.environment = {"BOLZA_ALL": "1"}
        self.assertEqual(self.passes(*lines), "7 passed, 0 failed\n")
        self.fails("$ bolza", "more", "$ bolza fail", "end", saying=["a.test:3: exit code 1"])
        self.fails("$ bolza", "more", "$ bolza fail", saying=["a `for` or `more` has no `end`"])

    def test_reports_both_numbers_and_the_tolerance(self):
        self.check_fails("near(x, 1.6, 0.01)", "value is 1.5, expected 1.6: off by 0.1, tolerance 0.01")
        self.check_fails("near(x, 2, rel=0.1)", "value is 1.5, expected 2: off by 0.5, tolerance 0.2")
        self.check_fails("near(H, {'a': {'a': 1, 'b': 4}, 'b': {'a': 5, 'b': 7}}, 0.5)", "value['b']['b'] is 9, expected 7: off by 2, tolerance 0.5 (2 differ")
        self.check_fails("near(x - x, float('nan'), 1)", "value is 0.0, expected nan")

    def test_reports_every_kind_of_check(self):
        self.check_fails("matches(x, 2)", "value is 1.5, expected 2")
        self.check_fails("below(x, 1.5)", "value is 1.5, not below 1.5")
        self.check_fails("between(t, -1, 1)", "value[1] is 1, not between -1 and 1")
        self.check_fails("ratio(x, 3, 2, 6)", "1.5 / 3 = 0.5, not between 2 and 6")
        self.check_fails("ratio(x, 0, 2, 6)", "= nan")
        self.check_fails("monotone(t, 'rising')", "not rising: 1 after 1, elements 1 and 2 of 3")
        self.check_fails("different(t)", "elements 1 and 2 are the same: 1")
        self.check_fails("has(final, 'z')", "`z` is not among y[1], items")
        self.check_fails("lacks(final, 'items')", "`items` is among")

    def test_compares_only_what_has_the_same_form(self):
        self.check_fails("near(final, {'y[1]': 2}, 1)", "value has items, y[1], not y[1]")
        self.check_fails("near(t, [0, 1], 1)", "3 elements, not 2")
        self.check_fails("near(stderr, 1, 1)", "not numbers both")
        self.check_fails("near([], 1, 1)", "nothing is compared")
        self.check_fails("near(x, 1.5)", "near takes a tolerance")

    def test_reports_what_is_not_there_and_what_is_no_check(self):
        self.check_fails("near(final.z, 1, 1)", "there is no `z`, there is y[1], items")
        self.check_fails("near(z, 1, 1)", "NameError")
        self.check_fails("x == 1.5", "a check is one of near, matches")
        self.check_fails("largest(t)", "a check is one of near, matches")

    def test_looks_for_lines_in_order(self):
        self.fails("$ bolza", '> "final"', '> "x"', saying=['a.test:3: stdout has this before what the line above expects, not after it: "x"'])
        self.fails("$ bolza", "! second", "! first", saying=["a.test:3: stderr has this before"])
        self.fails("$ bolza", "! first", "! first", saying=["a.test:3: stderr has this before"])
        self.fails("$ bolza", "! third", saying=["a.test:2: stderr lacks: third"])
        self.fails("$ bolza", "~ second", saying=["a.test:2: should not be said: second"])

    def test_looks_at_exit_codes(self):
        self.fails("$ bolza fail", saying=["a.test:1: exit code 1, not 0"])
        self.fails("$ bolza", "= 2", saying=["a.test:2: exit code 0, not 2"])
        self.passes("$ bolza fail", "= 1")

    def test_does_what_is_in_a_loop_for_each_word(self):
        said = self.passes("for i, k in a 1 'b c' 2", "$ bolza {i}", "check matches(arguments, '{i}')", "let last = {k}", "end", "$ bolza", "check matches(last, 2)")
        self.assertEqual(said, "3 passed, 0 failed\n")
        self.fails("for i in a b", "$ bolza {i}", "check matches(arguments, 'a')", "end", saying=["expected 'a'", "1 passed, 1 failed"])

    def test_remembers_commands(self):
        self.passes("$ bolza one", "as one", "$ bolza two", "check matches([one.arguments, arguments], ['one', 'two'])", "check has(one.stderr, 'first')")

    def test_refuses_what_is_no_line_of_a_test(self):
        for lines in (["$ bolza", "chek near(x, 1, 1)"], ["> text"], ["for i in a", "$ bolza"], ["for i, k in a", "$ bolza", "end"]):
            self.fails(*lines, saying=["FAIL a.test"])

    def test_fails_when_nothing_ran(self):
        self.assertEqual(self.run_file("# nothing\n").returncode, 1)


if __name__ == "__main__":
    unittest.main()
