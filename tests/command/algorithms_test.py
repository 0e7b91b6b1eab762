#!/usr/bin/env python3
"""Tests of `cugrb run`: what each algorithm says of a small graph, and that the emulated device says the same.

    algorithms_test.py --cugrb BUILD/bin/cugrb [--library BUILD/lib/libcugrb.so] --data tests/data [unittest arguments]
"""
import json
import re

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


class EveryAlgorithm(RunTest):
    def test_every_name_runs_on_a_generated_graph_and_has_help(self):
        names = re.findall(r"^  (\w+) {2,}\S", self.run_cugrb("run", "--help").stdout, re.M)
        self.assertEqual(len(names), 19, names)
        for name in names:
            self.assert_works(self.run_cugrb("run", name, "--help"), "--backend", "--json")
            graph = "poisson2d:6:6" if name == "amg" else "rmat:5:4"
            self.assert_works(self.run_cugrb("run", name, graph, "--backend", "both", environment={"CUGRB_DEVICE": "none"}), graph)


class SeveralDevices(RunTest):
    def pagerank(self, devices):
        out = self.folder / f"{devices}.json"
        environment = {"CUGRB_DEVICES": devices, "CUGRB_OFFLOAD": "always", "CUGRB_FORCE": "mxv_parts"}
        self.assert_works(self.run_cugrb("run", "pagerank", "rmat:9:8", "--backend", "emulated", "--iterations", "12", "--tolerance",
                                         "0", "--json", out, environment=environment))
        return json.loads(out.read_text())[0]

    def test_vectors_of_pagerank_stay_where_they_are_made(self):
        if not command_test.OPTIONS.library:
            return
        alone = self.pagerank("0")
        self.assertEqual(alone["trace"]["bytes_between"], 0)
        for devices in ("0,1", "0,1,2,3"):
            report = self.pagerank(devices)
            for vertex, expected in zip(report["top"], alone["top"]):
                self.assertAlmostEqual(vertex["value"], expected["value"], delta=1e-6)
            # Products send what their parts need of each other's ranks, and what comes once. Of later products the calls send
            # that write what is multiplied next.
            sent = {call["function"]: call["bytes_between"] for call in report["trace"]["calls"] if call["bytes_between"] > 0}
            self.assertLessEqual(set(sent), {"GrB_mxv", "GrB_Vector_assign", "GrB_Vector_eWiseMult_BinaryOp"}, report["trace"])
            self.assertIn("GrB_mxv", sent)
            others, ranks = devices.count(","), 4 * report["graph"]["vertices"]
            self.assertLess(sum(sent.values()), 12 * others * ranks + 12 * report["graph"]["entries"] + 24 * others * ranks)


class Components(RunTest):
    def test_the_largest_components_come_first(self):
        report = self.report("components", says=["3 components after", "6   a"])
        self.assertEqual(report["result"]["parts"], 3)
        self.assertEqual(self.values(report), {"a": 6, "g": 2, "i": 1})

    def test_a_directed_edge_joins_its_ends(self):
        graph = self.matrix("directed.mtx", "general", [(8, 0), (8, 1)])
        self.assertEqual(self.values(self.report("components", "--top", "1", graph=graph)), {"a": 3})

    def test_strong_components_need_a_way_back(self):
        # a → b → c → a, c → d, d ↔ e; the others are alone.
        graph = self.matrix("directed.mtx", "general", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)])
        report = self.report("scc", graph=graph, says=["6 strongly connected components"])
        self.assertEqual([entry["value"] for entry in report["top"]], [3, 2, 1, 1, 1, 1])
        self.assertIn(report["top"][0]["name"], "abc")
        self.assertIn(report["top"][1]["name"], "de")

    def test_communities_are_the_triangles(self):
        report = self.report("communities", "--iterations", "4")
        self.assertEqual({name: self.values(report).get(name) for name in "ai"}, {"a": 3, "i": 1})
        self.assertEqual(report["result"]["iterations"], 4)  # g and h exchange their labels for ever
        self.assertFalse(report["result"]["converged"])

    def test_independent_sets_have_no_two_neighbours(self):
        for seed in "0", "7":
            report = self.report("mis", "--seed", seed, says=["A maximal independent set of 4 vertices"])
            members = {entry["name"] for entry in report["top"]}
            self.assertTrue({"i"} < members)
            self.assertFalse(any(NAMES[i] in members and NAMES[j] in members for i, j in EDGES))

    def test_the_forest_leaves_out_the_heavy_edges(self):
        graph = self.matrix("weights.mtx", "symmetric", [(1, 0, 1), (2, 0, 4.5), (2, 1, 2), (3, 2, -1), (8, 7, 3)])
        report = self.report("forest", graph=graph, says=["forest of weight 5: 4 edges, 5 trees"])
        self.assertEqual({name: self.values(report)[name] for name in "abch"}, {"a": 1, "b": 2, "c": 2, "h": 1})
        self.report("forest", says=["forest of weight 6: 6 edges, 3 trees", "no weights"])


class Paths(RunTest):
    def test_the_way_by_short_edges_is_the_shortest(self):
        # a-b 5, a-c 1, c-b 2, b-d 1.5: a-c-b-d takes 4.5.
        roads = self.matrix("roads.mtx", "symmetric", [(1, 0, 5), (2, 0, 1), (2, 1, 2), (3, 1, 1.5)])
        for delta in ([], ["--delta", "1"], ["--delta", "100"]):
            report = self.report("sssp", "--source", "a", "--top", "3", *delta, graph=roads,
                                 says=["Shortest paths from a: 4 vertices reached", "4.5   d  from b", "3   b  from c"])
            self.assertEqual(self.values(report), {"d": 4.5, "b": 3, "c": 1})

    def test_edges_without_weights_count_one(self):
        report = self.report("sssp", "--source", "a", says=["no weights"])
        self.assertEqual(self.values(report)["f"], 3)
        self.assertFalse(report["result"]["weighted"])

    def test_random_weights_are_the_same_in_both_directions(self):
        there, back = (self.report("sssp", "--source", source, "--random-weights", "1000") for source in "gh")
        self.assertEqual(self.values(there)["h"], self.values(back)["g"])
        self.assertGreater(self.values(there)["h"], 1)

    def test_negative_weights_are_refused(self):
        roads = self.matrix("roads.mtx", "general", [(1, 0, -5)])
        self.assert_fails(self.run_cugrb("run", "sssp", roads, "--backend", "cpu"), 1, "negative weight")

    def test_the_ends_of_a_bridge_are_between(self):
        # c and d: 2 vertices on one side, 3 on the other, both directions.
        report = self.report("betweenness", "--sources", "0", "--top", "2", says=["from 9 sources"])
        self.assertEqual(self.values(report), {"c": 12, "d": 12})
        self.assertEqual(self.values(self.report("betweenness", "--source", "a", "--top", "2")), {"c": 3, "d": 2})


    def test_the_closure_has_all_pairs_of_a_component(self):
        # 6 and 2 vertices that reach all of their own, themselves too.
        report = self.report("closure", "--top", "9", says=["40 pairs after"])
        self.assertEqual(self.values(report), dict(zip(NAMES, (6, 6, 6, 6, 6, 6, 2, 2, 0))))

    def test_the_closure_follows_directions(self):
        graph = self.matrix("directed.mtx", "general", [(0, 1), (1, 2), (2, 3)])
        report = self.report("closure", "--top", "4", says=["6 pairs after 3 rounds"], graph=graph)
        self.assertEqual(self.values(report), {"a": 3, "b": 2, "c": 1, "d": 0})


class Streams(RunTest):
    def test_a_stream_ends_with_the_whole_graph(self):
        report = self.report("stream", "--batches", "4", "--tolerance", "1e-9", "--double", "--top", "9", says=["3 components"])
        self.assertEqual(report["result"]["components"], 3)
        self.assertEqual(report["result"]["edges"], 16)
        self.assertLess(report["result"]["edges_at_first"], 16)
        out = self.folder / "whole.json"
        self.assert_works(self.run_cugrb("run", "pagerank", self.graph, "--names", self.names, "--backend", "cpu", "--json", out,
                                         "--tolerance", "1e-9", "--double", "--top", "9"))
        whole = json.loads(out.read_text())[0]
        for name, rank in self.values(whole).items():
            self.assertAlmostEqual(self.values(report)[name], rank, places=6)

    def test_one_batch_after_none_is_refused(self):
        self.assert_fails(self.run_cugrb("run", "stream", self.graph, "--batches", "0"), 2, "--batches")


class Systems(RunTest):
    def solve(self, matrix, *options, backend="cpu"):
        out = self.folder / f"{backend}.json"
        result = self.run_cugrb("run", "amg", matrix, "--backend", backend, "--json", out, *options)
        self.assert_works(result, "Conjugate gradients with a V-cycle", "level         rows      entries")
        return json.loads(out.read_text())[0]["result"]

    def test_a_grid_has_levels_and_takes_few_iterations(self):
        results = [self.solve("poisson2d:24:20", backend=backend)
                   for backend in (("cpu", "emulated") if command_test.OPTIONS.library else ("cpu",))]
        for result in results:
            self.assertTrue(result["converged"])
            self.assertLessEqual(result["iterations"], 30)
            self.assertLessEqual(result["residual"], 1e-8)
            self.assertEqual(result["levels"][0], {"rows": 480, "entries": 480 * 5 - 2 * 44})
            self.assertLessEqual(result["levels"][-1]["rows"], 100)
            self.assertEqual(result["levels"], results[0]["levels"])

    def test_the_limit_of_iterations_and_the_threshold_are_taken(self):
        result = self.solve("poisson2d:24:20", "--iterations", "2", "--strength", "0.1")
        self.assertEqual((result["converged"], result["iterations"], len(result["residuals"])), (False, 2, 2))
        self.assert_fails(self.run_cugrb("run", "amg", "poisson2d:9", "--strength", "1"), 2, "--strength")

    def test_what_is_no_positive_matrix_is_refused(self):
        self.assert_fails(self.run_cugrb("run", "amg", self.graph, "--backend", "cpu"), 1, "amg needs a matrix with values")
        roads = self.matrix("roads.mtx", "symmetric", [(1, 0, 5.5)])
        self.assert_fails(self.run_cugrb("run", "amg", roads, "--backend", "cpu"), 1, "diagonal entry")


class Cohesion(RunTest):
    def test_the_triangles_are_the_innermost_core(self):
        report = self.report("kcore", says=["Degeneracy 2: 6 vertices in the innermost core"])
        self.assertEqual(self.values(report), dict(zip(NAMES, (2, 2, 2, 2, 2, 2, 1, 1, 0))))

    def test_clustering_counts_linked_neighbours(self):
        report = self.report("clustering", says=["Average clustering coefficient 0.518519"])  # (4 + 2/3) / 9
        self.assertEqual(self.values(report)["a"], 1)
        self.assertAlmostEqual(self.values(report)["c"], 1 / 3)

    def test_the_truss_is_without_the_bridge(self):
        report = self.report("ktruss", "--top", "6", says=["3-truss: 6 edges between 6 vertices"])
        self.assertEqual(self.values(report), dict.fromkeys("abcdef", 2))
        self.report("ktruss", "--k", "4", says=["4-truss: 0 edges between 0 vertices"])
        self.assert_fails(self.run_cugrb("run", "ktruss", self.graph, "--k", "2"), 2, "from 3 to")

    def test_directed_graphs_are_refused(self):
        directed = self.matrix("directed.mtx", "general", [(0, 1)])
        for algorithm in ("kcore", "ktruss", "mis", "forest"):
            self.assert_fails(self.run_cugrb("run", algorithm, directed, "--backend", "cpu"), 1, "undirected graph")


if __name__ == "__main__":
    command_test.main(__name__)
