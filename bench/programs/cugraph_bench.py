#!/usr/bin/env python3
"""The six GAP algorithms by cuGraph, timed as bench/lagraph/gap.cpp times LAGraph's: wall clock, the device synchronised.

    cugraph_bench.py FOLDER [--algorithms pr,bfs,bc,cc,sssp,tc] [--repeat N] [--seconds S] [--json FILE]

FOLDER is what `algorithms_bench GRAPH --export FOLDER` has written: the same graph, lengths and sources. It needs pylibcugraph and CuPy,
which are no part of cuGrB; RMM's pool serves the memory, as cuGraph's users have it. Checksums are those of gap.cpp.
"""
import argparse
import json
import pathlib
import sys
import time

try:
    import cupy
    import cupyx
    import numpy
    import pylibcugraph
    import rmm
    from rmm.allocators.cupy import rmm_cupy_allocator
except ImportError as missing:
    sys.exit(f"no cuGraph: {missing}")


class Graph:
    def __init__(self, folder):
        self.offsets = cupy.asarray(numpy.fromfile(folder / "offsets.bin", numpy.int64).astype(numpy.int32))
        self.columns = cupy.asarray(numpy.fromfile(folder / "columns.bin", numpy.int32))
        self.lengths = cupy.asarray(numpy.fromfile(folder / "lengths.bin", numpy.int32).astype(numpy.float32))
        self.sources = numpy.fromfile(folder / "sources.bin", numpy.int64)
        self.handle = pylibcugraph.ResourceHandle()
        self.plain = self.make(self.columns, self.offsets, cupy.ones_like(self.lengths))
        self.weighted = self.make(self.columns, self.offsets, self.lengths)

    def make(self, columns, offsets, weights):
        properties = pylibcugraph.GraphProperties(is_symmetric=True, is_multigraph=False)
        return pylibcugraph.SGGraph(self.handle, properties, offsets, columns, weight_array=weights, store_transposed=False,
                                    renumber=False, do_expensive_check=False, input_array_format="CSR")

    def without_self_edges(self):
        counts = cupy.diff(self.offsets)
        rows = cupy.repeat(cupy.arange(len(counts), dtype=cupy.int32), counts.get().tolist())
        kept = rows != self.columns
        offsets = cupy.zeros_like(self.offsets)
        cupy.cumsum(cupy.bincount(rows[kept], minlength=len(counts)), out=offsets[1:])
        return self.make(self.columns[kept], offsets, self.lengths[kept])


def norm(values):
    return float(cupy.linalg.norm(values.astype(cupy.float64)))


def lowest_members(vertices, labels):
    """Each vertex's component, named by its lowest vertex, as GraphBLAS programs name it."""
    lowest = cupy.full(int(labels.max()) + 1, len(labels), cupy.int64)
    cupyx.scatter_min(lowest, labels, vertices.astype(cupy.int64))
    return lowest[labels]


def algorithms_of(graph):
    """{name: (graph, function of graph and trial, its checksum)}."""
    handle = graph.handle

    def source(trial):
        return int(graph.sources[trial % len(graph.sources)])

    def batch(trial):
        chosen = [graph.sources[(4 * trial + k) % len(graph.sources)] for k in range(4)]
        return cupy.asarray(chosen, dtype=cupy.int32)

    def bfs(g, trial):
        return pylibcugraph.bfs(handle, g, cupy.asarray([source(trial)], dtype=cupy.int32), False, -1, True, False)

    def sssp(g, trial):
        return pylibcugraph.sssp(handle, g, source(trial), numpy.inf, True, False)

    def finite_norm(result):
        distances = result[1]
        return norm(distances[distances < numpy.finfo(numpy.float32).max])

    return {
        "pr": (graph.plain, lambda g, trial: pylibcugraph.pagerank(handle, g, None, None, None, None, 0.85, 1e-4, 100, False),
               lambda result: norm(result[1])),
        "bfs": (graph.plain, bfs, lambda result: float(cupy.count_nonzero(result[0] < numpy.iinfo(numpy.int32).max))),
        "bc": (graph.plain, lambda g, trial: pylibcugraph.betweenness_centrality(handle, g, batch(trial), None, False, False, False),
               lambda result: norm(result[1])),
        "cc": (graph.plain, lambda g, trial: pylibcugraph.weakly_connected_components(handle, g, None, None, None, None, False),
               lambda result: norm(lowest_members(result[0], result[1]))),
        "sssp": (graph.weighted, sssp, finite_norm),
        "tc": (None, lambda g, trial: pylibcugraph.triangle_count(handle, g, None, False),
               lambda result: float(result[1].sum()) / 3),
    }


def measure(graph, function, checksum, repeat, seconds):
    warm, checksums, cold, begin = [], [], 0.0, time.perf_counter()
    for trial in range(repeat + 1):
        if trial >= 2 and time.perf_counter() - begin > seconds:
            break
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        result = function(graph, trial)
        cupy.cuda.Device().synchronize()
        taken = time.perf_counter() - start
        if trial == 0:
            cold = taken
        else:
            warm.append(taken)
        checksums.append(checksum(result))
    return {"cold_seconds": cold, "warm_seconds": warm, "checksums": checksums}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--algorithms", default="pr,bfs,bc,cc,sssp,tc")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rmm.reinitialize(pool_allocator=True)
    cupy.cuda.set_allocator(rmm_cupy_allocator)
    graph = Graph(options.folder)
    known, result = algorithms_of(graph), {}
    for name in options.algorithms.split(","):
        on, function, checksum = known[name]
        result[name] = measure(on or graph.without_self_edges(), function, checksum, options.repeat, options.seconds)
    text = json.dumps({"version": pylibcugraph.__version__, "algorithms": result}, indent=1)
    if options.json:
        options.json.write_text(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
