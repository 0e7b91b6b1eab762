#!/usr/bin/env python3
"""A program as bench_spgemm's --peer takes it: multiplies a Matrix Market file by itself, prints a line of JSON.

    multiply_file.py [--wrong] FILE
    --wrong: says one entry too many
"""
import json
import sys
import time


def main():
    with open(sys.argv[-1], encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("%")]
    start = time.perf_counter()
    rows = {}
    for i, k, _ in lines[1:]:
        rows.setdefault(i, []).append(k)
    entries = sum(len({j for k in columns for j in rows.get(k, [])}) for columns in rows.values())
    print(json.dumps({"median_seconds": time.perf_counter() - start, "entries": entries + ("--wrong" in sys.argv)}))


if __name__ == "__main__":
    main()
