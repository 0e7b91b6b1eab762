#!/usr/bin/env python3
"""No committed result of a benchmark holds a candidate whose answer was not that of the others.

    results_agree_test.py BENCH_RESULTS_FOLDER
"""
import json
import pathlib
import sys


def differing(value, name=""):
    """(case or matrix, kernel) of each row with "same_result": false."""
    if isinstance(value, dict):
        name = value.get("name", name)
        if value.get("same_result") is False:
            yield name, value.get("kernel")
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            yield from differing(element, name)


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    wrong = [(file.name, *row) for file in files for row in differing(json.loads(file.read_text(encoding="utf-8")))]
    for row in wrong:
        print(*row)
    known = {"results": [{"name": "case", "results": [{"kernel": "k", "same_result": False}, {"kernel": "l", "same_result": True}]}]}
    assert list(differing(known)) == [("case", "k")]
    sys.exit(1 if wrong or not files else 0)


if __name__ == "__main__":
    main()
