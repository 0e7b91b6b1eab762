#!/usr/bin/env python3
"""A batch of edges by a rebuild, as programs in Python do it: by CuPy, and by cuGraph where it is installed.

    rebuild.py [--scale N] [--smallest K] [--largest K] [--repeat R] [--json FILE]

The graph and the batches are drawn as bench_dynamic's R-MAT ones, in device memory: 16 edges a vertex, FP32 values. CuPy joins the tuples of
the matrix and of the batch, and makes a CSR that sums duplicates; cuGraph makes a graph of the joined tuples, as its maintainers advise.
"""
import argparse
import json
import time

import cupy
import cupyx.scipy.sparse

try:
    import pylibcugraph
except ImportError:
    pylibcugraph = None


def edges(scale, count, seed):
    random = cupy.random.RandomState(seed)
    rows = cupy.zeros(count, cupy.int32)
    columns = cupy.zeros(count, cupy.int32)
    for _ in range(scale):
        u = random.rand(count, dtype=cupy.float32)
        rows = 2 * rows + (u >= 0.76)
        columns = 2 * columns + (((u >= 0.57) & (u < 0.76)) | (u >= 0.95))
    return rows.astype(cupy.int32), columns.astype(cupy.int32), cupy.ones(count, cupy.float32)


def joined(matrix, batch):
    return [cupy.concatenate(pair) for pair in zip(matrix, batch)]


def by_cupy(tuples, vertices):
    rows, columns, values = tuples
    csr = cupyx.scipy.sparse.coo_matrix((values, (rows, columns)), shape=(vertices, vertices)).tocsr()
    coo = csr.tocoo()
    return coo.row, coo.col, coo.data


def by_cugraph(tuples, _):
    rows, columns, values = tuples
    properties = pylibcugraph.GraphProperties(is_symmetric=False, is_multigraph=True)
    pylibcugraph.SGGraph(pylibcugraph.ResourceHandle(), properties, rows, columns, weight_array=values, store_transposed=False,
                         renumber=False, do_expensive_check=False, input_array_format="COO")
    return tuples


def median_seconds(way, scale, count, repeat):
    """Batches one after the other, each into what the one before left. The first two do not count."""
    matrix = edges(scale, 16 << scale, 1)
    matrix = way(matrix, 1 << scale)
    seconds = []
    for r in range(repeat + 2):
        batch = edges(scale, count, 2 + r)
        cupy.cuda.runtime.deviceSynchronize()
        begin = time.perf_counter()
        matrix = way(joined(matrix, batch), 1 << scale)
        cupy.cuda.runtime.deviceSynchronize()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds[2:])[repeat // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("scale", 20), ("smallest", 10), ("largest", 20), ("repeat", 5)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--json")
    options = parser.parse_args()
    ways = {"cupy": by_cupy, **({"cugraph": by_cugraph} if pylibcugraph else {})}
    lines = []
    for k in range(options.smallest, options.largest + 1, 2):
        line = {"edges": 1 << k, **{name: median_seconds(way, options.scale, 1 << k, options.repeat) for name, way in ways.items()}}
        print(line, flush=True)
        lines.append(line)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"scale": options.scale, "batches": lines}, file, indent=1)


if __name__ == "__main__":
    main()
