"""The papers' tables with our numbers beside theirs."""
import papers
from ratios import geometric_mean, ratio
from results import CHOICE, FP32, FP64
from table import number, print_table, share

# The papers' names of kernels, and ours; the first that was measured counts.
KERNELS = {"CSR scalar": ["mxv_row_thread"], "CSR vector": ["mxv_row_warp"], "COO": ["mxv_coo"], "ELL": ["mxv_ell"], "HYB": ["mxv_hyb"],
           "TILE-COO": ["mxv_tile_coo"], "TILE-Comp": ["mxv_tile_composite", "mxv_tile", "mxv_composite"],
           "1T1R": ["mxv_row_thread"], "16T1R": ["mxv_row_16"], "1W1R": ["mxv_row_warp"], "hybrid": ["mxv_binned", "mxv_binned_csr"],
           "DCSR": ["mxv_dcsr"], "ADCSR": ["mxv_adcsr"], "choice": [CHOICE]}


def measured(matrix, semiring, name):
    """The result of a kernel by the paper's name, or None."""
    rows = [matrix.row(semiring, kernel) for kernel in KERNELS[name]]
    return next((row for row in rows if row), None)


def seconds(matrix, semiring, name):
    row = measured(matrix, semiring, name)
    return row["median_seconds"] if row else None


def gigaflops(flops, time):
    return number(flops / time * 1e-9 if time else None, 1)


def presets(matrices, names):
    return [m for m in matrices if m.preset in names]


def pvldb_figure_2(matrices):
    print("\n### PVLDB 2011, Figure 2: SpMV on power-law matrices, FP32, GFLOP/s\n")
    names = ["CSR scalar", "CSR vector", "COO", "ELL", "HYB", "TILE-COO", "TILE-Comp", "choice"]
    rows = []
    for m in presets(matrices, papers.PVLDB_OVER_HYB):
        times = [seconds(m, FP32, n) for n in names]
        tile = seconds(m, FP32, "TILE-Comp")
        rows.append([m.preset, gigaflops(2 * m.entries, m.seconds(FP32, "mxv", "suitesparse"))]
                    + [gigaflops(2 * m.entries, t) for t in times]
                    + [number(ratio(seconds(m, FP32, "HYB"), tile), 2), number(papers.PVLDB_OVER_HYB[m.preset], 2)])
    print_table(["graph", "CPU", *names, "TILE-Comp over HYB", "paper"], rows)


def pvldb_construction(matrices):
    """The paper's tile-composite as its Algorithms 1 to 3 make it, beside ours."""
    rows, gains = [], []
    for m in matrices:
        for semiring in (FP32, FP64):
            paper, ours, hyb = (m.seconds(semiring, k) for k in ("mxv_tile_rectangles", "mxv_tile_composite", "mxv_hyb"))
            if not paper:
                continue
            if ours:
                gains.append(paper / ours)
            rows.append([m.name, semiring, number(paper * 1e3, 4), number(ours * 1e3 if ours else None, 4), number(ratio(paper, ours), 2),
                         number(ratio(hyb, paper), 2), number(papers.PVLDB_OVER_HYB.get(m.preset), 2)])
    if not rows:
        return
    print("\n### PVLDB 2011, Algorithms 1 to 3: tile-composite as printed, and ours\n")
    print_table(["matrix", "semiring", "as printed, ms", "ours, ms", "as printed over ours", "HYB over as printed", "paper: HYB over TILE-Comp"], rows)
    if gains:
        print(f"As printed over ours, geometric mean: {geometric_mean(gains):.2f}, {sum(g < 1 for g in gains)} of {len(gains)} below 1.")


def binned_thresholds(matrices):
    """Binned CSR with 16 lanes for rows of up to so many entries, over the paper's 96."""
    sizes, rows, ratios = (48, 64, 96, 128, 160, 192), [], {}
    for m in matrices:
        for semiring in (FP32, FP64):
            times = {size: m.seconds(semiring, f"binned_csr_{size}") for size in sizes}
            if not times[96]:
                continue
            for size, time in times.items():
                if time:
                    ratios.setdefault(size, []).append(time / times[96])
            rows.append([m.name, semiring, number(times[96] * 1e3, 4), *(number(ratio(times[size], times[96]), 3) for size in sizes)])
    if not rows:
        return
    print("\n### PageRank on AMD GPUs (2010), section V-B: the threshold of small rows, time over that with 96\n")
    print_table(["matrix", "semiring", "96: ms", *map(str, sizes)], rows)
    print("Geometric means: " + ", ".join(f"{size}: {geometric_mean(found):.3f}" for size, found in ratios.items()) + ".")


def tpds_table_3(matrices):
    print("\n### TPDS 2015, Table 3: relative difference of estimated and tested speed, percent\n")
    rows, ours, all_rows = [], [], []
    for m in matrices:
        cells = [m.name]
        for name, kernel in (("COO", "COO"), ("CSR", "CSR scalar"), ("ELL", "ELL")):
            for semiring, precision in ((FP32, "FP32"), (FP64, "FP64")):
                test = seconds(m, semiring, kernel)
                estimate = m.record.get("analytic", {}).get(precision, {}).get(name)
                error = 100 * (test / estimate - 1) if test and estimate else None
                predicted = (measured(m, semiring, kernel) or {}).get("predicted_seconds")
                if error is not None:
                    ours.append(error)
                if test and predicted:
                    all_rows.append(100 * (test / predicted - 1))
                cells.append(number(error, 1))
        rows.append(cells)
    head = ["COO single", "double", "CSR single", "double", "ELL single", "double"]
    print("The published model with this device's parameters, compute time on resident data:\n")
    print_table(["matrix", *head], rows)
    print("The paper's matrices and device:\n")
    print_table(["matrix", *head], [[k, *(number(v, 1) for v in values)] for k, values in papers.TPDS_TABLE_3.items()])
    print(f"Within 20 %: paper {share(*papers.TPDS_WITHIN_20)}; the published model here {share(sum(abs(e) <= 20 for e in ours), len(ours))}; "
          f"the calibrated model here {share(sum(abs(e) <= 20 for e in all_rows), len(all_rows))}.\n")


def hyb_thresholds(matrices):
    print("\n### HYB: gain over the threshold of Bell and Garland\n")
    rows, gains = [], {"selector": [], "model": []}
    for m in matrices:
        for semiring in (FP32, FP64):
            heuristic, chosen, model = (m.seconds(semiring, k) for k in ("hyb_bell_garland", "mxv_hyb", "hyb_analytic"))
            if not heuristic:
                continue
            for key, value in (("selector", chosen), ("model", model)):
                if value:
                    gains[key].append(heuristic / value)
            rows.append([m.name, semiring, number(heuristic * 1e3, 4), number(ratio(heuristic, chosen), 2), number(ratio(heuristic, model), 2)])
    print_table(["matrix", "semiring", "heuristic K, ms", "selector's K ×", "published model's K ×"], rows)
    for key, values in gains.items():
        if values:
            print(f"Geometric mean with the {key}'s K: {geometric_mean(values):.2f}.")


def amd_figure_4(matrices):
    print("\n### PageRank on AMD GPUs (2010), Figure 4: SpMV, FP32, GFLOP/s = (2 entries - rows) / time\n")
    names = ["1T1R", "16T1R", "1W1R", "hybrid", "choice"]
    rows = []
    for m in presets(matrices, papers.AMD_TABLE_2):
        flops = 2 * m.entries - m.rows
        cpu, hybrid = (1e-3 * t for t in papers.AMD_TABLE_2[m.preset])
        rows.append([m.preset, gigaflops(flops, m.seconds(FP32, "mxv", "suitesparse"))] + [gigaflops(flops, seconds(m, FP32, n)) for n in names]
                    + [gigaflops(flops, cpu), gigaflops(flops, hybrid)])
    print_table(["graph", "CPU", *names, "paper: CPU (whole round)", "paper: hybrid"], rows)


def own_bytes(matrix, row):
    """What a format holds beside the CSR that it was made from."""
    return row["bytes"] - matrix.csr_bytes(4) if row else None


def dcsr_tables(matrices):
    ours = presets(matrices, papers.DCSR_TABLES)
    print("\n### DCSR, Table 2: memory, FP32, as parts of HYB's\n")
    rows = []
    for m in ours:
        hyb_bytes, parts, _, _ = papers.DCSR_TABLES[m.preset]
        hyb = own_bytes(m, measured(m, FP32, "HYB"))
        dcsr = own_bytes(m, measured(m, FP32, "DCSR"))
        rows.append([m.preset, number(hyb / 1e6 if hyb else None, 1), number(ratio(dcsr, hyb), 3), number(ratio(m.csr_bytes(4), hyb), 3),
                     number(hyb_bytes / 1e6, 0), *(number(p, 3) for p in parts)])
    print_table(["matrix", "HYB MB", "DCSR", "CSR", "paper: HYB MB", "DCSR 2", "3", "4 segments", "CSR"], rows)
    print("\n### DCSR, Table 3: conversion from CSR, in units of copying the CSR\n")
    rows = []
    for m in ours:
        _, _, dcsr, hyb = papers.DCSR_TABLES[m.preset]
        copy = 2 * m.csr_bytes(4) / m.copy
        found = [(measured(m, FP32, n) or {}).get("conversion_seconds") for n in ("COO", "ELL", "HYB", "DCSR")]
        rows.append([m.preset, *(number(ratio(t, copy), 2) for t in found), number(hyb, 2), number(dcsr, 2)])
    print_table(["matrix", "COO", "ELL", "HYB", "DCSR", "paper: HYB", "DCSR"], rows)
    print("\n### DCSR, Figure 4: SpMV, GFLOP/s (paper: ADCSR 9 % above HYB on average, DCSR defragmented 1 % below CSR)\n")
    rows, over = [], []
    for m in ours:
        for semiring in (FP32, FP64):
            csr = [t for k, t in m.kernels(semiring).items() if k.startswith("mxv_row") or k == "mxv_merge"]
            times = [min(csr) if csr else None] + [seconds(m, semiring, n) for n in ("HYB", "DCSR", "ADCSR", "choice")]
            if times[1] and times[3]:
                over.append(times[1] / times[3])
            rows.append([m.preset, semiring[-4:], *(gigaflops(2 * m.entries, t) for t in times)])
    print_table(["matrix", "", "CSR (best kernel)", "HYB", "DCSR", "ADCSR", "choice"], rows)
    if over:
        print(f"ADCSR over HYB, geometric mean: {geometric_mean(over):.2f} (paper 1.09).")


# What the papers' tables need: graphs, semirings, and columns by the papers' names ("CPU" is SuiteSparse).
NEEDED = [
    ("PVLDB 2011, Figure 2", papers.PVLDB_OVER_HYB, [FP32], ["CPU", "CSR scalar", "CSR vector", "COO", "ELL", "HYB", "TILE-COO", "TILE-Comp"]),
    ("AMD 2010, Figure 4", papers.AMD_TABLE_2, [FP32], ["CPU", "1T1R", "16T1R", "1W1R", "hybrid"]),
    ("DCSR, Tables 2 and 3", papers.DCSR_TABLES, [FP32], ["COO", "ELL", "HYB", "DCSR"]),
    ("DCSR, Figure 4", papers.DCSR_TABLES, [FP32, FP64], ["HYB", "DCSR", "ADCSR"]),
]


def why_missing(matrix, semiring, column):
    """Empty when it was measured."""
    if matrix is None:
        return "the graph was not measured"
    kernels = ["mxv"] if column == "CPU" else KERNELS[column]
    rows = [r for r in matrix.record["results"] if r["semiring"] == semiring and r["kernel"] in kernels]
    if any("median_seconds" in r for r in rows):
        return ""
    for row in rows:
        if "skipped" in row or "failed" in row:
            words = (row.get("skipped") or row["failed"]).split(": ")
            return "does not apply: " + (words[1] if len(words) > 1 else words[0])
    return "not among the candidates of the run" + (" (--suitesparse)" if column == "CPU" else "")


def gaps(matrices, mining):
    """What of the papers' tables these results do not give, and why."""
    print("\n### What these results do not give of the papers' tables\n")
    missing = {}  # (table, why, how many of how many): columns
    for table, graphs, semirings, columns in NEEDED:
        found = {m.preset: m for m in matrices}
        for column in columns:
            reasons = [why_missing(found.get(graph), semiring, column) for graph in graphs for semiring in semirings]
            for why in sorted(set(filter(None, reasons))):
                missing.setdefault((table, why, f"{reasons.count(why)} of {len(reasons)}"), []).append(column)
    for algorithm, (title, graphs) in papers.PVLDB_TIMES.items():
        for column in papers.PVLDB_COLUMNS:
            kernels = ["cpu"] if column == "CPU" else KERNELS[column]
            known = {r["preset"] for r in mining if r["algorithm"] == algorithm and r["kernel"] in kernels}
            count = len(set(graphs) - known)
            if count:
                missing.setdefault((f"PVLDB 2011, {title.split(':')[0]}", "no run of mining.py", f"{count} of {len(graphs)}"), []).append(column)
    rows = [[table, ", ".join(columns), count, why] for (table, why, count), columns in missing.items()]
    print_table(["table", "columns", "missing", "why"], rows)
    print("Never: the matrices of TPDS 2015's Table 3 (not at hand; ours stand in), DCSR of 3 and 4 segments (memory is measured as it is built).")


def from_products(matrices):
    print("\n## The papers' tables, ours beside theirs")
    print("\nGraphs are Chung-Lu graphs with the statistics of the papers' (docs/algorithms.md), at full size only.")
    pvldb_figure_2(matrices)
    pvldb_construction(matrices)
    tpds_table_3(matrices)
    hyb_thresholds(matrices)
    amd_figure_4(matrices)
    binned_thresholds(matrices)
    dcsr_tables(matrices)


def from_mining(runs):
    """Tables 1, 4, 5 of PVLDB 2011, from mining.py's runs: seconds and ratios to TILE-Composite."""
    for algorithm, (title, theirs) in papers.PVLDB_TIMES.items():
        print(f"\n### PVLDB 2011, {title}\n")
        rows = []
        for graph, paper in theirs.items():
            found = {r["kernel"]: r["seconds"] for r in runs if (r["algorithm"], r["preset"]) == (algorithm, graph)}
            times = [found.get("cpu")] + [next((found[k] for k in KERNELS[n] if k in found), None) for n in papers.PVLDB_COLUMNS[1:]]
            best = times[-1] or found.get(CHOICE)
            rows.append([graph, "ours, ms", *(number(t * 1e3 if t else None, 3) for t in times),
                         number(found[CHOICE] * 1e3 if CHOICE in found else None, 3)])
            rows.append(["", "ours, ×", *(number(ratio(t, best), 2) for t in times), number(ratio(found.get(CHOICE), best), 2)])
            rows.append(["", "paper, ×", *(number(t / paper[-1], 2) for t in paper), ""])
        print("Ratios are to TILE-Composite (to the choice where that was not measured).\n")
        print_table(["graph", "", *papers.PVLDB_COLUMNS, "choice"], rows)
