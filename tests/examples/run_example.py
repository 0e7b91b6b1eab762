#!/usr/bin/env python3
"""An example prints what it should, on plain SuiteSparse:GraphBLAS and under `cugrb exec` on a device.

    run_example.py --cugrb build/release/bin/cugrb --prints TEXT [--prints-plain TEXT] PROGRAM

The device is that of CUGRB_DEVICE, every call that can runs there, and at least one has to.
"""
import argparse
import os
import subprocess
import sys


def run(command, environment):
    return subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False, timeout=300)


def complaints_of(name, done, text):
    """What is wrong with a run that should print `text`, as lines."""
    if done.returncode != 0:
        yield f"{name}: exit status {done.returncode}\n{done.stderr[-2000:]}"
    if done.stdout != text + "\n":
        yield f"{name}: prints {done.stdout!r}, should print {text!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cugrb", required=True)
    parser.add_argument("--prints", required=True)
    parser.add_argument("--prints-plain", help="where that differs on plain SuiteSparse")
    parser.add_argument("program")
    options = parser.parse_args()
    plain = run([options.program], {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"})
    environment = {**os.environ, "CUGRB_OFFLOAD": "always", "CUGRB_TRACE": "1"}
    offloaded = run([options.cugrb, "exec", options.program], environment)
    complaints = [*complaints_of("plain", plain, options.prints_plain or options.prints),
                  *complaints_of("cugrb exec", offloaded, options.prints)]
    if " on gpu |" not in offloaded.stderr and " on emulated |" not in offloaded.stderr:
        complaints.append("no call ran on the device")
    print("\n".join(complaints) or options.prints)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
