"""SVG plots of bench_spmv's results."""
from ratios import ratio
from results import CHOICE, FP32, PATTERN
from svg import bars, scatter


def write(matrices, folder):
    """speedup.svg, bandwidth.svg, prediction.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(matrices, key=lambda m: (m.kind, m.name))
    compared = [m for m in ordered if m.cusparse(FP32)]
    plots = {}
    if compared:
        single = [m.cusparse(FP32)[1] for m in compared]
        plots["speedup.svg"] = bars("cuSPARSE's best FP32 time over cuGrB's choice", [m.name for m in compared], {
            "FP32": [ratio(s, m.seconds(FP32, CHOICE)) for s, m in zip(single, compared)],
            "pattern": [ratio(s, m.seconds(PATTERN, CHOICE)) for s, m in zip(single, compared)]}, 1)

    def of_copy(m, semiring):
        row = m.row(semiring, CHOICE)
        return row["csr_bytes"] / row["median_seconds"] / m.copy if row else None

    if ordered:
        plots["bandwidth.svg"] = bars("Effective bandwidth over copy bandwidth, the selector's choice", [m.name for m in ordered],
                                      {"FP32": [of_copy(m, FP32) for m in ordered], "pattern": [of_copy(m, PATTERN) for m in ordered]}, 1)
    points = {}
    for m in ordered:
        for r in m.results:
            if r["library"] == "cugrb" and r.get("predicted_seconds", 0) > 0 and r["kernel"] != CHOICE:
                points.setdefault(r["kernel"], []).append((r["median_seconds"], r["predicted_seconds"]))
    plots["prediction.svg"] = scatter("Predicted and measured seconds; the band is 20 %", "measured", "predicted", points)
    for name, plot in plots.items():
        if plot:
            (folder / name).write_text(plot, encoding="utf-8")
