#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What run.py says of reports: every verdict, open rows, and that truths.json names classes that there are."""
import json
import pathlib
import re
import unittest

import run

HERE = pathlib.Path(__file__).resolve().parent


def verdict(row, code=0, **report):
    return run.judged({"file": "f.mop", "class": "M", **row}, code, {"status": "solved", **report})[0]


class Judging(unittest.TestCase):
    def test_a_value_is_right_within_the_tolerance_or_the_claim(self):
        self.assertEqual(verdict({"objective": "sqrt(4)"}, objective=2.0001), "right")
        self.assertEqual(verdict({"objective": 2}, objective=2.01), "wrong in silence")
        self.assertEqual(verdict({"objective": 2}, objective=2.01, accuracy={"objective_error": 0.011}), "right")

    def test_a_claim_of_more_than_a_hundredth_counts_as_a_hundredth(self):
        self.assertEqual(verdict({"objective": 2}, objective=3, accuracy={"objective_error": 1e6}), "wrong in silence")

    def test_zero_is_judged_by_its_size(self):
        self.assertEqual(verdict({"objective": 0, "size": 1}, objective=1e-5), "right")
        self.assertEqual(verdict({"objective": 0, "size": 1}, objective=1e-3), "wrong in silence")

    def test_a_warning_is_one_and_a_fault_where_the_problem_is_sound(self):
        self.assertEqual(verdict({"objective": 2}, 4, objective=3, warnings=[{"kind": "coarse_mesh"}]), "warned")
        self.assertEqual(verdict({"objective": 2, "sound": True}, 4, objective=2, warnings=[{"kind": "coarse_mesh"}]), "false alarm")
        self.assertEqual(verdict({"objective": 2, "sound": True}, 1, status="failed", objective=2), "false alarm")

    def test_a_status_is_a_claim(self):
        self.assertEqual(verdict({"objective": 2}, 1, status="infeasible"), "false claim")
        self.assertEqual(verdict({"nothing": "infeasible"}, 1, status="infeasible"), "right")
        self.assertEqual(verdict({"nothing": "unbounded"}, 1, status="infeasible"), "false claim")
        self.assertEqual(verdict({"nothing": "no optimum"}, objective=1), "wrong in silence")

    def test_an_input_that_is_refused_is_a_mistake_of_the_row(self):
        self.assertEqual(verdict({"objective": 2}, 2, status="input_error"), "false alarm")
        self.assertEqual(verdict({"nothing": "infeasible"}, 2, status="input_error"), "warned")

    def test_a_parameter_that_is_not_determined_says_so(self):
        told = {"parameters": {"k": {"value": 1}}, "statistics": {"parameters": {"k": {"verdict": "determined", "interval": [0.5, 1.5]}}}}
        self.assertEqual(verdict({"undetermined": ["k"]}, **told), "wrong in silence")
        self.assertEqual(verdict({"parameters": {"k": 1.4}}, **told), "right")
        self.assertEqual(verdict({"parameters": {"k": 1.6}}, **told), "wrong in silence")
        told["statistics"]["parameters"]["k"]["verdict"] = "not determined"
        self.assertEqual(verdict({"undetermined": ["k"]}, **told), "warned")

    def test_an_open_row_must_be_wrong(self):
        self.assertIsNone(run.fault_of({"open": "so"}, "wrong in silence", ""))
        self.assertIsNotNone(run.fault_of({"open": "so"}, "right", ""))
        self.assertIsNone(run.fault_of({"open": "so"}, "warned", run.STOPPED))
        self.assertIsNotNone(run.fault_of({}, "false claim", ""))


class Rows(unittest.TestCase):
    def test_every_class_is_there_and_has_a_truth(self):
        for row in json.loads((HERE / "truths.json").read_text(encoding="utf8")):
            text = (HERE / row["file"]).read_text(encoding="utf8")
            self.assertRegex(text, rf"(?m)^ *(optimization|model) {re.escape(row['class'].split('.')[-1])}\b")
            self.assertEqual(sum(key in row for key in ("objective", "final", "parameters", "undetermined", "nothing")), 1, row)


if __name__ == "__main__":
    unittest.main()
