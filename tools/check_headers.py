#!/usr/bin/env python3
"""Checks that every header compiles on its own.

    tools/check_headers.py [--compiler g++] [--include DIR]... [--without-cuda] [--without-mpi] [FOLDER]...

Device headers (cuda/kernels, cuda/views, semirings/device) are compiled as the emulated device sees them. Left out is a
header that is compiled alone anyhow: the source file beside it includes it before anything else, or another header that is
checked does. Headers follow each other in one compilation where the later one includes all files of the earlier ones
itself: it is then proved as if it were alone, since each of those files is proved, too. Prints the compiler's message of
each compilation that fails; exits 1 when there is one.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "cuda", "semirings", "algorithms", "tools"]
# The vocabulary on a real GPU: only a CUDA compiler reads it.
SKIPPED = {"cuda/kernels/device_functions.h"}


def included(header):
    """The names that it includes, each with whether no condition of the preprocessor is around it."""
    depth = 0
    for directive, name in re.findall(r'^[ \t]*#[ \t]*(if|endif|include)\w*[ \t]*["<]?([^\s">]*)', header.read_text(encoding="utf-8"), re.MULTILINE):
        depth += {"if": 1, "endif": -1, "include": 0}[directive]
        if directive == "include":
            yield name, depth == 0


@functools.cache
def closure(header, always):
    """All files that come with a header, by path or, where they are not the project's, by name: `always`, or at most."""
    files = {header}
    for name, unconditional in included(header):
        if unconditional or not always:
            own = next((root / name for root in (ROOT, ROOT / "include", header.parent) if (root / name).exists()), None)
            files |= closure(own.resolve(), always) if own is not None else {name}
    return frozenset(files)


def includes(header, pattern):
    """Whether it includes a file whose name matches, itself or by another of the project's."""
    return any(re.search(pattern, file if isinstance(file, str) else file.relative_to(ROOT).as_posix())
               for file in closure(header, False) if file != header)


def needs_cuda(header):
    return includes(header, r"cuda_runtime|nvrtc\.h")


def needs_mpi(header):
    return includes(header, r"^mpi\.h$")


def first_include(file):
    """The project's header that this file includes before anything else, or None."""
    first = re.search(r'^#\s*include\s+(\S+)', file.read_text(encoding="utf-8"), re.MULTILINE)
    return ROOT / first[1][1:-1] if first is not None and first[1].startswith('"') else None


def proved_by_the_build(header):
    source = header.with_suffix(".cpp")
    return source.exists() and first_include(source) == header


def chains(headers):
    """Lists of headers, each of which includes all files of those that precede it in its list."""
    found = []
    for header in sorted(headers, key=lambda h: (len(closure(h, True)), h)):
        fitting = [chain for chain in found if chain.files <= closure(header, True)]
        if fitting:
            chain = max(fitting, key=lambda chain: len(chain.files))
        else:
            chain = types.SimpleNamespace(files=frozenset(), headers=[])
            found.append(chain)
        chain.files |= closure(header, False)
        chain.headers.append(header)
    return [chain.headers for chain in found]


def compile_chain(headers, options):
    command = [options.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-parameter", "-x", "c++",
               f"-I{ROOT}", f"-I{ROOT}/include", *[f"-I{d}" for d in options.include], "-DCUGRB_EMULATED", "-"]
    source = "".join(f'#include "{header.relative_to(ROOT).as_posix()}"\n' for header in headers)
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    return headers, done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--without-cuda", action="store_true", help="leave out headers that include the toolkit's")
    parser.add_argument("--without-mpi", action="store_true", help="leave out headers that include MPI's")
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    options = parser.parse_args()
    headers = [h for folder in options.folders for pattern in ("*.h", "*.hpp") for h in sorted((ROOT / folder).rglob(pattern))
               if h.relative_to(ROOT).as_posix() not in SKIPPED and not (options.without_cuda and needs_cuda(h))
               and not (options.without_mpi and needs_mpi(h))]
    included_first = {first_include(h) for h in headers}
    proved = [h for h in headers if proved_by_the_build(h) or h in included_first]
    headers = [h for h in headers if h not in proved]
    together = chains(headers)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [(c, text) for c, code, text in pool.map(lambda c: compile_chain(c, options), together) if code != 0]
    for chain, text in failed:
        print(f"---- does not compile alone: {', '.join(str(header.relative_to(ROOT)) for header in chain)}\n{text}")
    print(f"{len(headers)} headers in {len(together)} compilations, {len(failed)} failed; "
          f"{len(proved)} more are compiled alone by the build or by these")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
