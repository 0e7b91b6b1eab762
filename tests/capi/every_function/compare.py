#!/usr/bin/env python3
"""Runs every_function on plain SuiteSparse and under the interposer; each function must print the same.

    compare.py --program every_function --library libcugrb.so [--setting CUGRB_STRESS=evict-all ...]

With --failing the n-th allocation (or launch) of each call fails on the device, once and from then on, for every n that a
call reaches.

With --version and --folder the program runs on a published SuiteSparse:GraphBLAS (tests/versions/library.py).
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys


sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "versions"))
import library as published  # noqa: E402


def run(program, preloaded=(), settings=(), functions=()):
    """{function: what it printed}, the exit status, and standard error."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUGRB_")}
    environment.update(setting.split("=", 1) for setting in settings)
    environment["LD_PRELOAD"] = " ".join(map(str, preloaded))
    done = subprocess.run([program, *functions], env=environment, capture_output=True, text=True, check=False,
                          timeout=300)
    return split(done.stdout), done.returncode, done.stderr


def split(text):
    parts = re.split(r"^== (\w+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def first_difference(left, right):
    for a, b in zip(left.splitlines() + ["(end)"], right.splitlines() + ["(end)"]):
        if a != b:
            return f"expected '{a.strip()}', got '{b.strip()}'"
    return "different length"


def differs(options, settings):
    """Compares one run with plain SuiteSparse; says what differs. Returns whether anything does, and standard error."""
    arguments = ["--hollow"] if options.hollow else []
    real = [published.library(options.folder, options.version)] if options.version else []
    expected, expected_status, _ = run(options.program, real, functions=arguments)
    got, status, said = run(options.program, [options.library, *real], [*options.setting, *settings], arguments)
    different = [name for name in expected if got.get(name) != expected[name]]
    for name in different:
        print(f"{name}: {first_difference(expected[name], got.get(name, ''))}")
    print(f"{' '.join([*settings, ''])}{len(expected)} functions, {len(different)} different; exit status {status}, "
          f"plain {expected_status}", flush=True)
    return not expected or bool(different) or status != 0 or expected_status != 0, said


def failing(options):
    """Whether a run differs in which the n-th of each call fails, for an n that some call reaches."""
    wrong = False
    for n in itertools.count(1):
        for later in ("", "+"):
            differ, said = differs(options, [f"CUGRB_INJECT={options.failing}:{n}{later}/call", "CUGRB_SUMMARY=1"])
            wrong = wrong or differ
        if "injected" not in said:  # from the n-th on none can be had, and no call was forwarded for it
            return wrong or n < 4


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--hollow", action="store_true", help="on objects that the device holds, and only the device")
    parser.add_argument("--failing", choices=("allocation", "launch"))
    parser.add_argument("--version", help="of the package suitesparse-graphblas, as 9.4.5.0")
    parser.add_argument("--folder", help="where published libraries are kept")
    options = parser.parse_args()
    return int(failing(options) if options.failing else differs(options, [])[0])


if __name__ == "__main__":
    sys.exit(main())
