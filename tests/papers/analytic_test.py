#!/usr/bin/env python3
"""What `cugrb explain` prints of the analytic model against tests/papers/analytic_model.py, for FP32, FP64 and INT32.

    analytic_test.py --cugrb BUILD/bin/cugrb MATRIX_OR_FOLDER...

A folder stands for its Matrix Market files. The rows are counted here, from the file. Device parameters are an H200's,
by CUDA's table of arithmetic throughput for compute capability 9.0. Prints a line a matrix; exit code 1 when a column
differs.
"""
import argparse
import collections
import json
import lzma
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

import analytic_model as model

# CUDA C++ Programming Guide, results a clock and multiprocessor, compute capability 9.0; an H200's clocks.
SINGLES, DOUBLES, INTEGERS = 128, 64, 64
MULTIPROCESSORS, CLOCK, MEMORY_CLOCK, BUS_BYTES = 132, 1.98e9, 3.201e9, 6144 // 8
SHIPPED_BUS = 55e9
F = {"FP32": CLOCK, "FP64": CLOCK * DOUBLES / SINGLES, "INT32": CLOCK * INTEGERS / SINGLES}
SIZE = {"FP32": 4, "FP64": 8, "INT32": 4}
TOLERANCE = 1e-12  # the sums are of a few terms, in another order

# Five rows of 6, 1, 0, 2 and 1 entries: the matrix that tests/selector/analytic_test.cpp works out by hand.
FIVE_ROWS = "%%MatrixMarket matrix coordinate pattern general\n5 6 10\n" + "".join(
    f"{i} {j}\n" for i, j in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1), (4, 1), (4, 2), (5, 1)])


def opened(path):
    return {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)(path, "rt")


def histogram(path):
    """{length: rows} of a Matrix Market file; a symmetric one's other half counts, a repeated entry once."""
    with opened(path) as file:
        symmetric = file.readline().split()[4].lower() != "general"
        line = next(line for line in file if not line.startswith("%") and line.strip())
        rows = int(line.split()[0])
        columns = [set() for _ in range(rows)]
        for line in file:
            i, j = map(int, line.split(maxsplit=2)[:2])
            columns[i - 1].add(j)
            if symmetric:
                columns[j - 1].add(i)
    return dict(collections.Counter(map(len, columns)))


def parameters(kind):
    return model.Parameters(B=SHIPPED_BUS, F=F[kind], F_i=F["INT32"], BW=BUS_BYTES, CR=MEMORY_CLOCK,
                            C=MULTIPROCESSORS * SINGLES, S=SIZE[kind])


class Differences(list):
    def number(self, what, printed, expected):
        if abs(printed - expected) > TOLERANCE * abs(expected):
            self.append(f"{what}: {printed!r}, not {expected!r}")

    def same(self, what, printed, expected):
        if printed != expected:
            self.append(f"{what}: {printed!r}, not {expected!r}")

    def estimate(self, what, printed, expected):
        for key, value in [("storage_bytes", expected.storage), ("transfer_seconds", expected.DTT),
                           ("memory_seconds", expected.AM), ("multiply_seconds", expected.CTC_m),
                           ("add_seconds", expected.CTC_a), ("compute_seconds", expected.CT()),
                           ("total_seconds", expected.T())]:
            self.number(f"{what} {key}", printed[key], value)

    def best_hyb(self, what, printed, X, p, time):
        """Another K only where rounding alone tells the two times apart."""
        self.estimate(what, printed, model.hyb(X, printed["threshold"], p))
        K, least = model.best_hyb(X, p, time)
        self.number(f"{what} at K = {printed['threshold']} for {K}", time(model.hyb(X, printed["threshold"], p)), least)


def compare_product(product, X, p):
    wrong, analytic = Differences(), product["analytic"]
    CT, T = model.Estimate.CT, model.Estimate.T
    wrong.number("F", analytic["parameters"]["value_rate"], p.F)
    wrong.number("F_i", analytic["parameters"]["integer_rate"], p.F_i)
    wrong.number("B", analytic["parameters"]["transfer_rate"], p.B)
    wrong.same("B's source", analytic["parameters"]["transfer_rate_source"], "shipped (NVIDIA H200)")
    coo, csr, ell, hyb = analytic["formats"]
    for what, printed, expected in [("COO", coo, model.coo(X, p)), ("CSR", csr, model.csr(X, p)),
                                    ("ELL", ell, model.ell(X, p))]:
        wrong.estimate(what, printed, expected)
    wrong.best_hyb("HYB", hyb, X, p, T)
    wrong.best_hyb("HYB*", analytic["resident_hyb"], X, p, CT)
    for key in ("bell_garland_hyb", "kernel_hyb"):
        wrong.estimate(key, analytic[key], model.hyb(X, analytic[key]["threshold"], p))
    wrong.same("choice", analytic["choice"], model.choice(X, p, T))
    wrong.same("resident choice", analytic["resident_choice"], model.choice(X, p, CT))
    other = analytic["break_points"]
    wrong.number("E(Q)", analytic["fractile_mean"], X.E_Q(p.W, False))
    wrong.number("E(Q')", other["mean"], X.E_Q(p.W, True))
    wrong.estimate("CSR Q'", other["formats"][1], model.csr(X, p, True))
    wrong.estimate("ELL Q'", other["formats"][2], model.ell(X, p, True))
    wrong.same("choice by Q'", other["choice"], model.choice(X, p, T, True))
    wrong.same("resident choice by Q'", other["resident_choice"], model.choice(X, p, CT, True))
    candidates = {c["kernel"]: c for c in product["candidates"]}
    for kernel, expected in [("mxv_coo", model.coo(X, p)), ("mxv_row_thread", model.csr(X, p)),
                             ("mxv_ell", model.ell(X, p)),
                             ("mxv_hyb", model.hyb(X, analytic["kernel_hyb"]["threshold"], p))]:
        wrong.number(f"{kernel}'s column", candidates[kernel]["analytic_seconds"], expected.CT())
    wrong.number("mxv_hyb's optimum", candidates["mxv_hyb"]["analytic_optimum_seconds"],
                 model.best_hyb(X, p, CT)[1])
    return wrong


def explain(cugrb, path):
    with tempfile.NamedTemporaryFile(suffix=".json") as answer:
        subprocess.run([cugrb, "explain", path, "--json", answer.name, *[f"--semiring=PLUS_TIMES_{kind}" for kind in F]],
                       check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "CUGRB_DEVICE": "auto"})
        (report,) = json.load(open(answer.name))
    return report


def compare(cugrb, path):
    counted = histogram(path)
    report = explain(cugrb, path)
    wrong = Differences()
    wrong.same("row lengths", dict(map(tuple, report["lengths"]["rows"]["histogram"])), counted)
    for kind, product in zip(F, report["products"]):
        wrong += [f"{kind} {difference}" for difference in compare_product(product, model.Lengths(counted), parameters(kind))]
    by = [p["analytic"] for p in report["products"]]
    print(f"{path.name:<32} E(Q) {by[0]['fractile_mean']:>9.2f} {by[0]['break_points']['mean']:>9.2f}  resident choice "
          + ", ".join(f"{kind} {a['resident_choice']} ({a['break_points']['resident_choice']} by break points)"
                      for kind, a in zip(F, by)) + (": agrees" if not wrong else ""), flush=True)
    for difference in wrong:
        print(f"    {difference}")
    return not wrong


def matrices(names, folder):
    small = folder / "five_rows.mtx"
    small.write_text(FIVE_ROWS)
    for name in names:
        path = pathlib.Path(name)
        yield from sorted(path.glob("*.mtx*")) if path.is_dir() else [path]
    yield small


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cugrb", required=True)
    parser.add_argument("matrices", nargs="+", metavar="MATRIX_OR_FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cugrb-analytic-") as folder:
        agree = [compare(options.cugrb, path) for path in matrices(options.matrices, pathlib.Path(folder))]
    print(f"{sum(agree)} of {len(agree)} matrices agree")
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
