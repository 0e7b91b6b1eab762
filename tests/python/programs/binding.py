"""A program of suitesparse_graphblas, the binding below python-graphblas, that knows nothing of cuGrB: what it prints must not
depend on who runs it."""

import sys

import suitesparse_graphblas
from suitesparse_graphblas import ffi, lib

N = 60


def need(info):
    if info != lib.GrB_SUCCESS:
        raise RuntimeError(info)


def matrix(step=None, kind="INT64"):
    """One without entries, or N times 12 of them."""
    made = ffi.new("GrB_Matrix*")
    need(lib.GrB_Matrix_new(made, getattr(lib, f"GrB_{kind}"), N, N))
    for k in range(0 if step is None else 12 * N):
        need(lib.GrB_Matrix_setElement_INT64(made[0], (k * step) % 19 - 9, k % N, (k * step + k // N) % N))
    return made[0]


def vector(count=0):
    made = ffi.new("GrB_Vector*")
    need(lib.GrB_Vector_new(made, lib.GrB_INT64, N))
    for k in range(count):
        need(lib.GrB_Vector_setElement_INT64(made[0], 2 * k - 40, (7 * k) % N))
    return made[0]


def show(name, thing, kind="Matrix"):
    count = ffi.new("GrB_Index*")
    need(getattr(lib, f"GrB_{kind}_nvals")(count, thing))
    lists = [ffi.new("GrB_Index[]", max(1, count[0])) for _ in range(2 if kind == "Matrix" else 1)]
    values = ffi.new("int64_t[]", max(1, count[0]))
    need(getattr(lib, f"GrB_{kind}_extractTuples_INT64")(*lists, values, count, thing))
    print(name, count[0], sorted(zip(*(list(numbers)[:count[0]] for numbers in (*lists, values)))))


def main():
    print("arguments", sys.argv[1:], __name__)
    suitesparse_graphblas.initialize()
    a, b, mask, u = matrix(7), matrix(11), matrix(5, "BOOL"), vector(30)
    for name in ("PLUS_TIMES", "MIN_PLUS", "MAX_SECOND"):
        ring = getattr(lib, f"GrB_{name}_SEMIRING_INT64")
        c, w = matrix(), vector()
        need(lib.GrB_mxm(c, ffi.NULL, ffi.NULL, ring, a, b, ffi.NULL))
        show("mxm", c)
        need(lib.GrB_mxm(c, mask, lib.GrB_PLUS_INT64, ring, a, b, lib.GrB_DESC_ST1))
        show("masked, accumulated", c)
        need(lib.GrB_vxm(w, ffi.NULL, ffi.NULL, ring, u, a, ffi.NULL))
        show("vxm", w, "Vector")
    c = matrix()
    need(lib.GrB_Matrix_eWiseAdd_BinaryOp(c, ffi.NULL, ffi.NULL, lib.GrB_MAX_INT64, a, b, ffi.NULL))
    need(lib.GrB_Matrix_select_INT64(c, ffi.NULL, ffi.NULL, lib.GrB_VALUEGT_INT64, c, 2, ffi.NULL))
    need(lib.GrB_Matrix_setElement_INT64(c, 77, 3, 5))
    show("selected", c)
    total, element = ffi.new("int64_t*"), ffi.new("int64_t*")
    need(lib.GrB_Matrix_reduce_INT64(total, ffi.NULL, lib.GrB_PLUS_MONOID_INT64, c, ffi.NULL))
    need(lib.GrB_Matrix_extractElement_INT64(element, c, 3, 5))
    print("sum", total[0], "element", element[0])


if __name__ == "__main__":
    main()
