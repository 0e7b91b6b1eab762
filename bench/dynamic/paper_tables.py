#!/usr/bin/env python3
"""The paper's Tables 2, 3 and 4 and its Figure 3 with our ratios beside, from results of bench_dynamic.

    paper_tables.py FILE.json [FILE.json ...]

Each file is of one imitation of the paper's Table 1: bench_dynamic --graph chung_lu:NAME --parts form,paper,iterative --json FILE.json.
What the paper gives is in brackets ("Efficient SpMM using Dynamic-CSR on GPUs", section 4, on a K20c).
"""
import json
import sys

# HYB's bytes; dynamic CSR of 2, 3 and 4 segments and CSR over it (Table 2); COO to CSR, to dynamic CSR and to HYB, CSR to
# dynamic CSR and to HYB, dynamic CSR to CSR, over a copy (Table 3); defragmentation and 1000 updates over a product (Table 4).
PAPER = {
    "amazon-2008": ((.924, 1.026, 1.128, .77), (2.93, 3.03, 9.22, 1.06, 9.25, .9), (3.9, 2.02)),
    "cnr-2000": ((.626, .679, .732, .547), (2.24, 2.62, 14.84, 1.04, 13.62, .87), (5.13, 3.77)),
    "dblp-2010": ((.86, 1.052, 1.245, .572), (4.34, 5.74, 18.07, 1.17, 16.83, 1.1), (5.69, 3.6)),
    "enron": ((.653, .762, .871, .489), (5.56, 5.95, 27.15, 1.29, 26.95, 1.14), (5.49, 2.21)),
    "eu-2005": ((.675, .703, .731, .633), (2.1, 2.29, 16.08, 1.06, 15.67, .99), (2.32, 2.65)),
    "flickr-820k": ((.546, .585, .624, .487), (2.13, 2.5, 23.29, 1.06, 19.74, .96), (1.58, 1.94)),
    "hollywood-2009": ((.531, .541, .551, .516), (1.82, 1.9, 20.37, 1.01, 20.3, .99), (1.54, 2.55)),
    "in-2004": ((.654, .7, .746, .585), (2.15, 2.42, 18.12, 1.06, 18.15, .98), (2.58, 3.14)),
    "internet": ((.761, .969, 1.177, .449), (12.07, 13.74, 21.38, 1.3, 15.12, 1.0), (6.74, 1.76)),
    "kron-18": ((.493, .505, .516, .475), (1.78, 2.09, 24.01, 1.0, 20.14, .91), (1.02, 1.82)),
    "rail4284": ((.577, .577, .577, .576), (1.73, 2.03, 20.67, 1.0, 17.97, .91), (.72, 1.82)),
    "webbase-1m": ((.966, 1.155, 1.344, .682), (2.89, 3.19, 11.45, 1.16, 11.56, .86), (2.65, 2.54)),
    "wikipedia-2005": ((.635, .68, .725, .567), (2.18, 2.42, 20.13, 1.07, 20.11, .98), (1.39, 1.32)),
}
BYTES = ("dcsr_2", "dcsr_3", "dcsr_4", "csr")
CONVERSIONS = ("coo_to_csr", "coo_to_dcsr", "coo_to_hyb", "csr_to_dcsr", "csr_to_hyb", "dcsr_to_csr")
POST = ("defragment", "thousand_updates")


def table(title, columns, rows):
    print(f"\n## {title}\n\n| | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for name, ours, paper in rows:
        cells = [f"{one:.2f}" + (f" ({other:g})" if other is not None else "") for one, other in zip(ours, paper)]
        print(f"| {name} | {' | '.join(cells)} |")


def median(values):
    return sorted(values)[len(values) // 2]


def round_seconds(way):
    """The median of rounds: other programs of a host make single ones long."""
    return median([update + products for update, products in way["rounds"]])


def main():
    results = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        results[result["graph"].removeprefix("chung_lu:")] = result
    if not results:
        sys.exit(__doc__)
    papers = {name: PAPER.get(name, ((None,) * 4, (None,) * 6, (None,) * 2)) for name in results}

    def rows(part, ratios):
        return [(name, ratios(result), papers[name]) for name, result in results.items() if part in result]

    print("Device: " + ", ".join(sorted({result["device"] for result in results.values()})))
    table("Table 2: bytes over HYB's", BYTES,
          [(name, ours, paper[0]) for name, ours, paper in
           rows("paper", lambda r: [r["paper"]["bytes"][key] / r["paper"]["bytes"]["hyb"] for key in BYTES])])
    table("Table 3: conversions over a copy", CONVERSIONS,
          [(name, ours, paper[1]) for name, ours, paper in
           rows("paper", lambda r: [r["paper"]["conversions"][key] / r["paper"]["conversions"]["copy"] for key in CONVERSIONS])])
    table("Table 4: over a product with CSR", POST,
          [(name, ours, paper[2]) for name, ours, paper in
           rows("form", lambda r: [r["form"][key] / r["form"]["product_after"]["chosen"] for key in POST])])
    table("The same over a product with fragments", POST,
          [(name, ours, (None, None)) for name, ours, _ in
           rows("form", lambda r: [r["form"][key] / r["form"]["product_on_fragments"]["chosen"] for key in POST])])
    table("Figure 3: a rebuild's iterative test over ours; millions of tuples a second that build the matrix", ("iterative", "streaming"),
          [(name, [round_seconds(r["iterative"]["rebuild"]) / round_seconds(r["iterative"]["chosen"]),
                   r["paper"]["streaming"]["tuples"] / r["paper"]["streaming"]["seconds"] / 1e6], (None, None))
           for name, r in results.items() if "iterative" in r and "paper" in r])


if __name__ == "__main__":
    main()
