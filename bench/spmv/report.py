#!/usr/bin/env python3
"""Tables and plots from what bench_spmv and mining.py wrote.

    bench/spmv/report.py FILE.json... [--figures FOLDER]

Prints Markdown: cuGrB against cuSPARSE and SuiteSparse, predictions against measurements, the selector's choices, and the papers'
tables with our numbers beside theirs. A dash stands for what was not measured.
"""
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "reporting")]
import figures  # noqa: E402
import paper_tables  # noqa: E402
from ratios import geometric_mean, ratio  # noqa: E402
from results import CHOICE, FP32, FP64, PATTERN, load  # noqa: E402
from table import arguments, number, print_account, print_table, print_title, share, without_differing  # noqa: E402

LARGE = 1_000_000  # entries; the bars speak of matrices above that


def against_cusparse(matrices):
    """The choice against cuSPARSE's best: FP32, FP64, and the pattern semiring against cuSPARSE's FP32."""
    print("\n## cuGrB against cuSPARSE's best algorithm of the same run\n")
    rows, ratios = [], {}
    for m in sorted(matrices, key=lambda m: (m.kind, m.name)):
        single, double = m.cusparse(FP32), m.cusparse(FP64)
        if not single:
            continue
        values = [ratio(single[1], m.choice_beside_cusparse(FP32)),
                  ratio(double[1] if double else None, m.choice_beside_cusparse(FP64)),
                  ratio(single[1], m.seconds(PATTERN, CHOICE))]
        best = m.best(FP32)
        rows.append([m.name, m.kind, m.entries, single[0], number(single[1] * 1e3, 4), (m.row(FP32, CHOICE) or {}).get("chosen", "–")]
                    + [number(v, 2) for v in values] + [number(ratio(single[1], best[1] if best else None), 2)])
        if m.entries >= LARGE:
            for column, value in zip(("FP32", "FP64", "pattern"), values):
                if value:
                    ratios.setdefault((m.kind, column), []).append((value, m.name))
    print_table(["matrix", "class", "entries", "cuSPARSE", "ms", "choice", "FP32 ×", "FP64 ×", "pattern ×", "best kernel ×"], rows)
    summary = [[kind, column, len(v), number(geometric_mean([x for x, _ in v]), 2), f"{min(v)[0]:.2f} ({min(v)[1]})"]
               for (kind, column), v in sorted(ratios.items())]
    print_table(["class, above 1 M entries", "", "matrices", "geometric mean", "least"], summary)
    return ratios


def predictions(matrices):
    """Predicted against measured time of every candidate."""
    print("\n## Predictions\n")
    errors = {}
    for m in matrices:
        for r in m.results:
            if r["library"] == "cugrb" and r.get("predicted_seconds", 0) > 0 and r["kernel"] != CHOICE:
                errors.setdefault(r["kernel"], []).append(r["predicted_seconds"] / r["median_seconds"])
    everything = [e for values in errors.values() for e in values]
    rows = [[kernel, len(v), share(sum(0.8 <= e <= 1.2 for e in v), len(v)), number(geometric_mean(v), 2)]
            for kernel, v in list(errors.items()) + ([("all", everything)] if everything else [])]
    print_table(["kernel", "pairs", "within 20 %", "predicted/measured, geometric mean"], rows)
    return everything


def choices(matrices):
    """How far the choice is from the best kernel of the same run."""
    print("\n## Choices\n")
    regrets = []
    for m in matrices:
        for semiring in sorted({r["semiring"] for r in m.results}):
            best, chosen = m.best(semiring), m.row(semiring, CHOICE)
            if not best or not chosen:
                continue
            # The choice is one of the kernels: its own forced time, where there is one, is the same thing measured again.
            kernel = chosen.get("chosen", "")
            seconds = m.kernels(semiring).get(kernel, chosen["median_seconds"])
            regrets.append((seconds / best[1], m.name, semiring, kernel, best[0]))
    if regrets:
        good = sum(r[0] <= 1.05 for r in regrets)
        print(f"Within 5 % of the best kernel: {share(good, len(regrets))}; geometric mean of the loss "
              f"{geometric_mean([r[0] for r in regrets]):.3f}. The worst:\n")
        worst = sorted(regrets, reverse=True)[:12]
        print_table(["loss ×", "matrix", "semiring", "chosen", "best"], [[number(r[0], 2), *r[1:]] for r in worst])
    return regrets


def conversions(matrices):
    """The best kernel on another format than the CSR: after how many products its conversion has paid for itself."""
    print("\n## Conversions, FP32: when the best format other than CSR has paid for itself\n")
    rows = []
    for m in sorted(matrices, key=lambda m: (m.kind, m.name)):
        kernels = m.kernels(FP32)
        csr = [t for k, t in kernels.items() if k.startswith("mxv_row_") or k == "mxv_merge"]
        others = {k: t for k, t in kernels.items() if not k.startswith(("mxv_row_", "vxm_")) and k != "mxv_merge"}
        if not csr or not others:
            continue
        best = min(others, key=others.get)
        made = m.row(FP32, best).get("conversion_seconds")
        gain = min(csr) - others[best]
        uses = None if made is None or gain <= 0 else math.ceil(made / gain)
        rows.append([m.name, best, number(min(csr) * 1e3, 4), number(others[best] * 1e3, 4), number(made * 1e3 if made is not None else None, 3),
                     "never" if gain <= 0 else uses if uses is not None else "–"])
    print_table(["matrix", "format's kernel", "best on CSR, ms", "it, ms", "conversion, ms", "break-even uses"], rows)


def bandwidth(matrices):
    """Effective bandwidth as a share of copy bandwidth, and SuiteSparse beside it."""
    print("\n## Effective bandwidth (CSR bytes, x and y once) over copy bandwidth, percent; SuiteSparse's time over the choice's\n")
    rows = []
    for m in sorted(matrices, key=lambda m: (m.kind, m.name)):
        row = [m.name, m.kind]
        for semiring in (FP32, FP64, PATTERN):
            r = m.row(semiring, CHOICE)
            row.append(number(100 * r["csr_bytes"] / r["median_seconds"] / m.copy if r else None, 1))
        row += [number(ratio(m.seconds(s, "mxv", "suitesparse"), m.seconds(s, CHOICE)), 1) for s in (FP32, FP64, PATTERN)]
        rows.append(row)
    print_table(["matrix", "class", "FP32", "FP64", "pattern", "CPU/GPU FP32", "FP64", "pattern"], rows)


def main():
    files, folder = arguments(__doc__)
    matrices, mining, run = load(files)
    print_title("Matrix-vector products", run, f"{len(matrices)} matrices")
    matrices = without_differing(matrices)
    if matrices:
        against_cusparse(matrices)
        choices(matrices)
        predictions(matrices)
        conversions(matrices)
        bandwidth(matrices)
        paper_tables.from_products(matrices)
    if run.get("account"):
        print_account(run["account"])
    if mining:
        paper_tables.from_mining(mining)
    if matrices:
        paper_tables.gaps(matrices, mining)
    if folder:
        figures.write(matrices, folder)


if __name__ == "__main__":
    main()
