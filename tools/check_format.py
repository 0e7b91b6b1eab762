#!/usr/bin/env python3
"""Checks that every C, C++ and CUDA file is laid out by .clang-format.

    tools/check_format.py [--clang-format clang-format]

The layout is clang-format 14's, which Debian 12 has; other versions lay out some lines differently. Prints clang-format's
complaints; exits 1 when there are some, and 77 when there is no clang-format 14.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["algorithms", "bench", "cuda", "examples", "include", "semirings", "src", "tests", "tools"]
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh"}
# Files that are not laid out so.
LEFT_OUT = {"src/operations/operations.h"}
VERSION = 14
BATCH = 20


def names():
    """The files to check, relative to the root."""
    found = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in SUFFIXES)
    return sorted({file.relative_to(ROOT).as_posix() for file in found} - LEFT_OUT)


def complaints(command, batch):
    done = subprocess.run([command, "--dry-run", "-Werror", "--style=file", *batch], capture_output=True, text=True, cwd=ROOT)
    return done.stderr if done.returncode != 0 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-format", default="clang-format", dest="command")
    options = parser.parse_args()
    if shutil.which(options.command) is None:
        print(f"{options.command} is not installed")
        return 77
    version = subprocess.run([options.command, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.search(r"version (\d+)", version)[1]) != VERSION:
        print(f"the layout is clang-format {VERSION}'s, this is {version.strip()}")
        return 77
    checked = names()
    batches = [checked[i:i + BATCH] for i in range(0, len(checked), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda batch: complaints(options.command, batch), batches) if text]
    print("".join(found) or f"{len(checked)} files are laid out by .clang-format")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
