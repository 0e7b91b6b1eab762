#!/usr/bin/env python3
"""Runs a program of Python with a published SuiteSparse:GraphBLAS, plain and with cuGrB before it: it prints the same.

    compare_program.py --folder WHEELS --version 9.4.5.0 --library libcugrb.so --calls 60 programs/calls.py

Fails, too, where fewer calls than that ran on the device, or where the program ends in another way. CUGRB_* of the
environment are cuGrB's settings.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

import library as published


def run(options, real, offloaded):
    variables = {name: value for name, value in os.environ.items() if offloaded or not name.startswith("CUGRB_")}
    variables["LD_PRELOAD"] = str(real)
    variables["LD_LIBRARY_PATH"] = f"{real.parent}:{os.environ.get('LD_LIBRARY_PATH', '')}"  # of the OpenMP of old wheels
    if offloaded:
        variables.update(CUGRB_GRAPHBLAS=str(real), CUGRB_SUMMARY="1", LD_PRELOAD=f"{options.library} {real}")
    return subprocess.run([sys.executable, "-B", str(options.program)], env=variables, text=True, capture_output=True, timeout=600,
                          check=False)


def calls_on_device(summary):
    return sum(int(count) for count in re.findall(r"^cugrb: \w+ +(?:emulated|gpu) +(\d+) ", summary, flags=re.MULTILINE))


def compare(options, real):
    """Texts: what is wrong."""
    plain, offloaded = run(options, real, False), run(options, real, True)
    for what, done in (("plain", plain), ("with cuGrB", offloaded)):
        if done.returncode != 0:
            yield f"{what}: exit status {done.returncode}\n{done.stderr[-2000:]}"
    lines = difflib.unified_diff(plain.stdout.splitlines(), offloaded.stdout.splitlines(), "plain", "cuGrB", n=0, lineterm="")
    if different := "\n".join(line[:1000] for line in list(lines)[:20]):
        yield different
    calls = calls_on_device(offloaded.stderr)
    print(f"{options.version}: {len(plain.stdout.splitlines())} lines, {calls} calls on the device")
    if calls < options.calls:
        yield f"only {calls} calls on the device"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True, help="where published libraries are kept")
    parser.add_argument("--version", required=True, help="of the package suitesparse-graphblas, as 9.4.5.0")
    parser.add_argument("--library", required=True)
    parser.add_argument("--calls", type=int, default=1, help="so many at least run on the device")
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    complaints = list(compare(options, published.library(options.folder, options.version)))
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
