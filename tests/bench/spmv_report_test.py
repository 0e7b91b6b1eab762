#!/usr/bin/env python3
"""bench/spmv/report.py on results that are easy to check by hand.

    spmv_report_test.py BENCH_SPMV_FOLDER [unittest arguments]
"""
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree

FOLDER = pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "reporting")]
import paper_tables  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402
from report_run import run_report  # noqa: E402


def row(kernel, seconds, semiring="PLUS_TIMES_FP32", library="cugrb", **more):
    return {"semiring": semiring, "library": library, "kernel": kernel, "median_seconds": seconds, "csr_bytes": 4e9, "same_result": True, **more}


def matrix(name, rows, family="chung_lu", entries=2_000_000, **more):
    return {"name": name, "family": family, "rows": 1_000_000, "columns": 1_000_000, "entries": entries, "mean": 2, "deviation": 30,
            "stored_bytes": 12e6, "results": rows, **more}


def run(*records, mining=None):
    """Matrices as report.py sees them, the text it prints, and its figures."""
    parts = [{"benchmark": "spmv", "device": "test", "driver": 1, "commit": "c", "date": "d", "cores": 1, "copy_bytes_per_second": 4e12,
              "complete": True, "matrices": list(records)}]
    if mining:
        parts.append({"benchmark": "mining", "device": "test", "runs": mining})
    text, figures, matrices = run_report(report, parts, lambda paths: results.load(paths)[0])
    return matrices, text, figures


def cells(text, first, count=1):
    """The cells of the count-th table row that begins with `first`."""
    found = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [c.strip() for c in found[count - 1].strip("|").split("|")]


class Report(unittest.TestCase):
    def test_a_matrix_whose_results_differ_is_named_and_left_out(self):
        _, text, _ = run(matrix("right", [row("choice", 1e-3, chosen="mxv_merge"), row("mxv_merge", 1e-3)]),
                         matrix("wrong", [row("choice", 1e-3, chosen="mxv_merge"), row("mxv_merge", 1e-3, same_result=False)]))
        self.assertIn("- wrong: mxv_merge", text)
        self.assertNotIn("| wrong |", text)
        self.assertIn("Within 5 % of the best kernel: 1 of 1 (100 %)", text)

    def test_ratios_to_cusparse_and_their_means(self):
        make = lambda name, ours, theirs: matrix(name, [  # noqa: E731
            row("choice", ours, chosen="mxv_merge"), row("mxv_merge", ours), row("csr_alg1", theirs * 2, library="cusparse"),
            row("csr_alg2", theirs, library="cusparse"), row("choice", ours / 2, "PLUS_SECOND_FP32", chosen="mxv_merge")])
        _, text, _ = run(make("a", 1e-3, 2e-3), make("b", 1e-3, 8e-3), dict(make("small", 1e-3, 1e-3), entries=1000))
        self.assertEqual(cells(text, "a")[3:9], ["csr_alg2", "2.0000", "mxv_merge", "2.00", "–", "4.00"])
        self.assertEqual(cells(text, "power-law"), ["power-law", "FP32", "2", "4.00", "2.00 (a)"])
        self.assertEqual(cells(text, "power-law", 2)[3], "8.00")

    def test_classes(self):
        matrices, _, _ = run(matrix("rmat:4", [], "rmat"), matrix("grid", [], "poisson2d"), matrix("u", [], "uniform"), matrix("f", [], "file"),
                             matrix("g", [], "file", mean=50))
        self.assertEqual([m.kind for m in matrices], ["power-law", "regular", "other", "power-law", "regular"])

    def test_choice_and_its_loss(self):
        _, text, _ = run(matrix("good", [row("choice", 9e-3, chosen="mxv_merge"), row("mxv_merge", 1.04e-3), row("mxv_row_2", 1e-3)]),
                         matrix("bad", [row("choice", 3e-3, chosen="mxv_row_2"), row("mxv_merge", 1e-3), row("mxv_row_2", 2e-3)]))
        self.assertIn("Within 5 % of the best kernel: 1 of 2 (50 %)", text)
        self.assertEqual(cells(text, "2.00"), ["2.00", "bad", "PLUS_TIMES_FP32", "mxv_row_2", "mxv_merge"])

    def test_predictions(self):
        _, text, _ = run(matrix("a", [row("mxv_merge", 1e-3, predicted_seconds=1.1e-3), row("mxv_ell", 1e-3, predicted_seconds=2e-3),
                                      row("choice", 1e-3, predicted_seconds=9e-3), {"semiring": "PLUS_TIMES_FP32", "library": "cugrb",
                                                                                    "kernel": "mxv_coo", "skipped": "why"}]))
        self.assertEqual(cells(text, "mxv_merge"), ["mxv_merge", "1", "1 of 1 (100 %)", "1.10"])
        self.assertEqual(cells(text, "all")[1:3], ["2", "1 of 2 (50 %)"])

    def test_bandwidth(self):
        _, text, _ = run(matrix("a", [row("choice", 2e-3), row("mxv", 20e-3, library="suitesparse")]))
        table = text[text.index("## Effective bandwidth"):]
        self.assertEqual(cells(table, "a"), ["a", "power-law", "50.0", "–", "–", "10.0", "–", "–"])

    def test_break_even(self):
        _, text, _ = run(matrix("a", [row("mxv_row_2", 5e-3), row("mxv_merge", 4e-3), row("mxv_hyb", 3e-3, conversion_seconds=9.5e-3),
                                      row("mxv_coo", 6e-3, conversion_seconds=0), row("vxm_push", 1e-3)]),
                         matrix("b", [row("mxv_merge", 4e-3), row("mxv_hyb", 5e-3, conversion_seconds=1e-3)]))
        table = text[text.index("## Conversions"):]
        self.assertEqual(cells(table, "a"), ["a", "mxv_hyb", "4.0000", "3.0000", "9.500", "10"])
        self.assertEqual(cells(table, "b")[-1], "never")

    def test_pvldb_figure_2(self):
        _, text, _ = run(matrix("chung_lu:flickr", [row("mxv_hyb", 4e-3), row("mxv_tile_composite", 2e-3), row("mxv_coo", 8e-3)]))
        found = cells(text, "flickr")
        self.assertEqual((found[4], found[6], found[8]), ("0.5", "1.0", "2.0"))  # COO, HYB, TILE-Comp: 4 Mflop over 8, 4, 2 ms
        self.assertEqual(found[-2:], ["2.00", "1.95"])

    def test_pvldb_construction(self):
        _, text, _ = run(matrix("chung_lu:flickr", [row("mxv_hyb", 6e-3), row("mxv_tile_composite", 2e-3), row("mxv_tile_rectangles", 3e-3)]))
        self.assertIn("| chung_lu:flickr | PLUS_TIMES_FP32 | 3.0000 | 2.0000 | 1.50 | 2.00 | 1.95 |", text)
        self.assertIn("As printed over ours, geometric mean: 1.50, 0 of 1 below 1.", text)
        _, text, _ = run(matrix("chung_lu:flickr", [row("mxv_tile_composite", 2e-3)]))
        self.assertNotIn("as printed", text)

    def test_binned_thresholds(self):
        _, text, _ = run(matrix("a", [row("binned_csr_96", 4e-3), row("binned_csr_48", 2e-3), row("binned_csr_192", 5e-3)]))
        self.assertIn("| a | PLUS_TIMES_FP32 | 4.0000 | 0.500 | – | 1.000 | – | – | 1.250 |", text)
        self.assertIn("48: 0.500, 96: 1.000, 192: 1.250.", text)

    def test_tpds_table_3(self):
        analytic = {"FP32": {"COO": 2e-3, "CSR": 1e-3, "ELL": 1e-3}, "FP64": {"COO": 1e-3}}
        _, text, _ = run(matrix("a", [row("mxv_coo", 1e-3, predicted_seconds=1.1e-3), row("mxv_row_thread", 1.1e-3)], analytic=analytic))
        self.assertIn("| a | -50.0 | – | 10.0 | – | – | – |", text)
        self.assertIn("the published model here 1 of 2 (50 %); the calibrated model here 1 of 1 (100 %)", text)
        self.assertIn("paper 47 of 58 (81 %)", text)

    def test_hyb_thresholds(self):
        _, text, _ = run(matrix("a", [row("hyb_bell_garland", 4e-3), row("mxv_hyb", 2e-3), row("hyb_analytic", 8e-3)]))
        self.assertIn("| a | PLUS_TIMES_FP32 | 4.0000 | 2.00 | 0.50 |", text)

    def test_amd_figure_4(self):
        _, text, _ = run(matrix("chung_lu:su", [row("mxv_row_thread", 1e-3), row("mxv_row_16", 3e-3)]))
        self.assertEqual(cells(text, "su")[2:4], ["3.0", "1.0"])  # 2 * 2 M - 1 M = 3 Mflop
        self.assertEqual(cells(text, "su")[-1], "1.1")

    def test_dcsr_tables(self):
        # CSR in FP32: 12 MB + 8 MB = 20 MB, copied in 10 us; HYB 40 MB beside it.
        _, text, _ = run(matrix("chung_lu:enron", [row("mxv_hyb", 1e-3, bytes=60e6, conversion_seconds=200e-6), row("mxv_merge", 2e-3)]))
        self.assertEqual(cells(text, "enron")[1:6], ["40.0", "–", "0.500", "4", "0.653"])
        self.assertEqual(cells(text, "enron", 2)[1:], ["–", "–", "20.00", "–", "26.95", "1.29"])
        self.assertEqual(cells(text, "enron", 3)[1:4], ["FP32", "2.0", "4.0"])

    def test_presets_at_full_size_only(self):
        matrices, _, _ = run(*[matrix(n, []) for n in ("chung_lu:su", "chung_lu:su:1", "chung_lu:su:0.1", "chung_lu:100:2000", "rmat:4")])
        self.assertEqual([m.preset for m in matrices], ["su", "su", None, None, None])

    def test_mining_tables(self):
        runs = [{"algorithm": "hits", "preset": "flickr", "kernel": k, "seconds": s}
                for k, s in (("cpu", 0.5), ("mxv_coo", 0.02), ("mxv_tile_composite", 0.01), ("choice", 0.005))]
        _, text, _ = run(matrix("a", []), mining=runs + [{"algorithm": "hits", "preset": "flickr", "kernel": "mxv_hyb", "skipped": "why"}])
        table = text[text.index("Table 4: HITS"):]
        self.assertEqual(cells(table, "flickr")[1:], ["ours, ms", "500.000", "20.000", "–", "–", "10.000", "5.000"])
        self.assertIn("|  | ours, × | 50.00 | 2.00 | – | – | 1.00 | 0.50 |", table)
        self.assertIn("|  | paper, × | 23.67 | 1.90 | 1.81 | 1.10 | 1.00 |", table)

    def test_figures_are_well_formed_and_show_every_matrix(self):
        _, _, figures = run(matrix("a<b", [row("choice", 1e-3), row("mxv_merge", 1e-3, predicted_seconds=2e-3), row("csr_alg1", 2e-3, library="cusparse")]))
        self.assertEqual(sorted(figures), ["bandwidth.svg", "prediction.svg", "speedup.svg"])
        for figure in figures.values():
            xml.etree.ElementTree.fromstring(figure)
        self.assertIn("a&lt;b", figures["speedup.svg"])
        self.assertIn(">2.00<", figures["speedup.svg"])
        self.assertEqual(len(re.findall("<circle", figures["prediction.svg"])), 2)  # a point and its legend

    def test_what_the_papers_tables_lack_and_why(self):
        skipped = {"semiring": "PLUS_TIMES_FP32", "library": "cugrb", "kernel": "mxv_ell", "skipped": "CUGRB_FORCE=mxv_ell is not applicable: padding: 9 positions"}
        _, text, _ = run(*[matrix(f"chung_lu:{name}", [row("mxv_coo", 1e-3), skipped]) for name in ("flickr", "youtube")])
        table = text[text.index("What these results do not give"):]
        lines = [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| PVLDB 2011, Figure 2")]
        self.assertIn(["PVLDB 2011, Figure 2", "ELL", "2 of 5", "does not apply: padding"], lines)
        self.assertIn(["PVLDB 2011, Figure 2", "CPU", "2 of 5", "not among the candidates of the run (--suitesparse)"], lines)
        self.assertNotIn("COO", [c for line in lines if line[3] != "the graph was not measured" for c in line[1].split(", ")])

    def test_nothing_measured(self):
        _, text, _ = run(matrix("a", []))
        self.assertIn("(nothing measured)", text)

    def test_every_paper_preset_is_a_generators(self):
        source = (FOLDER.parent.parent / "tools/graph_files/chung_lu_presets.cpp").read_text()
        known = set(re.findall(r'\{"([a-z0-9-]+)", "(?:PVLDB|AMD|DCSR)"', source))
        papers = paper_tables.papers
        used = set(papers.PVLDB_OVER_HYB) | set(papers.AMD_TABLE_2) | set(papers.DCSR_TABLES)
        self.assertEqual(used - known, set())


if __name__ == "__main__":
    unittest.main()
