"""A program of python-graphblas that knows nothing of cuGrB: what it prints must not depend on who runs it."""

import sys

import graphblas as gb
import numpy as np
from graphblas import Matrix, Vector, binary, monoid, semiring

N = 150


def entries(seed, count):
    generator = np.random.default_rng(seed)
    positions = generator.choice(N * N, size=count, replace=False)
    return positions // N, positions % N, generator.integers(-9, 10, size=count)


def show(name, value):
    indices = [index.tolist() for index in value.to_coo()]
    print(name, value.dtype, value.nvals, indices)


def main():
    print("arguments", sys.argv[1:], __name__)
    A = Matrix.from_coo(*entries(1, 2000), nrows=N, ncols=N, dtype="INT64")
    B = Matrix.from_coo(*entries(2, 1500), nrows=N, ncols=N, dtype="INT64")
    u = Vector.from_coo(np.arange(0, N, 2), np.arange(0, N, 2) - 40, size=N)
    mask = A.select("valuene", 0).new(dtype=bool)
    for ring in (semiring.plus_times, semiring.min_plus, semiring.max_second,
                 semiring.register_anonymous(monoid.max, binary.minus)):
        show("mxm", A.mxm(B, ring).new())
        show("masked", A.mxm(B, ring).new(mask=mask.S))
        show("vxm", u.vxm(A, ring).new())
    C = A.ewise_add(B, binary.plus).new()
    C(binary.plus) << A.mxm(B.T, semiring.plus_times)
    show("accumulated", C)
    show("reduced", C.reduce_rowwise(monoid.plus).new())
    print("sum", C.reduce_scalar(monoid.plus).new().value)
    C[3, 5] = 77
    print("element", C[3, 5].new().value, C.T.new()[5, 3].new().value)


if __name__ == "__main__":
    main()
