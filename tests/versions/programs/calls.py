"""Products, accumulations, assignments, selections, reductions: what a program prints that any version from 7.4 on can run."""

import ctypes
import random

import graphblas as gb

ROWS = 120
SEMIRINGS = ("GrB_PLUS_TIMES_SEMIRING_FP64", "GrB_MIN_PLUS_SEMIRING_FP64", "GrB_MAX_TIMES_SEMIRING_FP64", "GxB_ANY_PAIR_FP64",
             "GxB_PLUS_PAIR_FP64", "GxB_PLUS_SECOND_FP64", "GrB_MIN_FIRST_SEMIRING_FP64", "GrB_LOR_LAND_SEMIRING_BOOL")
ALL, COUNT = gb.predefined("GrB_ALL"), gb.index(ROWS)


def indices(*numbers):
    return (ctypes.c_uint64 * len(numbers))(*numbers)


def show(what, kind, thing):
    found = sorted(gb.entries_of(kind, thing))
    print(what, len(found), sum(sum((31, 1)[n % 2] * place for n, place in enumerate(entry[:-1])) for entry in found),
          sum(entry[-1] * (1 + sum(map(int, entry[:-1])) % 7) for entry in found), flush=True)


def into_matrix(what, name, *words, rows=ROWS, columns=ROWS, mask=None, descriptor=None):
    made = gb.matrix(rows, columns)
    gb.need(name, made, mask, None, *words, descriptor)
    show(what, "Matrix", made)
    return made


def into_vector(what, name, *words, size=ROWS, mask=None):
    made = gb.vector(size)
    gb.need(name, made, mask, None, *words, None)
    show(what, "Vector", made)
    return made


def products(a, x):
    structure = gb.predefined("GrB_DESC_S")
    for name in SEMIRINGS:
        semiring = gb.predefined(name)
        into_vector(f"mxv {name}", "GrB_mxv", semiring, a, x)
        into_vector(f"vxm {name}", "GrB_vxm", semiring, x, a)
        into_matrix(f"mxm {name}", "GrB_mxm", semiring, a, a)
        into_matrix(f"masked mxm {name}", "GrB_mxm", semiring, a, a, mask=a, descriptor=structure)


def elementwise(a, x):
    plus, minus, negate = (gb.predefined(f"GrB_{name}_FP64") for name in ("PLUS", "MINUS", "AINV"))
    two = ctypes.c_double(2.5)
    transposed = into_matrix("transpose", "GrB_transpose", a)
    into_matrix("add", "GrB_Matrix_eWiseAdd_BinaryOp", plus, a, transposed)
    into_matrix("multiply", "GrB_Matrix_eWiseMult_BinaryOp", minus, a, a)
    into_vector("add", "GrB_Vector_eWiseAdd_BinaryOp", plus, x, x)
    into_matrix("apply", "GrB_Matrix_apply", negate, a)
    into_vector("apply", "GrB_Vector_apply", negate, x)
    into_matrix("apply bound", "GrB_Matrix_apply_BinaryOp2nd_FP64", gb.predefined("GrB_TIMES_FP64"), a, two)
    into_vector("apply bound", "GrB_Vector_apply_BinaryOp1st_FP64", minus, two, x)
    into_matrix("apply index", "GrB_Matrix_apply_IndexOp_INT64", gb.predefined("GrB_ROWINDEX_INT64"), a, ctypes.c_int64(3))
    into_matrix("select", "GrB_Matrix_select_INT64", gb.predefined("GrB_TRIL"), a, ctypes.c_int64(-1))
    into_vector("select", "GrB_Vector_select_FP64", gb.predefined("GrB_VALUEGT_FP64"), x, ctypes.c_double(2))


def reductions(a, x):
    plus, most = gb.predefined("GrB_PLUS_MONOID_FP64"), gb.predefined("GrB_MAX_MONOID_FP64")
    into_vector("reduce rows", "GrB_Matrix_reduce_Monoid", plus, a)
    into_vector("reduce rows", "GrB_Matrix_reduce_Monoid", most, a)
    number = ctypes.c_double()
    gb.need("GrB_Matrix_reduce_FP64", ctypes.byref(number), None, plus, a, None)
    print("reduce", number.value)
    gb.need("GrB_Vector_reduce_FP64", ctypes.byref(number), None, most, x, None)
    print("reduce", number.value)


def builds():
    """Whether equal values become one depends on the version."""
    rows, columns = indices(4, 9, 0, 9), indices(7, 1, 3, 1)
    for values in ([5.0] * 4, [1.0] * 4, [5.0, 2.0, 1.5, 4.0]):
        for count in (1, 3, 4):  # the fourth has the second one's place
            for name in ("PLUS", "TIMES", "MAX", "FIRST"):
                array, dup = (ctypes.c_double * 4)(*values), gb.predefined(f"GrB_{name}_FP64")
                v, a = gb.vector(ROWS), gb.matrix(ROWS, ROWS)
                gb.need("GrB_Vector_build_FP64", v, rows, array, gb.index(count), dup)
                gb.show_entries(f"build {name}", "Vector", v)
                gb.need("GrB_Matrix_build_FP64", a, rows, columns, array, gb.index(count), dup)
                gb.show_entries(f"build {name}", "Matrix", a)


def parts(a, x):
    rows, columns = indices(*range(0, 50)), indices(*range(20, 70))
    into_matrix("extract", "GrB_Matrix_extract", a, rows, gb.index(50), columns, gb.index(50), rows=50, columns=50)
    into_vector("extract column", "GrB_Col_extract", a, ALL, COUNT, gb.index(3))
    into_vector("extract", "GrB_Vector_extract", x, rows, gb.index(50), size=50)
    small = gb.fill_matrix(gb.matrix(2, 2), [(0, 1, 2.0), (1, 0, 3.0)])
    into_matrix("kronecker", "GrB_Matrix_kronecker_BinaryOp", gb.predefined("GrB_TIMES_FP64"), a, small, rows=2 * ROWS,
                columns=2 * ROWS)
    diagonal = ctypes.c_void_p()
    gb.need("GrB_Matrix_diag", ctypes.byref(diagonal), x, ctypes.c_int64(0))
    show("diagonal", "Matrix", diagonal)


def changes(a, x):
    plus, structure = gb.predefined("GrB_PLUS_FP64"), gb.predefined("GrB_DESC_S")
    semiring = gb.predefined("GrB_PLUS_TIMES_SEMIRING_FP64")
    y, complement = gb.vector(ROWS), gb.predefined("GrB_DESC_SC")
    gb.need("GrB_mxv", y, x, plus, semiring, a, x, complement)
    gb.need("GrB_mxv", y, None, plus, semiring, a, x, None)
    show("accumulate", "Vector", y)
    gb.need("GrB_Vector_assign_FP64", y, x, None, ctypes.c_double(1), ALL, COUNT, complement)
    gb.need("GrB_Vector_assign", y, None, plus, into_vector("part", "GrB_Vector_extract", x, indices(0, 3), gb.index(2), size=2),
            indices(5, 7), gb.index(2), None)
    show("assign", "Vector", y)
    b = ctypes.c_void_p()
    gb.need("GrB_Matrix_dup", ctypes.byref(b), a)
    gb.need("GrB_Matrix_assign_FP64", b, a, None, ctypes.c_double(3), ALL, COUNT, ALL, COUNT, structure)
    show("assign", "Matrix", b)
    gb.need("GrB_Row_assign", b, None, None, x, gb.index(2), ALL, COUNT, None)
    gb.need("GrB_Matrix_setElement_FP64", b, ctypes.c_double(5.5), gb.index(3), gb.index(4))
    gb.need("GrB_Matrix_removeElement", b, gb.index(2), gb.index(0))
    show("elements", "Matrix", b)
    gb.need("GrB_Matrix_resize", b, gb.index(ROWS // 2), gb.index(ROWS))
    show("resize", "Matrix", b)


def main():
    gb.need("GrB_init", 0)
    draw = random.Random(1)
    a = gb.fill_matrix(gb.matrix(ROWS, ROWS), [(draw.randrange(ROWS), draw.randrange(ROWS), draw.randint(1, 8))
                                               for _ in range(8 * ROWS)])
    x = gb.fill_vector(gb.vector(ROWS), [(place, draw.randint(1, 4)) for place in range(0, ROWS, 3)])
    for steps in (products, elementwise, reductions, parts, changes):
        steps(a, x)
    builds()
    gb.need("GrB_finalize")


if __name__ == "__main__":
    main()
