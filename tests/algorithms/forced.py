#!/usr/bin/env python3
"""Runs a program of tests with each product of matrix and vector on one kernel, where that applies.

    forced.py KERNEL LIBRARY PROGRAM [ARGUMENTS...]

LIBRARY, libcugrb.so, is preloaded into the program alone. The program has to succeed, and to have asked for that kernel: a test would pass, too, if another one had answered.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    kernel, library, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "requests"
        status = subprocess.run(command, env={**os.environ, "LD_PRELOAD": library, "CUGRB_FORCE": kernel,
                                                       "CUGRB_REQUESTS": str(log)},
                                check=False).returncode
        asked = [json.loads(line)["name"] for line in log.read_text().splitlines()] if log.exists() else []
    of_kernel = [name for name in asked if name.startswith(kernel + "<")]
    print(f"{kernel}: {len(of_kernel)} specialisations")
    return status or (0 if of_kernel else 1)


if __name__ == "__main__":
    sys.exit(main())
