"""PageRank, and routes by a semiring of our own, on a graph file: with the GPU and without it, and how long each takes.

    pip install "cugrb[cuda]" python-graphblas
    python graph_times.py graph.mtx            (Matrix Market; .gz and .xz too)
"""

import contextlib
import gzip
import lzma
import sys
import time

import cugrb  # in front of GraphBLAS: this line is all that a program needs
import graphblas as gb
import numpy as np
from graphblas import Matrix, Vector, binary, monoid, semiring

OPENERS = {"gz": gzip.open, "xz": lzma.open}


def read_graph(path):
    """The adjacency matrix of a Matrix Market file, A(i, j) the edge from i to j; the absolute values, 1 where the file
    has none."""
    with OPENERS.get(path.rsplit(".", 1)[-1], open)(path, "rt") as file:
        head = file.readline().split()
        if head[:3] != ["%%MatrixMarket", "matrix", "coordinate"] or head[3] == "complex":
            raise SystemExit(f"{path}: expected a Matrix Market file of coordinates")
        size = next(line for line in file if not line.startswith("%"))
        rows, columns, _ = map(int, size.split())
        table = np.loadtxt(file, ndmin=2)
    sources, targets = table[:, 0].astype(np.uint64) - 1, table[:, 1].astype(np.uint64) - 1
    values = np.ones(len(table)) if head[3] == "pattern" else np.abs(table[:, 2])
    if head[4] != "general":
        sources, targets = np.concatenate([sources, targets]), np.concatenate([targets, sources])
        values = np.concatenate([values, values])
    n = max(rows, columns)
    return Matrix.from_coo(sources, targets, values, nrows=n, ncols=n, dup_op=binary.max)


def pagerank(A, damping=0.85, steps=20):
    """The ranks after `steps` steps; who has no edges gives to all alike."""
    n = A.nrows
    degree = semiring.plus_pair(A @ Vector.from_coo(np.arange(n), np.ones(n))).new()
    share = degree.apply(binary.truediv, left=damping).new(dtype=float)
    rank = Vector.from_coo(np.arange(n), np.full(n, 1 / n))
    for _ in range(steps):
        given = rank.ewise_mult(share, binary.times).new()
        kept = 1 - given.ewise_mult(degree, binary.times).reduce(monoid.plus).new().get(0.0)
        spread = given.vxm(A, semiring.plus_first).new()
        rank[:] = kept / n
        rank(binary.plus) << spread
    return rank


def precision(A, source=0, steps=8):
    """How far each vertex is from `source` when lengths of edges add like independent errors: the least square root of
    a sum of squares, over the ways of at most `steps` edges. No library has this semiring: (min, hypot)."""
    min_hypot = semiring.register_anonymous(monoid.min, binary.hypot)
    distance = Vector.from_coo([source], [0.0], size=A.nrows)
    for _ in range(steps):
        distance(binary.min) << distance.vxm(A, min_hypot)
    return distance


def timed(work, A):
    """The result of the second run, and its milliseconds: the first one compiles kernels and copies the graph."""
    work(A)
    start = time.perf_counter()
    result = work(A)
    result.wait()
    return result, 1000 * (time.perf_counter() - start)


def compare(name, work, A):
    """Runs `work` as cuGrB decides, and without the GPU; fails where the results differ."""
    outcomes = []
    for where in (contextlib.nullcontext(), cugrb.offload("never")):
        with where, cugrb.trace() as calls:
            result, milliseconds = timed(work, A)
        outcomes.append((result, milliseconds, sum(call["place"] != "cpu" for call in calls)))
    (with_gpu, fast, calls_gpu), (without, slow, _) = outcomes
    if not with_gpu.isclose(without, rel_tol=1e-6, abs_tol=1e-12):
        raise SystemExit(f"{name}: the results differ")
    print(f"{name:10} with cuGrB {fast:10.2f} ms ({calls_gpu} calls on the device)   without {slow:10.2f} ms")
    return with_gpu


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    A = read_graph(sys.argv[1])
    device = cugrb.info()["device"]
    print(f"{A.nrows} vertices, {A.nvals} edges; device: {device['kind']} ({device['name']})")
    ranks = compare("PageRank", pagerank, A)
    distances = compare("min-hypot", precision, A)
    vertices, values = ranks.to_coo()
    print("highest ranks:", ", ".join(str(vertices[i]) for i in np.argsort(-values, kind="stable")[:5]))
    print(f"from vertex 0: {distances.nvals} vertices reached, the farthest {distances.reduce(monoid.max).new().value:.4f}")


if __name__ == "__main__":
    main()
