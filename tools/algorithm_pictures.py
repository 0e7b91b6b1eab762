#!/usr/bin/env python3
"""Draws what each algorithm computes on the packages of Debian 12: the pictures of docs/algorithms.md.

    tools/algorithm_pictures.py [--cugrb build/release/bin/cugrb] [--output docs/pictures] [--only NAME,...] [--check]

Every picture is one run of `cugrb run NAME --names ... --json` on SuiteSparse, and shows numbers of its JSON, by the names of the
packages. --check draws nothing: exit status 1 when a picture is not what it would be.
"""
import argparse
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "bench/reporting"))
import svg

DATA = ROOT / "tests/data"
# name: (options, undirected, what the bars are, their label, a number's form). Bars are the vertices of the JSON's "top", or what
# RESULTS makes of its "result".
PICTURES = {
    "pagerank": ("", False, "The packages that most of Debian leans on", "rank", "{:.3f}"),
    "hits": ("", False, "The packages that good hubs depend on", "authority", "{:.3f}"),
    "rwr": ("--source vim", False, "The packages that matter to vim", "relevance", "{:.3f}"),
    "bfs": ("--source parl-desktop-world", False, "Packages by their distance from parl-desktop-world", "packages", "{:.0f}"),
    "closure": ("", False, "The packages that need most others, directly or not", "packages reached", "{:.0f}"),
    "scc": ("", False, "Packages that need each other: the largest strong components", "packages", "{:.0f}"),
    "triangles": ("", True, "What triangles close: edges, and triangles", "count", "{:.0f}"),
    "clustering": ("", True, "How many packages' neighbours are linked, in the mean", "coefficient", "{:.3f}"),
    "kcore": ("", True, "Packages of the innermost core", "core", "{:.0f}"),
    "ktruss": ("--k 6", True, "Packages with most neighbours in the 6-truss", "neighbours", "{:.0f}"),
    "sssp": ("--source python3 --random-weights 9", True, "The packages that are farthest from python3, edges of 1 to 9", "distance", "{:.0f}"),
    "betweenness": ("--sources 32", True, "The packages that most shortest paths from 32 others lead through", "paths", "{:.0f}"),
    "components": ("", True, "The largest components, each by its first package", "packages", "{:.0f}"),
    "communities": ("", True, "The largest communities, each by its first package", "packages", "{:.0f}"),
    "forest": ("--random-weights 255", True, "Packages with most edges of a minimum spanning forest", "edges", "{:.0f}"),
    "mis": ("", True, "Packages in an independent set, and those next to one", "packages", "{:.0f}"),
}
RESULTS = {
    "bfs": lambda report: [(f"{level} step{'s' * (level != 1)}", count) for level, count in enumerate(report["result"]["levels"])],
    "triangles": lambda report: [("edges", report["graph"]["entries"] // 2), ("triangles", report["result"]["triangles"])],
    "clustering": lambda report: [("average", report["result"]["average"])],
    "mis": lambda report: [("in the set", report["result"]["members"]),
                           ("next to one", report["graph"]["vertices"] - report["result"]["members"])],
}


def undirected_copy(path):
    """The graph with every edge in both directions, as a symmetric Matrix Market file."""
    with lzma.open(DATA / "debian12.mtx.xz", "rt") as file:
        lines = (line for line in file if not line.startswith("%"))
        size = next(lines).split()[0]
        pairs = {tuple(sorted(map(int, line.split()[:2]), reverse=True)) for line in lines}
    pairs = sorted(pair for pair in pairs if pair[0] != pair[1])
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate pattern symmetric\n{size} {size} {len(pairs)}\n")
        file.writelines(f"{a} {b}\n" for a, b in pairs)


def picture(command, name, graph, folder):
    options, _, title, label, number = PICTURES[name]
    report = folder / f"{name}.json"
    subprocess.run([command, "run", name, str(graph), *options.split(), "--names", str(DATA / "debian12.names.xz"), "--backend", "cpu",
                    "--json", str(report)], check=True, stdout=subprocess.DEVNULL)
    found = json.loads(report.read_text())[0]
    bars = RESULTS[name](found) if name in RESULTS else [(entry["name"], entry["value"]) for entry in found["top"]]
    return svg.bars(title, [bar[0] for bar in bars], {label: [bar[1] for bar in bars]}, number=number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cugrb", default=str(ROOT / "build/release/bin/cugrb"))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/pictures")
    parser.add_argument("--only", default=",".join(PICTURES))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    changed = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        symmetric = folder / "debian12_undirected.mtx"
        undirected_copy(symmetric)
        for name in options.only.split(","):
            graph = symmetric if PICTURES[name][1] else DATA / "debian12.mtx.xz"
            drawn, path = picture(options.cugrb, name, graph, folder), options.output / f"{name}.svg"
            if not path.exists() or path.read_text() != drawn:
                changed.append(str(path))
                if not options.check:
                    path.write_text(drawn)
    print("\n".join(changed) + " differ" if options.check and changed else f"{len(options.only.split(','))} pictures")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
