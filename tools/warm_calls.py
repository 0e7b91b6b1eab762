#!/usr/bin/env python3
"""Prints through which files of src a warm call goes, from its definition to the launch of a kernel.

    warm_calls.py [--build build/release]

A program calls reduce, apply, mxv and mxm three times each on the emulated device, each with a launch of its own (CUGRB_JOIN=never). gdb stops it at every launch, and the object files
of the build say where the functions on the stack are defined. Inlined functions are not seen. Of the last calls' launches
the one with most files counts. Needs gdb, a C compiler and SuiteSparse:GraphBLAS; without them it says so, with exit status 77.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = """
#include <GraphBLAS.h>
int main(void) {
  enum { n = 100 };
  GrB_Vector u, w;
  GrB_Matrix A, C;
  float sum = 0;
  GrB_init(GrB_NONBLOCKING);
  GrB_Vector_new(&u, GrB_FP32, n);
  GrB_Vector_new(&w, GrB_FP32, n);
  GrB_Matrix_new(&A, GrB_FP32, n, n);
  GrB_Matrix_new(&C, GrB_FP32, n, n);
  for (int i = 0; i < n; ++i) {
    GrB_Vector_setElement_FP32(u, (float)i, i);
    for (int k = 1; k < 4; ++k) GrB_Matrix_setElement_FP32(A, 1, i, (i * k + k) % n);
  }
  for (int round = 0; round < 3; ++round) {
    GrB_Vector_reduce_FP32(&sum, NULL, GrB_PLUS_MONOID_FP32, u, NULL);
    GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP32, u, NULL);
    GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, u, NULL);
    GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, A, NULL);
  }
  return GrB_finalize();
}
"""
COMMANDS = """set pagination off
set confirm off
set breakpoint pending on
set exec-wrapper env LD_PRELOAD={library} CUGRB_DEVICE=emulated CUGRB_OFFLOAD=always CUGRB_TRIALS=never CUGRB_JOIN=never
break cugrb::simt::run
commands
silent
printf "=====\\n"
backtrace
continue
end
run
"""
# What calls a function that was handed over.
STEPS = ("cugrb::capi::FunctionRef::", "std::")


def unadorned(name):
    """The qualified name without result, template arguments and parameters."""
    text, depth = "", 0
    for letter in name.replace("(anonymous namespace)", "@").split("{lambda")[0]:
        depth += letter == "<"
        if depth == 0:
            text += letter
        depth -= letter == ">"
    return text.split("(")[0].strip().split(" ")[-1].rstrip(":")


def definitions(build):
    """{full name: object files}, {name without adornments: object files}."""
    full, short = {}, {}
    for folder in ("src/capi", "src/mirror", "src/graphblas", "src/operations", "src/selector", "src/formats", "src/jit"):
        for path in (build / folder / "CMakeFiles").rglob("*.cpp.o"):
            source = f"{folder}/" + path.relative_to(build / folder / "CMakeFiles").as_posix().split("/", 1)[1][:-2]
            if not (ROOT / source).is_file():
                continue  # generated: the wrappers
            listing = subprocess.run(["nm", "-C", "--defined-only", path], capture_output=True, text=True, check=True).stdout
            for _, kind, name in re.findall(r"^(\w+) (\w) (.*)$", listing, re.M):
                if kind in "tTwW":
                    name = re.sub(r" \[clone .*", "", name)
                    full.setdefault(name, set()).add(source)
                    short.setdefault(unadorned(name), set()).add(source)
    return full, short


def header_of(name):
    """That which defines a template or an inline function."""
    pattern = re.compile(rf"^(?! )\S.*\b{re.escape(name.split('::')[-1])}\(", re.M)
    for path in sorted((ROOT / "src").rglob("*.h")):
        if path.parent.name in name and pattern.search(path.read_text(encoding="utf-8")):
            return path.relative_to(ROOT).as_posix()
    return None


def file_of(frame, full, short):
    name = unadorned(frame)
    if name.startswith(STEPS) or not name.startswith("cugrb::"):
        return None
    for found in (full.get(frame), short.get(name)):
        # A template of another folder may have been made in one object file only.
        if found and len(found) == 1 and next(iter(found)).split("/")[1] in name:
            return next(iter(found))
    return header_of(name)


def stacks_of(library, folder):
    """{API function: the stacks of its launches, from the launch up}."""
    (folder / "program.c").write_text(PROGRAM)
    (folder / "commands").write_text(COMMANDS.format(library=library))
    include = next((path for path in ("/usr/include/suitesparse", "/usr/local/include/suitesparse") if pathlib.Path(path).is_dir()), "/usr/include")
    subprocess.run(["cc", f"-I{include}", folder / "program.c", "-o", folder / "program", "-lgraphblas"], check=True)
    text = subprocess.run(["gdb", "-batch", "-x", folder / "commands", folder / "program"], capture_output=True, text=True, check=False).stdout
    stacks = {}
    for trace in text.split("=====\n")[1:]:
        frames = [re.sub(r" \(\) from \S+$", "", line) for line in re.findall(r"^#\d+ +(?:0x\w+ in )?(.*)$", trace, re.M)]
        names = [frame for frame in frames if re.match(r"GrB_\w+", frame)]
        if names:
            stacks.setdefault(re.match(r"GrB_\w+", names[-1])[0], []).append(frames)
    return stacks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    build = parser.parse_args().build.resolve()
    library = build / "lib/libcugrb.so"
    if shutil.which("gdb") is None or not library.exists():
        print("skipped: gdb or the library is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        stacks = stacks_of(library, pathlib.Path(folder))
    if not stacks:
        print("skipped: gdb cannot run the program here")
        return 77
    full, short = definitions(build)
    for call, of_call in stacks.items():
        last = of_call[len(of_call) * 2 // 3:]
        files = max((list(dict.fromkeys(filter(None, (file_of(f, full, short) for f in reversed(s))))) for s in last), key=len)
        print(f"{call}: {len(files)} and the kernel's")
        for file in files:
            print(f"  {file}")
    return 0 if len(stacks) == 4 else 1


if __name__ == "__main__":
    sys.exit(main())
