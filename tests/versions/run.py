#!/usr/bin/env python3
"""Runs a program with a published SuiteSparse:GraphBLAS in place of the installed one, and cuGrB before it.

    run.py --folder WHEELS --version 9.4.5.0 --library libcugrb.so -- COMMAND ...

The program is linked to the installed library. The published one is preloaded, so that functions and predefined objects
are found in it first.
"""

import argparse
import os
import sys

import library


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    real = str(library.library(options.folder, options.version))
    os.environ["CUGRB_GRAPHBLAS"] = real
    os.environ["LD_PRELOAD"] = f"{options.library} {real}"
    os.execv(options.command[0], options.command)


if __name__ == "__main__":
    sys.exit(main())
