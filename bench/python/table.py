#!/usr/bin/env python3
"""Writes what bench/results/python_programs.json says into the pages that show it: docs/python.md and README.md.

    table.py            writes both pages
    table.py --check    changes nothing; fails, and says what it would write, where a page says something else
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TITLES = {"pagerank": "PageRank, 20 steps", "breadth_first": "BFS", "triangles": "triangles"}
LARGEST = 20  # the scale in README


def milliseconds(row, mode):
    return 1e3 * row[mode]["median_seconds"]


def rounded(value):
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def listed(values):
    return ", ".join(values[:-1]) + " and " + values[-1]


def page_table(results):
    yield "| program | vertices | without, ms | cuGrB, ms | times | calls on the device |"
    yield "|---|---|---|---|---|---|"
    for row in results:
        without, with_it = milliseconds(row, "never"), milliseconds(row, "auto")
        times = without / with_it
        times = f"{times:.2f}" if times < 2 else f"{times:.1f}"
        yield (f"| {TITLES[row['program']]} | 2^{row['scale']} | {without:.2f} | {with_it:.2f} | {times} | "
               f"{row['calls_on_device']} |")


def readme_row(about, results):
    largest = [row for row in results if row["scale"] == LARGEST]
    device = re.search(r"[AH]\d+", about["device"]["name"])[0]
    entries = round(largest[0]["entries"] / 1e6)
    return (f"| PageRank, BFS, triangles by python-graphblas, {entries} M entries, on an {device} | "
            f"{listed([rounded(milliseconds(row, 'auto')) for row in largest])} ms | "
            f"CPU {listed([rounded(milliseconds(row, 'never')) for row in largest])} ms | `python_programs.json` | "
            "`bench/python/programs.py` |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a page says something else")
    options = parser.parse_args()
    measured = json.loads((ROOT / "bench/results/python_programs.json").read_text(encoding="utf-8"))
    table = "\n".join(page_table(measured["results"]))
    row = readme_row(measured["about"], measured["results"])
    stale = []
    for page, pattern, text in ((ROOT / "docs/python.md", r"\| program \| vertices \|.*(?:\n\|.*)*", table),
                                (ROOT / "README.md", r"\| PageRank, BFS, triangles by python-graphblas.*", row)):
        before = page.read_text(encoding="utf-8")
        after, places = re.subn(pattern, lambda _, text=text: text, before)
        if places != 1:
            sys.exit(f"{page.name} has {places} places for it")
        if after != before:
            stale.append(f"{page.name} is to say:\n{text}")
            if not options.check:
                page.write_text(after, encoding="utf-8")
    print("\n".join(stale) or "both pages say what the file says")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
