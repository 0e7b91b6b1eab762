#!/usr/bin/env python3
"""Tables and plots from what bench_spgemm (and bench/spmv/mining.py --algorithms simrank) wrote.

    bench/spgemm/report.py FILE.json... [--figures FOLDER]

Prints Markdown: cuGrB against cuSPARSE, SuiteSparse and other programs, the selector's choices, and the numbers of Jo, Kim and Bae (CIKM
2015) with ours beside. A dash stands for what was not measured.
"""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "reporting")]
import svg  # noqa: E402
from ratios import geometric_mean, ratio  # noqa: E402
from results import CHOICE, FP32, FP64, load  # noqa: E402
from table import arguments, number, print_account, print_table, print_title, share, without_differing  # noqa: E402

# Y.-Y. Jo, S.-W. Kim, D.-H. Bae, CIKM 2015, GTX TITAN Black. Of its Table 2 the text that we have gives the range of the gain over
# csrGEMM only, and of Table 1 the sizes of Enron and Slashdot; SimRank on DBLP: seconds.
PAPER_GAIN = (3, 145)
PAPER_GRAPHS = {"chung_lu:36000:367000": "EmailEnron (36k, 367k)", "chung_lu:82000:948000": "Slashdot (82k, 948k)",
                "chung_lu:dblp-2010": "DBLP", "chung_lu:youtube": "Youtube", "chung_lu:livejournal": "LiveJournal",
                "email-Enron": "EmailEnron, itself", "soc-Slashdot0902": "Slashdot, itself", "dblp-2010": "DBLP of 2010, itself"}
PAPER_SIMRANK = {"lbGEMM": 8.8, "csrGEMM": 8626.2}


def milliseconds(seconds):
    return number(None if seconds is None else seconds * 1e3, 4)


def products(cases):
    print("\n## Products, FP32: the choice, its bounds and its rivals\n")
    print("GFLOP/s: 2 products over the time. Of copy: factors read once and C written once, over copy bandwidth. Workspace: the most in use\n"
          "beside factors and C.\n")
    rows = []
    for case in cases:
        chosen = case.row(FP32, CHOICE)
        if not chosen:
            continue
        seconds, rival = chosen["median_seconds"], case.best(FP32, "cusparse")
        flops = 2 * case.products if case.products and "<" not in case.what else None
        rows.append([case.name, case.what, chosen.get("entries", "–"), chosen.get("chosen", "–"), milliseconds(seconds),
                     number(flops / seconds * 1e-9 if flops else None, 1),
                     number(100 * chosen["least_bytes"] / seconds / case.copy if case.copy and "least_bytes" in chosen else None, 1),
                     number(chosen["workspace_bytes"] * 1e-6 if "workspace_bytes" in chosen else None, 1),
                     rival["kernel"] if rival else "–", number(ratio(rival and rival["median_seconds"], seconds), 2),
                     number(ratio(case.seconds(FP32, "mxm", "suitesparse"), seconds), 1)])
    print_table(["case", "C", "entries of C", "kernel", "ms", "GFLOP/s", "% of copy", "workspace MB", "cuSPARSE's best", "its time ×",
                 "SuiteSparse's ×"], rows)


def against_cusparse(cases):
    """Gains over cuSPARSE's best; workspaces against that algorithm's."""
    found = [(case, case.row(FP32, CHOICE), case.best(FP32, "cusparse")) for case in cases]
    found = [(case, ours, theirs) for case, ours, theirs in found if ours and theirs]
    gains = [(theirs["median_seconds"] / ours["median_seconds"], case.name) for case, ours, theirs in found]
    parts_of = [(ours["workspace_bytes"] / theirs["workspace_bytes"], case.name) for case, ours, theirs in found
                if case.graph.startswith("rmat:") and ours.get("workspace_bytes") and theirs.get("workspace_bytes")]
    if gains:
        print(f"Against cuSPARSE's best, FP32: geometric mean {geometric_mean([g for g, _ in gains]):.2f}, least {min(gains)[0]:.2f} "
              f"({min(gains)[1]}), {len(gains)} cases.")
    if parts_of:
        print(f"Workspace on RMAT: {geometric_mean([p for p, _ in parts_of]):.2f} of cuSPARSE's (geometric mean), at most "
              f"{max(parts_of)[0]:.2f} ({max(parts_of)[1]}).")


def against_peers(cases):
    gains = {}
    for case in cases:
        for peer in case.rows(FP32, "peer"):
            if case.seconds(FP32, CHOICE):
                gains.setdefault(peer["kernel"], []).append(peer["median_seconds"] / case.seconds(FP32, CHOICE))
    if gains:
        print("\n## Other programs: their time over the choice's\n")
        print_table(["program", "cases", "geometric mean ×", "least"],
                    [[name, len(g), number(geometric_mean(g), 2), number(min(g), 2)] for name, g in sorted(gains.items())])


def choices(cases):
    print("\n## Choices\n")
    losses = []
    for case in cases:
        for semiring in case.semirings():
            best, chosen = case.best(semiring), case.row(semiring, CHOICE)
            if best and chosen:
                # The choice is one of the kernels: its own forced time, where there is one, is the same thing measured again.
                seconds = case.seconds(semiring, chosen.get("chosen", "")) or chosen["median_seconds"]
                losses.append((seconds / best["median_seconds"], case.name, semiring, chosen.get("chosen", "–"), best["kernel"]))
    if losses:
        print(f"Within 10 % of the best kernel: {share(sum(loss[0] <= 1.1 for loss in losses), len(losses))}. The worst:\n")
    print_table(["loss ×", "case", "semiring", "chosen", "best"], [[number(loss[0], 2), *loss[1:]] for loss in sorted(losses, reverse=True)[:12]])


def kernels(cases):
    """The map of the kernels: where each is the fastest."""
    print("\n## Kernels, FP32, ms\n")
    names = sorted({r["kernel"] for case in cases for r in case.rows(FP32, "cugrb") if r["kernel"].startswith("mxm_")})
    rows = []
    for case in cases:
        times = [case.seconds(FP32, name) for name in names]
        known = [t for t in times if t]
        if known:
            rows.append([case.name, case.what] + [f"**{milliseconds(t)}**" if t == min(known) else milliseconds(t) for t in times])
    print_table(["case", "C", *names], rows)


def semirings(cases):
    """Other semirings' times over plus-times' on the same product: of FP32, and of a type as wide as the semiring's."""
    rows, ratios = [], {}
    for case in cases:
        base = case.seconds(FP32, CHOICE)
        for semiring in case.semirings():
            seconds = case.seconds(semiring, CHOICE)
            if not base or semiring == FP32 or not seconds:
                continue
            as_wide = FP64 if semiring.endswith("64") else FP32
            over = {FP32: ratio(seconds, base), as_wide: ratio(seconds, case.seconds(as_wide, CHOICE))}
            rows.append([case.name, semiring, milliseconds(seconds), number(over[FP32], 2),
                         number(over[as_wide] if semiring != FP64 else None, 2)])
            for plus_times, value in over.items():
                if value and plus_times != semiring:
                    ratios.setdefault((semiring, plus_times), []).append(value)
    if rows:
        print("\n## Other semirings\n")
        print_table(["semiring", "over", "cases", "geometric mean", "within 1.15", "most"],
                    [[*key, len(v), number(geometric_mean(v), 2), share(sum(x <= 1.15 for x in v), len(v)), number(max(v), 2)]
                     for key, v in sorted(ratios.items())])
        print()
        print_table(["case", "semiring", "ms", "over PLUS_TIMES_FP32", "over plus-times as wide"], rows)


def galerkin(cases):
    """A P and P' (A P) together."""
    rows = []
    for graph in sorted({case.graph for case in cases if case.kind in ("interpolate", "restrict")}):
        halves = {case.kind: case for case in cases if case.graph == graph and case.kind in ("interpolate", "restrict")}
        if len(halves) < 2:
            continue

        def both(seconds):
            times = [seconds(half) for half in halves.values()]
            return None if None in times else sum(times)

        ours = both(lambda c: c.seconds(FP32, CHOICE))
        rivals = [both(lambda c: (c.best(FP32, "cusparse") or {}).get("median_seconds")), both(lambda c: c.seconds(FP32, "mxm", "suitesparse"))]
        rows.append([graph, milliseconds(ours), *(number(ratio(rival, ours), 2) for rival in rivals)])
    if rows:
        print("\n## Galerkin products P'(A P), FP32\n")
        print_table(["grid", "ms", "cuSPARSE's ×", "SuiteSparse's ×"], rows)


def paper(cases, simrank):
    """Jo, Kim, Bae: the gain over cuSPARSE of the time, and SimRank."""
    print("\n## Jo, Kim and Bae (CIKM 2015): A A\n")
    rows = []
    for case in cases:
        if case.kind == "square" and case.graph in PAPER_GRAPHS:
            seconds, outer, rival = case.seconds(FP32, CHOICE), case.seconds(FP32, "mxm_outer"), case.best(FP32, "cusparse")
            rival = rival and rival["median_seconds"]
            rows.append([PAPER_GRAPHS[case.graph], number(case.products * 1e-9 if case.products else None, 2), milliseconds(seconds),
                         milliseconds(outer), number(ratio(rival, seconds), 2), number(ratio(rival, outer), 2),
                         number(ratio(case.seconds(FP32, "mxm_outer_staged"), outer), 3)])
    print_table(["graph", "10^9 products", "ours, ms", "mxm_outer, ms", "cuSPARSE over ours", "over mxm_outer", "values staged over not"], rows)
    print(f"The paper's outer product over csrGEMM: {PAPER_GAIN[0]} to {PAPER_GAIN[1]} times.")
    runs = {row["kernel"]: row["seconds"] for row in simrank if row["algorithm"] == "simrank"}
    if runs:
        print("\n### SimRank on DBLP\n")
        theirs = [[f"paper: {name}", number(t, 1), number(PAPER_SIMRANK["csrGEMM"] / t, 1)] for name, t in PAPER_SIMRANK.items()]
        print_table(["", "s", "gain over the last of its kind"],
                    [[name, number(t, 3), number(ratio(runs.get("cpu"), t), 1)] for name, t in runs.items()] + theirs)


def write_figures(cases, folder):
    shown = [case for case in cases if case.seconds(FP32, CHOICE)]
    rivals = {"cuSPARSE": lambda c: (c.best(FP32, "cusparse") or {}).get("median_seconds"),
              "SuiteSparse": lambda c: c.seconds(FP32, "mxm", "suitesparse")}
    series = {label: [ratio(of(c), c.seconds(FP32, CHOICE)) for c in shown] for label, of in rivals.items()}
    series = {label: values for label, values in series.items() if any(values)}
    names = [case.name for case in shown]
    svg.write({"speedup.svg": svg.bars("Rivals' FP32 time over cuGrB's choice", names, series, 1) if series else None,
               "prediction.svg": svg.prediction(r for case in cases for r in case.results)}, folder)


def main():
    files, folder = arguments(__doc__)
    cases, simrank, run = load(files)
    print_title("Matrix-matrix products", run, f"{len(cases)} cases")
    cases = without_differing(cases)
    products(cases)
    against_cusparse(cases)
    against_peers(cases)
    choices(cases)
    kernels(cases)
    semirings(cases)
    galerkin(cases)
    paper(cases, simrank)
    if run.get("account"):
        print_account(run["account"])
    if folder:
        write_figures(cases, folder)


if __name__ == "__main__":
    main()
