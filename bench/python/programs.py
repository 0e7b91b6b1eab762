#!/usr/bin/env python3
"""PageRank, breadth-first search and triangle counting, written with python-graphblas: as cuGrB decides, and without it.

    programs.py [--scales 10,20] [--repeat 9] [--seconds 20] [--output FILE]

Both ways run in one process on one graph: R-MAT (Graph500's parameters, 16 edges a vertex), without directions, duplicates and
loops. The first run of each is cold: it uploads the graph and compiles what the kernel cache lacks. The others are warm, and take
turns, so that what else the machine does meets both. There are --repeat of each, or fewer, when a program's warm runs have taken
--seconds, but one at least. A run ends when its result has been read to a number. The two ways' results are compared. The file
is written anew after each program.
"""

import argparse
import datetime
import json
import os
import statistics
import sys
import time

os.environ.setdefault("CUGRB_JIT", "wait")  # warm runs have all kernels
import cugrb  # in front of GraphBLAS
import graphblas as gb
import numpy as np
from graphblas import Matrix, Vector, binary, monoid, select, semiring

EDGE_FACTOR = 16
MODES = ("never", "auto")


def rmat(scale, seed=1):
    """The pattern of R-MAT's graph, a == 1 at every edge."""
    random = np.random.default_rng(seed)
    count = EDGE_FACTOR << scale
    rows = np.zeros(count, np.uint64)
    columns = np.zeros(count, np.uint64)
    for _ in range(scale):
        place = random.random(count, np.float32)
        down = place >= 0.76  # a + b, of 0.57, 0.19, 0.19, 0.05
        right = ((place >= 0.57) & ~down) | (place >= 0.95)
        rows = rows * 2 + down
        columns = columns * 2 + right
    kept = rows != columns
    n = 1 << scale
    A = Matrix.from_coo(np.concatenate([rows[kept], columns[kept]]), np.concatenate([columns[kept], rows[kept]]), 1.0,
                        nrows=n, ncols=n)
    A.wait()
    return A


def pagerank(A, damping=0.85, steps=20):
    """The ranks after `steps` steps; a vertex without edges gives to all alike."""
    n = A.nrows
    degree = A.reduce_rowwise(monoid.plus).new()
    share = degree.apply(binary.truediv, left=damping).new()
    rank = Vector.from_scalar(1 / n, n)
    for _ in range(steps):
        given = rank.ewise_mult(share, binary.times).new()
        kept = 1 - given.ewise_mult(degree, binary.times).reduce(monoid.plus).new().get(0.0)
        rank[:] = kept / n
        rank(binary.plus) << given.vxm(A, semiring.plus_first)
    return rank


def breadth_first(A, source=1):
    """How many edges each reached vertex is from the source."""
    level = Vector(int, A.nrows)
    frontier = Vector(bool, A.nrows)
    frontier[source] = True
    depth = 0
    while frontier.nvals > 0:
        level(frontier.S)[:] = depth
        frontier(~level.S, replace=True) << frontier.vxm(A, semiring.any_pair)
        depth += 1
    return level


def triangles(A):
    """Three vertices with an edge between each two, every such three once."""
    lower = select.tril(A, -1).new()
    count = Matrix(int, A.nrows, A.ncols)
    count(lower.S) << lower.mxm(lower.T, semiring.plus_pair)
    return count.reduce_scalar(monoid.plus).new()


def number_of(result):
    """Waits until the result is there."""
    if isinstance(result, Vector):
        return result.reduce(monoid.plus).new().get(0)
    return result.get(0)


def run(program, A, mode):
    """The seconds of one run, and its result."""
    with cugrb.offload(mode):
        start = time.perf_counter()
        result = program(A)
        number_of(result)
        return time.perf_counter() - start, result


def is_same(one, other):
    if isinstance(one, Vector) and one.dtype.name.startswith("FP"):
        return one.isclose(other, rel_tol=1e-9, abs_tol=1e-15)
    return one.isequal(other)


def compare(name, program, A, repeat, seconds):
    measured = {"program": name, "vertices": A.nrows, "entries": A.nvals}
    results = {}
    for mode in MODES:
        cold, results[mode] = run(program, A, mode)
        measured[mode] = {"cold_seconds": cold, "warm_seconds": []}
    end = time.perf_counter() + seconds
    for n in range(repeat):
        if n > 0 and time.perf_counter() > end:
            break
        for mode in MODES:
            warm, results[mode] = run(program, A, mode)
            measured[mode]["warm_seconds"].append(warm)
    for mode in MODES:
        times = measured[mode]["warm_seconds"]
        measured[mode].update(median_seconds=statistics.median(times), least_seconds=min(times))
    with cugrb.trace() as calls:
        number_of(program(A))
    measured["calls_on_device"] = sum(call["place"] != "cpu" for call in calls)
    measured["calls"] = len(calls)
    measured["speedup"] = measured["never"]["median_seconds"] / measured["auto"]["median_seconds"]
    measured["least_speedup"] = measured["never"]["least_seconds"] / measured["auto"]["least_seconds"]
    if not is_same(results["auto"], results["never"]):
        sys.exit(f"{name}: the results differ")
    print(f"{name:14} {A.nrows:>9} vertices  without {1e3 * measured['never']['median_seconds']:9.3f} ms  "
          f"cuGrB {1e3 * measured['auto']['median_seconds']:9.3f} ms  cold {1e3 * measured['auto']['cold_seconds']:9.3f} ms  "
          f"{measured['speedup']:6.2f} times, of the fastest {measured['least_speedup']:.2f}  ({measured['calls_on_device']} of {len(calls)} calls on the device)", flush=True)
    return measured


def write(path, results):
    info = cugrb.info()
    about = {"date": datetime.date.today().isoformat(), "device": info["device"], "cores": len(os.sched_getaffinity(0)),
             "cugrb": info["version"], "graphblas": info["graphblas"]["version"], "python_graphblas": gb.__version__}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"about": about, "edge_factor": EDGE_FACTOR, "results": results}, file, indent=1)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scales", default="10,20", help="of R-MAT: 2^scale vertices each")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=20, help="of a program's warm runs, about")
    parser.add_argument("--output", help="a JSON file")
    options = parser.parse_args()
    results = []
    for scale in map(int, options.scales.split(",")):
        A = rmat(scale)
        for program in (pagerank, breadth_first, triangles):
            results.append(dict(compare(program.__name__, program, A, options.repeat, options.seconds), scale=scale))
            if options.output:
                write(options.output, results)


if __name__ == "__main__":
    main()
