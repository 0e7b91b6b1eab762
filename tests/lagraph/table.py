#!/usr/bin/env python3
"""Prints one row a LAGraph test, one column a mode, from ctest's JUnit files; fails when any test failed.

    table.py RESULTS_FOLDER MODE...
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def read(path):
    """{test: (passed, seconds, last lines of a failure)}"""
    tests = {}
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        output = (case.findtext("system-out") or "").strip().splitlines()[-3:]
        tests[case.get("name")] = (case.get("status") == "run", float(case.get("time", 0)), output)
    return tests


def main():
    folder, modes = pathlib.Path(sys.argv[1]), sys.argv[2:]
    results = {mode: read(folder / f"{mode}.xml") for mode in modes}
    names = sorted(set().union(*results.values()))
    print(f"{'test':34}" + "".join(f"{mode:>24}" for mode in modes))
    failures = []
    for name in names:
        cells = []
        for mode in modes:
            passed, seconds, output = results[mode].get(name, (False, 0.0, ["not run"]))
            cells.append(f"{'pass' if passed else 'FAIL'} {seconds:8.2f} s".rjust(24))
            if not passed:
                failures.append((name, mode, output))
        print(f"{name:34}" + "".join(cells))
    totals = [f"{sum(passed for passed, _, _ in results[mode].values())}/{len(results[mode])}" for mode in modes]
    print(f"{'passed':34}" + "".join(total.rjust(24) for total in totals))
    for name, mode, output in failures:
        print(f"\n{name} in mode {mode}:\n  " + "\n  ".join(output))
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
