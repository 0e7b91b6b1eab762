#!/usr/bin/env python3
"""Tests of `cugrb explain`: what it says of matrices whose numbers are known, and how it measures and fails.

    explain_test.py --cugrb BUILD/bin/cugrb --data tests/data [unittest arguments]
"""
import json
import math
import sys
import unittest
import xml.etree.ElementTree

import command_test
from command_test import CommandTest

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}
# Five rows of 6, 1, 0, 2 and 1 entries; six columns of 4, 2, 1, 1, 1 and 1.
FIVE_ROWS = "%%MatrixMarket matrix coordinate pattern general\n5 6 10\n" + "".join(
    f"{i} {j}\n" for i, j in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1), (4, 1), (4, 2), (5, 1)])


class Explain(CommandTest):
    def explain(self, *arguments, environment=None):
        """(report, text)"""
        out = self.folder / "out.json"
        result = self.run_cugrb("explain", *arguments, "--json", out, environment=environment or NO_GPU)
        self.assert_works(result)
        return json.loads(out.read_text()), result.stdout

    def test_help_knows_it(self):
        self.assert_works(self.run_cugrb("--help"), "explain")
        self.assert_works(self.run_cugrb("explain", "--help"), "--semiring", "--measure", "--svg", "docs/selector.md")

    def test_the_lengths_of_a_small_matrix(self):
        (report,), text = self.explain(self.file("five.mtx", FIVE_ROWS))
        rows, columns = report["lengths"]["rows"], report["lengths"]["columns"]
        self.assertEqual(rows["histogram"], [[0, 1], [1, 2], [2, 1], [6, 1]])
        self.assertEqual(columns["histogram"], [[1, 4], [2, 1], [4, 1]])
        self.assertEqual((rows["mean"], rows["longest"], rows["empty"], rows["entries"]), (2, 6, 1, 10))
        self.assertAlmostEqual(rows["deviation"], math.sqrt(4.4))
        self.assertAlmostEqual(rows["skewness"], 10.8 / 4.4**1.5)
        self.assertEqual(rows["fractiles"], {"25": 1, "50": 1, "75": 2, "90": 6, "99": 6, "99.9": 6})
        self.assertIn("5 x 6, 10 entries", text)
        # length, number, P(X <= K), NNZ(X > K) of the octaves: rows of up to one entry hold 2 of 10
        self.assertRegex(text, r"\n +1 +2 +60.00% +80.00%  #+\n +2-3 +1 +80.00% +60.00%  #+\n +4-7 +1 +100.00% +0.00%  #+\n")

    def test_devices_are_predicted_from_one_to_so_many(self):
        (report,), text = self.explain("rmat:10:8", "--devices", "6")
        scale = report["products"][0]["scale"]
        self.assertEqual([line["devices"] for line in scale], [1, 2, 3, 4, 5, 6])
        self.assertEqual((scale[0]["efficiency"], scale[0]["imbalance"], scale[0]["gather_seconds"]), (1, 1, 0))
        graph = report["graph"]
        for line in scale:
            parts = line["devices"]
            self.assertLessEqual(line["rows"][1] - line["rows"][0], 1)  # the paper deals equally many rows
            self.assertLessEqual(line["entries"][0] * parts, graph["entries"])
            self.assertAlmostEqual(line["imbalance"], line["entries"][1] * parts / graph["entries"])
            self.assertAlmostEqual(line["sent_bytes"], 4 * graph["columns"] * (parts - 1) / parts)
            self.assertLessEqual(line["grid"]["seconds"], line["seconds"])
            self.assertEqual(line["grid"]["rows"] * line["grid"]["columns"], parts)
            self.assertGreater(line["one_process_seconds"], 0)
            if line["devices"] > 1:
                self.assertGreater(line["in_parts_seconds"], 0)
                self.assertFalse(line["in_blocks"])
        self.assertRegex(text, r"best grid +one process\n +1 +1.0000 ")

    def test_parts_of_a_band_are_blocks(self):
        (report,), text = self.explain("banded:10000:8", "--devices", "2")
        (_, line) = report["products"][0]["scale"]
        self.assertTrue(line["in_blocks"])
        self.assertRegex(text, r"; [0-9.]+ us \(blocks\)")

    def test_devices_of_this_process_are_measured(self):
        environment = {"CUGRB_DEVICE": "emulated", "CUGRB_DEVICES": "0,1"}
        (report,), text = self.explain("rmat:6:4", "--devices", "3", "--measure", "--repeat", "1",
                                       environment=environment)
        measured = ["one_process_measured_seconds" in line for line in report["products"][0]["scale"]]
        self.assertEqual(measured, [True, True, False])
        self.assertIn(", measured ", text)

    def test_devices_are_not_for_matrix_products(self):
        self.assert_fails(self.run_cugrb("explain", "rmat:6:4", "--mxm", "--devices", "2"), 2, "--devices", "--mxm")

    def test_without_a_gpu_the_default_profile_predicts(self):
        (report,), text = self.explain("poisson2d:40:40")
        self.assertEqual(report["device"], {"name": "NVIDIA H200", "assumed": True})
        self.assertIn("no GPU here: the default profile", text)
        self.assertIn("column lengths: distributed as the rows'", text)
        product = report["products"][0]
        self.assertEqual(product["semiring"], "PLUS_TIMES_FP32")
        applicable = [c for c in product["candidates"] if c["applicable"]]
        self.assertGreater(len(applicable), 3)
        for candidate in applicable:
            self.assertGreater(candidate["predicted_seconds"], 0)
            self.assertIn(candidate["kernel"], text)
        charged = lambda c: c["predicted_seconds"] + c["conversion_seconds"] / product["uses"]
        (chosen,) = (c for c in applicable if c["kernel"] == product["chosen"]["kernel"])
        # Formats that are not there count 1.02 times (docs/selector.md).
        self.assertLessEqual(charged(chosen), 1.02 * min(charged(c) for c in applicable))
        self.assertNotIn("regret", product)
        longest = product["tile_composite"]["longest_workload"]
        self.assertIn(longest, (512, 1024, 2048))
        self.assertIn(f"mxv_tile_composite as planned: 1 tile, workloads of at most {longest} entries", text)
        self.assertIn("BW 768 bytes", text)
        formats = {f["format"]: f for f in product["analytic"]["formats"]}
        entries, rows = report["graph"]["entries"], 1600
        self.assertEqual(formats["COO"]["storage_bytes"], 12 * entries)               # Eq. 15
        self.assertEqual(formats["CSR"]["storage_bytes"], 8 * entries + 4 * (rows + 1))  # Eq. 16
        self.assertEqual(formats["ELL"]["storage_bytes"], 8 * rows * 5 + 4 * rows)     # Eq. 18
        self.assertEqual(formats["HYB"]["threshold"], 5)
        analytic = {c["kernel"]: c["analytic_seconds"] for c in product["candidates"] if "analytic_seconds" in c}
        self.assertEqual(analytic["mxv_row_thread"], formats["CSR"]["compute_seconds"])
        self.assertEqual(analytic["mxv_coo"], formats["COO"]["compute_seconds"])
        self.assertEqual(analytic["mxv_ell"], formats["ELL"]["compute_seconds"])

    def test_a_conversion_is_shared_out_over_the_uses(self):
        def charged(uses):
            (report,), _ = self.explain("rmat:9:8:directed", "--uses", uses, "--force", "vxm_push")
            self.assertTrue(report["products"][0]["forced"])
            self.assertEqual(report["products"][0]["chosen"]["kernel"], "vxm_push")
            return report["products"][0]["chosen"]["charged_conversion_seconds"]
        once = charged(1)
        self.assertGreater(once, 0)
        self.assertAlmostEqual(charged(100) / once, 0.01, places=6)

    def test_a_choice_among_equal_predictions_says_so(self):
        """The emulated device's binned kernels are predicted by the same numbers, single rows' threads by others."""
        (report,), text = self.explain("banded:300:20", "--force", "mxv_binned_csr", "--device", "emulated")
        self.assertEqual(report["products"][0]["chosen"]["predicted_alike"], ["mxv_adcsr"])
        self.assertIn("mxv_binned_csr (binned_csr), forced, predicted alike: mxv_adcsr\n", text)
        (report,), _ = self.explain("banded:300:20", "--force", "mxv_row_thread", "--device", "emulated")
        self.assertNotIn("predicted_alike", report["products"][0]["chosen"])

    def test_measured_times_stand_beside_the_predictions(self):
        semirings = ["--semiring", "PLUS_TIMES_FP64", "--semiring", "LOR_LAND_BOOL"]
        (report,), text = self.explain("rmat:6:4", "--measure", "--repeat", "3", "--device", "emulated", *semirings)
        self.assertEqual([p["semiring"] for p in report["products"]], ["PLUS_TIMES_FP64", "LOR_LAND_BOOL"])
        for product in report["products"]:
            measured = self.assert_measured(product)
            regret = measured[product["chosen"]["kernel"]] / measured[product["best"]] - 1
            self.assertAlmostEqual(product["regret"], regret)
            self.assertIn(f"fastest: {product['best']}; regret of the choice {100 * regret:.1f} %", text)
            self.assertGreater(product["decision_seconds"], 0)
            # The benchmark's way, and the text says so.
            self.assertEqual((product["measurement"]["samples"], product["measurement"]["rounds"]), (3, 7))
            for said in ["product to product of a loop of up to 20", "host's part where it is the slower one",
                         "by shares of 7 rounds", "15 times the fastest one"]:
                self.assertIn(said, product["measurement"]["what"])
            self.assertIn("  measured: " + product["measurement"]["what"], text)
        self.assertEqual(report["device"]["profile"], "the emulated device's")
        self.assertFalse(report["device"]["calibrated"])
        self.assertGreater(min(report["lengths"]["counting_seconds"].values()), 0)

    def assert_measured(self, product):
        """Seconds by kernel: every candidate that can run has them."""
        measured = {c["kernel"]: c["measured_seconds"] for c in product["candidates"] if c["applicable"]}
        self.assertTrue(all(seconds > 0 for seconds in measured.values()))
        self.assertIn(product["best"], measured)
        self.assertGreaterEqual(product["regret"], 0)
        return measured

    def test_how_many_kernels_are_predicted(self):
        """0.8 to 1.2 times the measured time, of those that were measured."""
        (report,), text = self.explain("rmat:5:4", "--measure", "--repeat", "1", "--device", "emulated")
        ratios = [c["predicted_seconds"] / c["measured_seconds"] for c in report["products"][0]["candidates"]
                  if "measured_seconds" in c]
        within = sum(0.8 <= ratio <= 1.2 for ratio in ratios)
        self.assertIn(f"\n  predicted within 20 %: {within} of {len(ratios)} kernels\n", text)

    def test_a_kernel_that_was_forced_and_did_not_run_is_a_failure(self):
        """Compressed sparse blocks have no form of a band, which shows when they are made: another kernel answers."""
        (report,), text = self.explain("banded:300:20", "--measure", "--repeat", "1", "--device", "emulated")
        product = report["products"][0]
        (blocks,) = (c for c in product["candidates"] if c["kernel"] == "mxv_csb")
        self.assertTrue(blocks["applicable"])
        self.assertNotIn("measured_seconds", blocks)
        self.assertRegex(blocks["failure"], "^mxv_csb was asked for, mxv_[a-z0-9_]+ ran: .*do not fill steps")
        self.assertNotEqual(product["best"], "mxv_csb")
        self.assertRegex(text, r"predicted within 20 %: \d+ of \d+ kernels \(1 failed\)")

    def test_the_picture_has_a_point_for_each_length(self):
        svg = self.folder / "five.svg"
        self.explain(self.file("five.mtx", FIVE_ROWS), "--svg", svg)
        root = xml.etree.ElementTree.parse(svg).getroot()
        space = "{http://www.w3.org/2000/svg}"
        points = [c for c in root.iter(space + "circle") if c.get("r") == "2.5"]
        self.assertEqual(len(points), 3 + 3)  # lengths 1, 2, 6 of rows; 1, 2, 4 of columns
        texts = [t.text for t in root.iter(space + "text")]
        self.assertIn("five.mtx: 5 x 6, 10 entries", texts)
        self.assertIn("rows: E(X) 2.00, sigma 2.10, 1 empty", texts)
        self.assertEqual(len({c.get("cx") for c in points}), 4)  # 1, 2, 4, 6

    def test_a_folder_is_a_table_and_a_bad_file_one_line_of_it(self):
        folder = self.folder / "graphs"
        folder.mkdir()
        (folder / "five.mtx").write_text(FIVE_ROWS)
        (folder / "bad.mtx").write_text(FIVE_ROWS.replace("4 2\n", "4 9\n"))
        (folder / "edges.txt").write_text("0 1\n1 2\n")
        (folder / "notes.md").write_text("no graph\n")
        out = self.folder / "out.json"
        result = self.run_cugrb("explain", folder, "--json", out, environment=NO_GPU)
        self.assertEqual(result.returncode, 1)
        self.assertIn("expected a column between 1 and 6, found '9'", result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[1], r"^bad.mtx +failed$")
        self.assertRegex(lines[2], r"^edges.txt +PLUS_TIMES_FP32 +3 +4 ")
        self.assertRegex(lines[3], r"^five.mtx +PLUS_TIMES_FP32 +5 +10 +2.0 +2.1 +6 ")
        table = json.loads(out.read_text())
        self.assertEqual([m["name"] for m in table["matrices"]], ["bad.mtx", "edges.txt", "five.mtx"])
        self.assertIn("failed", table["matrices"][0])
        self.assertEqual((table["matrices"][2]["rows"], table["matrices"][2]["entries"]), (5, 10))
        self.assertEqual((table["device"], table["assumed"]), ("NVIDIA H200", True))
        self.assertNotIn("predictions", table)  # nothing was measured

    def test_a_measured_table_sums_up_the_regrets(self):
        folder = self.folder / "graphs"
        folder.mkdir()
        for name in ["a.mtx", "b.mtx"]:
            (folder / name).write_text(FIVE_ROWS)
        table, text = self.explain(folder, "--measure", "--repeat", "1", "--device", "emulated", "--commit", "abc")
        products = [m["products"][0] for m in table["matrices"]]
        self.assertIn(f"chosen kernel within 5 % of the fastest: {table['choices']['within_5_percent']} of 2", text)
        self.assertEqual((table["choices"]["all"], table["commit"]), (2, "abc"))
        self.assertRegex(table["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual((table["profile"], table["calibrated"], table["driver"]), ("the emulated device's", False, 0))
        self.assertIn("by shares of 3 rounds", table["measured"])
        for product in products:
            kernels = product["kernels"]
            self.assertAlmostEqual(product["regret"], kernels[product["chosen"]]["measured"] /
                                   kernels[product["best"]]["measured"] - 1, delta=0.01)
            self.assertEqual(product["measured_kernels"], sum("measured" in k for k in kernels.values()))
        counted = table["predictions"]
        self.assertEqual(counted["kernels"], sum(p["measured_kernels"] for p in products))
        self.assertEqual(counted["within_20_percent"], sum(p["within_20_percent"] for p in products))
        self.assertIn(f"\npredicted within 20 %: {counted['within_20_percent']} of {counted['kernels']} kernels", text)
        # A line a matrix: a file to be committed.
        lines = (self.folder / "out.json").read_text().splitlines()
        self.assertEqual([line.startswith('{"columns":6,') for line in lines[-2:]], [True, True])

    def test_matrices_without_entries(self):
        for size in ["3 4 0", "0 0 0", "1 1 0"]:
            path = self.file("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n" + size + "\n")
            (report,), _ = self.explain(path, "--measure", "--device", "emulated")
            self.assertEqual(report["graph"]["entries"], 0)
            self.assertEqual(report["lengths"]["rows"]["mean"], 0)

    def test_a_product_of_two_matrices(self):
        five = self.file("five.mtx", FIVE_ROWS)
        (report,), text = self.explain("--mxm", five, five, "--transpose-second")
        self.assertIn("C = A A'", text)
        self.assertNotIn("second", report)  # it is the same file
        product = report["products"][0]
        estimate = product["estimate"]
        self.assertFalse(estimate["counted"])  # A' by rows is not there
        self.assertEqual(product["chosen"]["kernel"], min(
            (c for c in product["candidates"] if c["applicable"]),
            key=lambda c: c["predicted_seconds"] + c["conversion_seconds"])["kernel"])
        self.assertEqual({c["kernel"]: c.get("reason") for c in product["candidates"] if not c["applicable"]}["mxm_dot"],
                         "there is no mask")
        self.assertNotIn("regret", product)
        other = self.file("other.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 2 3\n1 1\n1 2\n4 1\n")
        (report,), text = self.explain("--mxm", five, other)
        estimate = report["products"][0]["estimate"]
        # A's rows meet B's rows 1 (two entries) and 4 (one): 3, 2, 0, 2 and 2 products, two entries in each of four rows
        self.assertTrue(estimate["counted"])
        self.assertEqual((estimate["products"], estimate["entries"], estimate["counted_rows"]), (9, 8, 4))
        self.assertIn("9 products (counted), T: about 8 entries (4 rows counted, +-0.0 %)", text)
        self.assertEqual((report["lengths"]["rows"]["entries"], report["lengths"]["columns"]["entries"]), (10, 3))

    def test_a_masked_product_is_measured_with_its_workspace(self):
        graph = "rmat:5:4"
        for complement in [[], ["--complement"]]:
            (report,), text = self.explain("--mxm", graph, "--mask", graph, "--semiring", "PLUS_PAIR_INT64", "--measure",
                                           "--repeat", "1", "--device", "emulated", *complement)
            product = report["products"][0]
            self.assertAlmostEqual(product["estimate"]["kept"], product["result_entries"], delta=0.01)
            measured = self.assert_measured(product)
            self.assertEqual("mxm_dot" in measured, not complement)
            self.assertAlmostEqual(product["regret"], measured[product["chosen"]["kernel"]] / measured[product["best"]] - 1)
            for candidate in product["candidates"]:
                self.assertEqual("measured_workspace_bytes" in candidate, candidate["applicable"])
            self.assertIn(f"  it has {product['result_entries']}; estimated over true: 1.000", text)

    def test_a_product_without_terms(self):
        path = self.file("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n")
        (report,), text = self.explain("--mxm", path, "--measure", "--device", "emulated")
        self.assertIn("nothing is multiplied", text)

    def test_what_is_wrong_is_said(self):
        self.assert_fails(self.run_cugrb("explain"), 2, "explain needs a graph")
        self.assert_fails(self.run_cugrb("explain", "rmat:4", "--semiring", "PLUS_MAGIC"), 2, "no built-in semiring PLUS_MAGIC")
        self.assert_fails(self.run_cugrb("explain", "rmat:4", "--measure", environment=NO_GPU), 1, "--device emulated measures")
        self.assert_fails(self.run_cugrb("explain", "rmat:4", environment={"CUGRB_DEVICE": "none"}), 1, "no device: ")
        self.assert_fails(self.run_cugrb("explain", "rmat:4", "--force", "mxv_magic"), 2, "CUGRB_FORCE=mxv_magic")
        self.assert_fails(self.run_cugrb("explain", self.folder), 1, "no .mtx")
        five = self.file("g.mtx", FIVE_ROWS)
        self.assert_fails(self.run_cugrb("explain", five, five), 2, "need --mxm")
        self.assert_fails(self.run_cugrb("explain", "--mxm", five, "--complement"), 2, "--complement needs --mask")
        self.assert_fails(self.run_cugrb("explain", "--mxm", self.folder), 2, "--mxm takes two graphs")
        self.assert_fails(self.run_cugrb("explain", "--mxm", five, "--svg", "x.svg"), 2, "--svg draws one matrix")
        self.assert_fails(self.run_cugrb("explain", "--mxm", five, environment=NO_GPU), 1,
                          "a 5 x 6 matrix cannot be multiplied by a 5 x 6 one")
        self.assert_fails(self.run_cugrb("explain", "--mxm", five, five, "--transpose-second", "--mask", five,
                                         environment=NO_GPU), 1, "the mask is 5 x 6, the product 5 x 5")
        self.assert_fails(self.run_cugrb("explain", self.folder, "--svg", "x.svg"), 2, "--svg draws one graph")
        self.assert_fails(self.run_cugrb("explain", self.folder / "none.mtx", environment=NO_GPU), 1, "cannot be opened")
        self.assert_fails(self.run_cugrb("explain", "rmat:4", "--svg", "/nonexistent/x.svg", environment=NO_GPU), 1, "cannot be written")


if __name__ == "__main__":
    import argparse
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cugrb", required=True)
    parser.add_argument("--data", required=True)
    command_test.OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
