#!/usr/bin/env python3
"""Joins the results of a benchmark that was run in parts (--budget, then --resume).

    bench/merge.py PART.json... --json WHOLE.json
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "reporting"))
import parts  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+")
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    whole = parts.merge([parts.read(path) for path in options.parts])
    parts.write(whole, options.json)
    records = whole[parts.records_of(whole)]
    print(f"{len(records)} records, {sum(r.get('complete', True) for r in records)} complete")


if __name__ == "__main__":
    main()
