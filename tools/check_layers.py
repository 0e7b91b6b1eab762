#!/usr/bin/env python3
"""Checks that includes go only downward (docs/architecture.md), that no header includes itself by way of others, and that
headers are guarded by #pragma once.

Prints every violation as file:line and exits 1 when there is one.
"""
import pathlib
import re
import sys

# Top to bottom; a file may include its own folder and everything below it.
LAYERS = ["src/capi", "src/mirror", "src/graphblas", "src/operations", "src/selector", "src/formats", "src/jit",
          "src/memory", "cuda/primitives", "cuda/cusparse", "cuda/nccl", "cuda/runtime", "cuda/emulated", "cuda/kernels",
          "semirings/device", "cuda/views", "semirings", "src/support"]
# cuda/runtime makes the emulated device, whose class implements the runtime's interface; kernels and functors
# share one vocabulary. These pairs see each other.
PAIRS = {("cuda/emulated", "cuda/runtime"), ("semirings/device", "cuda/kernels"), ("cuda/views", "semirings/device"),
         ("cuda/kernels", "cuda/emulated")}
# Above the C API: these see public headers only.
OUTSIDE = {"include/cugrb": ["include/cugrb"], "algorithms": ["algorithms", "include/cugrb"]}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def layer_of(path):
    """The most specific layer that a path lies in, or None."""
    found = [layer for layer in LAYERS if path.startswith(layer + "/")]
    return max(found, key=len) if found else None


def violations(root):
    """Yields 'file:line: text' for every include that goes upward and every header without #pragma once."""
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        if file.suffix not in (".h", ".hpp", ".cpp", ".cu", ".cuh") or path.startswith(("build", "tests")):
            continue
        text = file.read_text(encoding="utf-8")
        if file.suffix in (".h", ".hpp") and "#pragma once" not in text:
            yield f"{path}:1: header without #pragma once"
        own = layer_of(path)
        outside = next((allowed for folder, allowed in OUTSIDE.items() if path.startswith(folder + "/")), None)
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            target_layer = layer_of(target)
            if outside is not None and (target_layer or target.startswith(("src/", "cuda/", "tools/"))):
                yield f"{path}:{number}: {target} is not public"
            if own and target_layer and LAYERS.index(target_layer) < LAYERS.index(own):
                if (own, target_layer) not in PAIRS:
                    yield f"{path}:{number}: {own} includes {target}, which is above it"


def cycles(root):
    """Yields 'header: text' for every header that includes itself by way of others."""
    includes = {}
    for file in sorted(root.rglob("*.h")):
        path = file.relative_to(root).as_posix()
        if not path.startswith("build"):
            lines = file.read_text(encoding="utf-8").splitlines()
            includes[path] = [match.group(1) for match in map(INCLUDE.match, lines) if match]
    finished = set()
    for start in includes:
        way, waiting = [], [(start, 0)]  # a walk in depth: the headers from `start` to here, and what is yet to be seen
        while waiting:
            header, depth = waiting.pop()
            finished.update(way[depth:])
            del way[depth:]
            if header in way:
                yield f"{header}: includes itself: {' -> '.join(way[way.index(header):] + [header])}"
            elif header in includes and header not in finished:
                way.append(header)
                waiting += [(included, depth + 1) for included in includes[header]]
        finished.update(way)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(violations(root)) + list(cycles(root))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
