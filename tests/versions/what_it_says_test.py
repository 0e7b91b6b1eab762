#!/usr/bin/env python3
"""What cuGrB says of a program's calls, before one SuiteSparse:GraphBLAS: a published one, or the installed one.

    what_it_says_test.py --command cugrb --library libcugrb.so --program loading_direct [--folder WHEELS --version 9.4.5.0]
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import library as published

PROGRAM = pathlib.Path(__file__).resolve().parent / "programs/what_it_says.py"
EMULATED = {"CUGRB_DEVICE": "emulated", "CUGRB_OFFLOAD": "always"}
#: Bytes of a row of the summary, as it prints them.
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1}

OPTIONS = None  # of the command line
REAL = None  # the SuiteSparse:GraphBLAS


def environment(**settings):
    """REAL is found first by name, and its OpenMP beside it."""
    variables = {name: value for name, value in os.environ.items() if name == "CUGRB_CACHE" or not name.startswith(("CUGRB_", "LD_"))}
    variables.update(settings)
    return variables


def run_program(**settings):
    variables = environment(LD_LIBRARY_PATH=str(REAL.parent), CUGRB_GRAPHBLAS=str(REAL), **settings)
    variables.setdefault("LD_PRELOAD", f"{OPTIONS.library} {REAL}")
    return subprocess.run([sys.executable, "-B", str(PROGRAM)], env=variables, text=True, capture_output=True, timeout=300,
                          check=True)


class OneLine(unittest.TestCase):
    def test_exec_says_that_all_is_passed_on_and_why(self):
        variables = environment(LD_LIBRARY_PATH=str(REAL.parent), CUGRB_GRAPHBLAS=str(REAL), LD_PRELOAD=str(REAL))
        done = subprocess.run([OPTIONS.command, "exec", "--device", "none", "--", sys.executable, "-B", str(PROGRAM)], env=variables,
                              text=True, capture_output=True, timeout=300, check=True)
        self.assertEqual(done.stderr, "cugrb: every call is passed on to SuiteSparse: CUGRB_DEVICE=none\n")

    def test_info_names_the_library_and_whether_calls_run_on_a_device(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in re.findall(r"(libgraphblas\.so\.\d+)", subprocess.run(["ldd", OPTIONS.program], text=True, capture_output=True,
                                                                           check=True).stdout)[:1]:
                (pathlib.Path(folder) / name).symlink_to(REAL)
            for device, answer in (("emulated", "yes"), ("none", "no: CUGRB_DEVICE=none")):
                variables = environment(LD_LIBRARY_PATH=f"{folder}:{REAL.parent}", CUGRB_DEVICE=device)
                done = subprocess.run([OPTIONS.command, "info", "--", OPTIONS.program], env=variables, text=True,
                                      capture_output=True, timeout=300, check=True)
                version = re.search(r"so\.(\d+\.\d+\.\d+)$", REAL.name)[1]
                self.assertRegex(done.stdout, rf"(?m)^GraphBLAS +SuiteSparse {re.escape(version)} \(.*\)$")
                self.assertRegex(done.stdout, rf"(?m)^offloaded +{re.escape(answer)}")


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        plain = run_program(LD_PRELOAD=str(REAL)).stdout
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.json"
            done = run_program(CUGRB_TRACE=str(trace), CUGRB_SUMMARY="1", **EMULATED)
            cls.calls = json.loads(trace.read_text())
        assert done.stdout == plain, done.stdout
        cls.summary = done.stderr

    def of(self, function):
        return [call["args"] for call in self.calls if call["name"] == function]

    def test_products_run_on_the_device(self):
        self.assertEqual([call["place"] for call in self.of("GrB_mxv")], 6 * ["emulated"])

    def test_every_forwarded_call_has_a_reason(self):
        forwarded = [call for call in self.calls if call["args"]["place"] == "cpu"]
        self.assertGreater(len(forwarded), 600)
        self.assertEqual([call["name"] for call in forwarded if not call["args"].get("reason")], [])
        self.assertEqual({call["reason"] for call in self.of("GrB_Vector_setElement_FP64")}, {"the object is on the host"})

    def test_a_forwarded_call_has_sizes_and_its_operator(self):
        for call in self.of("GrB_Vector_apply"):
            self.assertEqual(call["place"], "cpu")
            self.assertRegex(call["sizes"], r"\b200\b")
            self.assertTrue(call["operation"])
            self.assertIn("definition", call["reason"])

    def test_an_upload_is_charged_to_the_call_that_made_it_necessary_too(self):
        caused = self.of("GrB_mxv")[1]
        self.assertRegex(caused["up_because_of"], r"^GrB_Vector_apply \(\d")
        self.assertGreater(caused["bytes_up"], 0)
        rows = dict(re.findall(r"(?m)^cugrb: (GrB_\w+) +(?:cpu|emulated) +\d+ +.* (\S+ k?B)$", self.summary))
        later = rows["GrB_Vector_apply"].split()
        self.assertGreater(float(later[0]) * UNITS[later[1]], 0)
        self.assertEqual(rows["GrB_mxv"], "0 B")

    def test_reasons_have_calls_bytes_and_time_the_worst_first(self):
        rows = re.findall(r"(?m)^cugrb: (\d+) x (\w+) on cpu, (\S+) (us|ms|s), up (\S+) (k?B), down (\S+) (k?B): (.+)$", self.summary)
        counts = {row[1]: int(row[0]) for row in rows}
        self.assertEqual(counts["GrB_Vector_apply"], 3)
        times = [float(row[2]) * SECONDS[row[3]] for row in rows]
        self.assertEqual(times, sorted(times, reverse=True))
        [apply] = [row for row in rows if row[1] == "GrB_Vector_apply"]
        self.assertGreater(float(apply[6]) * UNITS[apply[7]], 0)  # its operand came down


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", required=True)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--program", required=True, help="one that is linked to GraphBLAS")
    parser.add_argument("--folder", help="where published libraries are kept")
    parser.add_argument("--version", help="of the package suitesparse-graphblas, as 9.4.5.0; without it, the installed library")
    parser.add_argument("--installed", type=pathlib.Path)
    OPTIONS, rest = parser.parse_known_args()
    REAL = (published.library(OPTIONS.folder, OPTIONS.version) if OPTIONS.version else OPTIONS.installed).resolve()
    unittest.main(argv=[sys.argv[0], *rest])
