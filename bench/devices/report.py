#!/usr/bin/env python3
"""Tables of bench_devices' and algorithms.py's results, beside published figures.

    report.py FILE...
"""
import json
import pathlib
import sys

# PageRank of cuGraph on several GPUs (NVIDIA's "Multi-GPU PageRank" on A100), edges a second and GPU.
CUGRAPH_EDGES_PER_SECOND_AND_GPU = 21.5e9
# X. Yang, S. Parthasarathy, P. Sadayappan, PVLDB 4(4), 2011, Figure 3: efficiency on GPUs of several nodes.
PAPER_EFFICIENCY = {4: 0.80, 10: 0.70}
WITHIN = 0.15


def product_row(row):
    ratio = row["predicted_seconds"] / row["median_seconds"]
    return (f"| {row['how']}, {row['kernel']} | {row['devices']} | {row['median_seconds'] * 1e3:.3f} | "
            f"{row['predicted_seconds'] * 1e3:.3f} | {ratio:.2f} | {row['entries_per_second'] / row['devices'] * 1e-9:.1f} | "
            f"{row['speedup']:.2f} | {row['speedup'] / row['devices']:.2f} |")


def call_table(record, device):
    lines = [f"\n{record['name']}: {record['entries'] / 1e6:.0f} M entries, {device}", "", "| call | devices | ms | entries of the result | times one |",
             "|---|---|---|---|---|"]
    return lines + [f"| {row['call']} | {row['devices']} | {row['median_seconds'] * 1e3:.2f} | {row['entries'] / 1e6:.0f} M | {row['speedup']:.2f} |"
                    for row in record["calls"]]


def within(rows):
    return sum(abs(row["predicted_seconds"] / row["median_seconds"] - 1) <= WITHIN for row in rows)


def product_tables(result):
    lines = []
    for record in result["matrices"]:
        if "calls" in record:
            lines += call_table(record, result["device"])
            continue
        lines += [f"\n{record['name']}: {record['entries'] / 1e6:.0f} M entries, {result['device']}", "",
                  "| partition | devices | ms | predicted | of it | GE/s a device | times one | efficiency |", "|---|---|---|---|---|---|---|---|"]
        lines += [product_row(row) for row in record["results"]]
    several = [row for record in result["matrices"] for row in record["results"] if row["devices"] > 1]
    if not several:
        return lines
    # cuGrB shares out rows; blocks of columns are for the derivation in docs/scale.md.
    by_rows = [row for row in several if row["how"] != "grid" or row["kernel"].endswith(" x 1")]
    return lines + ["", *(f"Predicted within {WITHIN:.0%} on {on}: {within(rows)} of {len(rows)}" for on, rows in (
        ("several devices", several), ("several devices by rows", by_rows), ("two devices by rows", [r for r in by_rows if r["devices"] == 2])))]


def algorithm_row(row):
    overlaps = ", overlap" if "--overlap" in row.get("rest", []) else ""
    head = f"| {row['algorithm']} | {row['graph']} | {row['how']}{overlaps}, {row['scaling']} | {row['devices']} |"
    if "failed" in row:
        return head + " failed | – | – | – | – |"
    if "over_first" not in row:  # nothing to compare with
        return f"{head} {row['median_seconds'] * 1e3:.3f} | {row['cold_seconds'] * 1e3:.0f} | – | – | – |"
    gain = row["over_first"] if row["scaling"] == "strong" else row["over_first"] * row["devices"]
    rate = f"{row['entries_per_second'] / row['devices'] * 1e-9:.1f}" if "entries_per_second" in row else "–"
    return (f"{head} {row['median_seconds'] * 1e3:.3f} | {row['cold_seconds'] * 1e3:.0f} | {gain:.2f} | "
            f"{gain / row['devices']:.2f} | {rate} |")


def algorithm_tables(result):
    lines = [f"\n{result['device']}", "", "| algorithm | graph | how | devices | ms | cold | times the first | efficiency | GE/s a device |",
             "|---|---|---|---|---|---|---|---|---|"]
    lines += [algorithm_row(row) for row in result["rows"]]
    published = ", ".join(f"{e:.0%} on {n} GPUs" for n, e in PAPER_EFFICIENCY.items())
    return lines + [f"\nPublished: cuGraph's PageRank on several A100, {CUGRAPH_EDGES_PER_SECOND_AND_GPU * 1e-9} GE/s a GPU; "
                    f"PVLDB 4(4), 2011, Figure 3: efficiency {published}"]


def main(names):
    for name in names:
        result = json.loads(pathlib.Path(name).read_text())
        print("\n".join(algorithm_tables(result) if "rows" in result else product_tables(result)))


if __name__ == "__main__":
    main(sys.argv[1:])
