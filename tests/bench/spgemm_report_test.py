#!/usr/bin/env python3
"""bench/spgemm/report.py, and parts of results joined, on results that are easy to check by hand.

    spgemm_report_test.py BENCH_SPGEMM_FOLDER [unittest arguments]
"""
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

FOLDER = pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "reporting")]
import parts  # noqa: E402
import report  # noqa: E402
from report_run import run_report  # noqa: E402


def row(kernel, seconds, library="cugrb", semiring="PLUS_TIMES_FP32", **more):
    return {"semiring": semiring, "library": library, "kernel": kernel, "median_seconds": seconds, "same_result": True, **more}


def case(name, *rows, what="A*A", products=1e9, **more):
    return {"name": name, "kind": name.split(":")[0], "family": "rmat", "what": what, "products": products, "complete": True,
            "results": list(rows), **more}


def result(*cases, **more):
    return {"benchmark": "spgemm", "device": "test", "commit": "c", "copy_bytes_per_second": 4e12, "complete": True, "cases": list(cases), **more}


def run(*cases, simrank=()):
    """What report.py prints, and its figures."""
    results = [result(*cases, account={"timing": 3.0, "compile": 1.0})]
    if simrank:
        results.append({"benchmark": "mining", "device": "test", "runs": list(simrank)})
    return run_report(report, results)[:2]


def cells(text, first):
    """The cells of the first table row that begins with `first`."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [c.strip() for c in line.strip("|").split("|")]


class Report(unittest.TestCase):
    def test_a_case_whose_results_differ_is_named_and_left_out(self):
        text, _ = run(case("square:right", row("choice", 1e-3, chosen="mxm_rows", entries=7, least_bytes=1e9, workspace_bytes=2e6)),
                      case("square:wrong", row("choice", 1e-3, chosen="mxm_rows", entries=7, least_bytes=1e9, workspace_bytes=2e6),
                           dict(row("alg1", 9e-3, "cusparse"), same_result=False)))
        self.assertIn("- square:wrong: alg1", text)
        self.assertFalse([line for line in text.splitlines() if line.startswith("| square:wrong |")])
        self.assertTrue([line for line in text.splitlines() if line.startswith("| square:right |")])

    def test_the_choice_with_its_rates_and_rivals(self):
        text, _ = run(case("square:g", row("choice", 1e-3, chosen="mxm_rows", entries=7, least_bytes=1e9, workspace_bytes=2e6),
                           row("alg1", 9e-3, "cusparse"), row("alg2", 4e-3, "cusparse"), row("mxm", 0.1, "suitesparse")))
        self.assertEqual(cells(text, "square:g"), ["square:g", "A*A", "7", "mxm_rows", "1.0000", "2000.0", "25.0", "2.0", "alg2", "4.00", "100.0"])

    def test_masked_products_have_no_flops(self):
        text, _ = run(case("masked:g", row("choice", 1e-3, chosen="mxm_dot"), what="A*A'<A>"))
        self.assertEqual(cells(text, "masked:g")[5], "–")

    def test_gains_and_workspaces_against_cusparse(self):
        make = lambda name, ours, ours_bytes: case(name, row("choice", ours, workspace_bytes=ours_bytes),  # noqa: E731
                                                   row("alg1", 8e-3, "cusparse", workspace_bytes=100))
        text, _ = run(make("square:rmat:4", 1e-3, 10), make("square:rmat:5", 4e-3, 40), make("square:banded:9:1", 4e-3, 99))
        self.assertIn("geometric mean 3.17, least 2.00 (square:banded:9:1), 3 cases", text)
        self.assertIn("Workspace on RMAT: 0.20 of cuSPARSE's (geometric mean), at most 0.40 (square:rmat:5)", text)

    def test_choices_are_compared_with_the_best_kernel(self):
        text, _ = run(case("square:a", row("choice", 9e-3, chosen="mxm_sort"), row("mxm_sort", 1.09e-3), row("mxm_rows", 1e-3)),
                      case("square:b", row("choice", 9e-3, chosen="mxm_sort"), row("mxm_sort", 3e-3), row("mxm_rows", 1e-3)))
        self.assertIn("Within 10 % of the best kernel: 1 of 2 (50 %)", text)
        self.assertEqual(cells(text, "3.00")[1:], ["square:b", "PLUS_TIMES_FP32", "mxm_sort", "mxm_rows"])

    def test_the_fastest_kernel_stands_out(self):
        text, _ = run(case("square:a", row("mxm_sort", 2e-3), row("mxm_outer", 1e-3)))
        self.assertEqual(cells(text, "square:a"), ["square:a", "A*A", "**1.0000**", "2.0000"])

    def test_other_programs(self):
        text, _ = run(case("square:a", row("choice", 1e-3), row("spECK", 2e-3, "peer")), case("square:b", row("choice", 1e-3), row("spECK", 8e-3, "peer")))
        self.assertEqual(cells(text, "spECK"), ["spECK", "2", "4.00", "2.00"])

    def test_other_semirings_over_plus_times(self):
        others = (("MIN_PLUS_FP32", 1.2e-3), ("PLUS_TIMES_FP64", 1.5e-3), ("PLUS_PAIR_INT64", 1.5e-3))
        text, _ = run(case("square:a", row("choice", 1e-3), *(row("choice", t, semiring=name) for name, t in others)))
        table = text[text.index("## Other semirings"):]
        self.assertEqual(cells(table, "MIN_PLUS_FP32"), ["MIN_PLUS_FP32", "PLUS_TIMES_FP32", "1", "1.20", "0 of 1 (0 %)", "1.20"])
        lines = [[c.strip() for c in line.strip("| ").split("|")] for line in table.splitlines() if line.startswith("| square:a")]
        self.assertEqual([line[1:] for line in lines], [["MIN_PLUS_FP32", "1.2000", "1.20", "1.20"], ["PLUS_PAIR_INT64", "1.5000", "1.50", "1.00"],
                                                       ["PLUS_TIMES_FP64", "1.5000", "1.50", "–"]])

    def test_both_halves_of_a_galerkin_product(self):
        halves = [case(f"{kind}:poisson2d:8", row("choice", ours), row("alg1", 6e-3, "cusparse")) for kind, ours in (("interpolate", 1e-3), ("restrict", 2e-3))]
        text, _ = run(*halves)
        self.assertEqual(cells(text[text.index("Galerkin"):], "poisson2d:8"), ["poisson2d:8", "3.0000", "4.00", "–"])
        self.assertNotIn("Galerkin", run(halves[0])[0])

    def test_the_paper_s_graphs_and_simrank(self):
        text, _ = run(case("square:chung_lu:youtube", row("choice", 1e-3), row("mxm_outer", 2e-3), row("mxm_outer_staged", 3e-3), row("alg1", 4e-3, "cusparse")),
                      simrank=[{"algorithm": "simrank", "preset": "dblp-2010", "kernel": k, "seconds": s} for k, s in (("cpu", 8), ("choice", 0.5))])
        self.assertEqual(cells(text, "Youtube"), ["Youtube", "1.00", "1.0000", "2.0000", "4.00", "2.00", "1.500"])
        self.assertEqual(cells(text, "choice"), ["choice", "0.500", "16.0"])
        self.assertEqual(cells(text, "paper: lbGEMM"), ["paper: lbGEMM", "8.8", "980.2"])

    def test_figures_and_account(self):
        text, figures = run(case("square:a<b", row("choice", 1e-3), row("mxm_rows", 1e-3, predicted_seconds=2e-3), row("alg1", 3e-3, "cusparse")))
        self.assertEqual(sorted(figures), ["prediction.svg", "speedup.svg"])
        for figure in figures.values():
            xml.etree.ElementTree.fromstring(figure)
        self.assertIn(">3.00<", figures["speedup.svg"])
        self.assertEqual(cells(text, "timing"), ["timing", "3.0", "75.0"])


class Parts(unittest.TestCase):
    def test_complete_records_win_and_accounts_add_up(self):
        first = result(case("square:a"), case("square:b", complete=False), complete=False, account={"timing": 1})
        second = result(case("square:b", products=2), case("square:c"), account={"timing": 2, "loading": 1})
        whole = parts.merge([first, second])
        self.assertEqual([(c["name"], c["complete"], c["products"]) for c in whole["cases"]],
                         [("square:a", True, 1e9), ("square:b", True, 2), ("square:c", True, 1e9)])
        self.assertEqual((whole["complete"], whole["account"]), (True, {"timing": 3, "loading": 1}))
        self.assertEqual(parts.merge([second, first])["cases"][0]["products"], 2)

    def test_what_is_in_part_stays_so(self):
        self.assertFalse(parts.merge([result(case("square:a", complete=False)), result(case("square:b"))])["complete"])

    def test_parts_of_different_builds_are_refused(self):
        with self.assertRaisesRegex(ValueError, "commit: d in one part, c in another"):
            parts.merge([result(), result(commit="d")])

    def test_what_is_written_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = result(case("square:a"), case("square:b"), account={"timing": 1})
            parts.write(whole, f"{folder}/whole.json")
            self.assertEqual(parts.read(f"{folder}/whole.json"), whole)


if __name__ == "__main__":
    unittest.main()
