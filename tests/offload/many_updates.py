#!/usr/bin/env python3
"""Runs many of the random programs of update_cases.cpp with and without the device, and compares what they print.

    many_updates.py --cases BUILD/tests/offload_cases [--first N] [--count N] [--together N]

Programs run `together` in one process, each time by another of the ways into a matrix and another stress. Prints the
programs that differ, with the settings that show it, and exits 1 when there is one. The offload test has a fixed slice.
"""
import argparse
import os
import subprocess
import sys

SETTINGS = ["", "CUGRB_FORCE=update_insert", "CUGRB_FORCE=update_insert CUGRB_STRESS=evict-all", "CUGRB_FORCE=update_rebuild",
            "CUGRB_FORCE=update_insert CUGRB_STRESS=evict-outputs", "CUGRB_DETERMINISTIC=1",
            "CUGRB_FORCE=update_insert CUGRB_MEMORY_LIMIT=24K", "CUGRB_MEMORY_LIMIT=12K"]


def run(cases, settings, first, count):
    """Exit code and the printed text of each program, by its number."""
    environment = dict(os.environ, **dict(setting.split("=", 1) for setting in settings.split()))
    result = subprocess.run([cases, "updates", str(first), str(count)], env=environment, capture_output=True, text=True, check=False)
    programs = {}
    for part in result.stdout.split("program ")[1:]:
        number, _, text = part.partition("\n")
        programs[int(number)] = text
    return result.returncode, programs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", required=True, help="the program offload_cases")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--together", type=int, default=25)
    options = parser.parse_args()
    differ = 0
    for n, first in enumerate(range(options.first, options.first + options.count, options.together)):
        count = min(options.together, options.first + options.count - first)
        settings = "CUGRB_OFFLOAD=always " + SETTINGS[n % len(SETTINGS)]
        expected_code, expected = run(options.cases, "CUGRB_OFFLOAD=never", first, count)
        code, got = run(options.cases, settings, first, count)
        if expected_code != 0 or len(expected) != count:
            sys.exit(f"programs {first} to {first + count - 1} fail without the device: {expected_code}")
        for number in expected:
            if got.get(number) != expected[number]:
                differ += 1
                print(f"program {number} differs with {settings} (exit code {code})", flush=True)
        if n % 20 == 19:
            print(f"{first + count - options.first} programs, {differ} differ", flush=True)
    print(f"{options.count} programs, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
