"""SVG plots of bench_spmv's results."""
import svg
from ratios import ratio
from results import CHOICE, FP32, PATTERN


def write(matrices, folder):
    """speedup.svg, bandwidth.svg, prediction.svg."""
    ordered = sorted(matrices, key=lambda m: (m.kind, m.name))
    compared = [m for m in ordered if m.cusparse(FP32)]
    plots = {}
    if compared:
        single = [m.cusparse(FP32)[1] for m in compared]
        plots["speedup.svg"] = svg.bars("cuSPARSE's best FP32 time over cuGrB's choice", [m.name for m in compared], {
            "FP32": [ratio(s, m.seconds(FP32, CHOICE)) for s, m in zip(single, compared)],
            "pattern": [ratio(s, m.seconds(PATTERN, CHOICE)) for s, m in zip(single, compared)]}, 1)

    def of_copy(m, semiring):
        row = m.row(semiring, CHOICE)
        return row["csr_bytes"] / row["median_seconds"] / m.copy if row else None

    if ordered:
        plots["bandwidth.svg"] = svg.bars("Effective bandwidth over copy bandwidth, the selector's choice", [m.name for m in ordered],
                                      {"FP32": [of_copy(m, FP32) for m in ordered], "pattern": [of_copy(m, PATTERN) for m in ordered]}, 1)
    plots["prediction.svg"] = svg.prediction(r for m in ordered for r in m.results)
    svg.write(plots, folder)
