#!/usr/bin/env python3
"""Tests of `cugrb run`: what each algorithm says of a small graph, and that the emulated device says the same.

    algorithms_test.py --cugrb BUILD/bin/cugrb [--library BUILD/lib/libcugrb.so] --data tests/data [unittest arguments]
"""
import json

import command_test
from command_test import CommandTest

# Two triangles a b c and d e f with the edge c d between them, the path g h, and i alone.
EDGES = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5), (6, 7)]
NAMES = "a b c d e f g h i".split()


class RunTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph = self.matrix("graph.mtx", "symmetric", [(max(e), min(e)) for e in EDGES])
        self.names = self.file("names", "\n".join(NAMES) + "\n")

    def matrix(self, name, symmetry, entries):
        kind = "pattern" if len(entries[0]) == 2 else "real"
        lines = "".join(" ".join(map(str, (i + 1, j + 1, *value))) + "\n" for i, j, *value in entries)
        return self.file(name, f"%%MatrixMarket matrix coordinate {kind} {symmetry}\n9 9 {len(entries)}\n{lines}")

    def report(self, algorithm, *options, says=(), graph=None):
        """The report of the CPU; the emulated device's must be the same but for what may differ."""
        reports = []
        for backend in ("cpu", "emulated") if command_test.OPTIONS.library else ("cpu",):
            out = self.folder / f"{backend}.json"
            result = self.run_cugrb("run", algorithm, graph or self.graph, "--names", self.names, "--backend", backend, "--json", out,
                                    *options)
            self.assert_works(result, *says)
            reports.append(json.loads(out.read_text())[0])
        for report in reports[1:]:
            self.assertEqual(report["result"], reports[0]["result"])
            self.assertEqual(report["top"], reports[0]["top"])
            self.assertTrue(any(call["place"] == "emulated" for call in report["trace"]["calls"]))
        return reports[0]

    def values(self, report):
        return {entry["name"]: entry["value"] for entry in report["top"]}


class Components(RunTest):
    def test_the_largest_components_come_first(self):
        report = self.report("components", says=["3 components after", "6   a"])
        self.assertEqual(report["result"]["parts"], 3)
        self.assertEqual(self.values(report), {"a": 6, "g": 2, "i": 1})

    def test_a_directed_edge_joins_its_ends(self):
        graph = self.matrix("directed.mtx", "general", [(8, 0), (8, 1)])
        self.assertEqual(self.values(self.report("components", "--top", "1", graph=graph)), {"a": 3})


if __name__ == "__main__":
    command_test.main(__name__)
