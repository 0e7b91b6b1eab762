#!/usr/bin/env python3
"""A program prints the same on plain SuiteSparse and under the interposer, with and without the stress modes and a trace.

    same_output.py --library libcugrb.so PROGRAM [ARGUMENT...]

The device is that of CUGRB_DEVICE; the program must have used it. Standard output and the exit status are compared.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys

MODES = ({}, {"CUGRB_STRESS": "evict-outputs"}, {"CUGRB_STRESS": "evict-all"})


def run(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False,
                          timeout=300)
    return done.stdout, done.returncode, done.stderr


def plain_environment():
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def complaints_of(name, expected, got):
    """What differs, as lines."""
    (wanted, wanted_status, _), (output, status, errors) = expected, got
    lines = [line for line in difflib.unified_diff(wanted.splitlines(), output.splitlines(), "plain", name, lineterm="", n=0)]
    if status != wanted_status:
        lines.append(f"{name}: exit status {status}, plain {wanted_status}\n{errors[-2000:]}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    expected = run(options.command, plain_environment())
    complaints = [] if expected[0] else ["the program prints nothing"]
    for mode in MODES:
        name = mode.get("CUGRB_STRESS", "always")
        environment = {**os.environ, **mode, "CUGRB_OFFLOAD": "always", "LD_PRELOAD": options.library}
        complaints += complaints_of(name, expected, run(options.command, environment))
    traced = run(options.command, {**os.environ, "CUGRB_OFFLOAD": "always", "CUGRB_TRACE": "1",
                                   "LD_PRELOAD": options.library})
    complaints += complaints_of("traced", expected, traced)
    if re.search(r"\d,\d+ (us|ms|s|kB|MB|GB)\b", traced[2]):
        complaints.append("a number of the trace is written with a comma")
    if " on gpu |" not in traced[2] and " on emulated |" not in traced[2]:
        complaints.append("no call ran on the device")
    print("\n".join(complaints) or f"the same in {len(MODES)} modes: {len(expected[0].splitlines())} lines")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
