"""GxB_IndexBinaryOp (SuiteSparse 9.4): operators of the values and of both places, in every operation that may take them."""

import ctypes
import itertools
import random

import graphblas as gb

JIT_CONTROL = 7029
BY_COLUMN, ORIENTATION = 1, 100
POINTER, PLACE = ctypes.c_void_p, ctypes.c_uint64
FUNCTION = ctypes.CFUNCTYPE(None, POINTER, POINTER, PLACE, PLACE, POINTER, PLACE, PLACE, POINTER)
PARAMETERS = "void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy, GrB_Index jy, const void *theta"
#: Name: its types (of z, x, y and theta), the monoid that adds its results up, its body in C and in Python.
OPERATORS = {
    "weigh": (("FP64", "FP64", "FP64", "FP64"), "PLUS",
              "*(double *) z = *(double *) x + 3.0 * ix + 5.0 * jx + 7 * *(double *) y + 11.0 * iy + 13.0 * jy + *(double *) theta;",
              lambda x, ix, jx, y, iy, jy, theta: x + 3 * ix + 5 * jx + 7 * y + 11 * iy + 13 * jy + theta),
    "farther": (("INT64", "INT32", "INT32", "INT8"), "MIN",
                "*(int64_t *) z = ix > jy ? *(int8_t *) theta : (int64_t) iy - (int64_t) jx + *(int32_t *) x;",
                lambda x, ix, jx, y, iy, jy, theta: theta if ix > jy else iy - jx + x),
    "nearest": (("INT32", "INT32", "INT32", "INT64"), "MAX",
                "*(int32_t *) z = (int32_t) ((ix + 2 * jx + 3 * iy + 5 * jy) % 17) + (int32_t) *(int64_t *) theta;",
                lambda x, ix, jx, y, iy, jy, theta: (ix + 2 * jx + 3 * iy + 5 * jy) % 17 + theta),
}
KEPT = []  # functions that SuiteSparse calls


def function_of(types, body):
    z_type, x_type, y_type, theta_type = (gb.TYPES[kind] for kind in types)

    def function(z, x, ix, jx, y, iy, jy, theta):
        value = body(x_type.from_address(x).value, ix, jx, y_type.from_address(y).value, iy, jy,
                     theta_type.from_address(theta).value)
        z_type.from_address(z).value = value

    KEPT.append(FUNCTION(function))
    return KEPT[-1]


def scalar(kind, value):
    made = gb.HANDLE()
    gb.need("GrB_Scalar_new", ctypes.byref(made), gb.predefined(f"GrB_{kind}"))
    gb.need(f"GrB_Scalar_setElement_{kind}", made, gb.TYPES[kind](value))
    return made


def operator(name, theta, defined=True):
    types, _, body, python = OPERATORS[name]
    indexed, bound = gb.HANDLE(), gb.HANDLE()
    definition = f"void {name} ({PARAMETERS}) {{ {body} }}".encode() if defined else None
    gb.need("GxB_IndexBinaryOp_new", ctypes.byref(indexed), function_of(types, python),
            *(gb.predefined(f"GrB_{kind}") for kind in types), name.encode(), definition)
    gb.need("GxB_BinaryOp_new_IndexOp", ctypes.byref(bound), indexed, scalar("FP64", theta))
    gb.need("GxB_IndexBinaryOp_free", ctypes.byref(indexed))
    return bound


def semiring_of(name, bound):
    made, z_type = gb.HANDLE(), OPERATORS[name][0][0]
    gb.need("GrB_Semiring_new", ctypes.byref(made), gb.predefined(f"GrB_{OPERATORS[name][1]}_MONOID_{z_type}"), bound)
    return made


def descriptor(first, second):
    made = gb.HANDLE()
    gb.need("GrB_Descriptor_new", ctypes.byref(made))
    for field in ([2] if first else []) + ([3] if second else []):
        gb.need("GrB_Descriptor_set", made, field, 3)
    return made


def some_matrix(seed, rows, columns, by_column=False, share=0.25):
    draw = random.Random(seed)
    made = gb.matrix(rows, columns)
    if by_column:
        gb.need("GrB_Matrix_set_INT32", made, BY_COLUMN, ORIENTATION)
    return gb.fill_matrix(made, [(i, j, draw.randint(-9, 9)) for i in range(rows) for j in range(columns)
                                 if draw.random() < share])


def some_vector(seed, size, share=0.4):
    draw = random.Random(seed)
    return gb.fill_vector(gb.vector(size), [(i, draw.randint(-9, 9)) for i in range(size) if draw.random() < share])


def show(what, kind, into, name, *words):
    info = gb.call(name, into, *words)
    print(what, name, info)
    if info == 0:
        gb.show_entries(what, kind, into)


def products(what, semiring):
    size = 13
    for number, (first, second, by_column) in enumerate(itertools.product((False, True), repeat=3)):
        desc = descriptor(first, second)
        a = some_matrix(number, *((size, 8) if first else (8, size)), by_column)
        b = some_matrix(20 + number, *((11, size) if second else (size, 11)), by_column and not second)
        mask = some_matrix(40 + number, 8, 11, share=0.5)
        show(f"{what} {number}", "Matrix", gb.matrix(8, 11), "GrB_mxm", None, None, semiring, a, b, desc)
        show(f"{what} {number} masked", "Matrix", some_matrix(60, 8, 11), "GrB_mxm", mask, gb.predefined("GrB_PLUS_FP64"),
             semiring, a, b, desc)
        for share in (0.2, 0.7, 1.0):
            u, v = some_vector(number, size, share), some_vector(number, size, share)
            show(f"{what} {number} {share}", "Vector", gb.vector(8), "GrB_mxv", None, None, semiring, a, u, desc)
            show(f"{what} {number} {share}", "Vector", gb.vector(11), "GrB_vxm", None, None, semiring, v, b, desc)


def elementwise(what, op):
    for number, (first, second, by_column) in enumerate(itertools.product((False, True), repeat=3)):
        desc = descriptor(first, second)
        for share in (0.3, 1.0):
            a = some_matrix(number, *((9, 7) if first else (7, 9)), by_column, share)
            b = some_matrix(20 + number, *((9, 7) if second else (7, 9)), share=share)
            for name in ("GrB_Matrix_eWiseMult_BinaryOp", "GrB_Matrix_eWiseAdd_BinaryOp"):
                show(f"{what} {number} {share}", "Matrix", gb.matrix(7, 9), name, None, None, op, a, b, desc)
            show(f"{what} {number} {share}", "Matrix", gb.matrix(7, 9), "GxB_Matrix_eWiseUnion", None, None, op, a,
                 scalar("FP64", 2), b, scalar("FP64", -3), desc)
    for share in (0.3, 1.0):
        u, v = some_vector(1, 40, share), some_vector(2, 40, share)
        for name in ("GrB_Vector_eWiseMult_BinaryOp", "GrB_Vector_eWiseAdd_BinaryOp"):
            show(f"{what} {share}", "Vector", gb.vector(40), name, None, None, op, u, v, None)
        show(f"{what} {share}", "Vector", gb.vector(40), "GxB_Vector_eWiseUnion", None, None, op, u, scalar("FP64", 2), v,
             scalar("FP64", -3), None)
    show(what, "Matrix", gb.matrix(12, 12), "GrB_Matrix_kronecker_BinaryOp", None, None, op, some_matrix(1, 3, 4),
         some_matrix(2, 4, 3), None)


def refused(what, op):
    """Where SuiteSparse takes no such operator."""
    a, u, made = some_matrix(1, 9, 9), some_vector(1, 9), gb.HANDLE()
    print(what, "monoid", gb.call("GrB_Monoid_new_FP64", ctypes.byref(made), op, ctypes.c_double(0)))
    show(what, "Matrix", some_matrix(2, 9, 9), "GrB_Matrix_apply", None, op, gb.predefined("GrB_AINV_FP64"), a, None)
    show(what, "Matrix", gb.matrix(9, 9), "GrB_Matrix_apply_BinaryOp2nd_FP64", None, None, op, a, ctypes.c_double(2), None)
    show(what, "Vector", gb.vector(9), "GrB_Vector_apply_BinaryOp1st_FP64", None, None, op, ctypes.c_double(2), u, None)
    show(what, "Vector", gb.vector(9), "GxB_Vector_sort", None, op, u, None)


def main():
    gb.need("GrB_init", 0)
    gb.call("GrB_Global_set_INT32", gb.predefined("GrB_GLOBAL"), 0, JIT_CONTROL)  # the functions here are Python's
    for name, theta in itertools.product(OPERATORS, (0, 4)):
        op = operator(name, theta)
        products(f"{name} {theta}", semiring_of(name, op))
        elementwise(f"{name} {theta}", op)
    refused("refused", operator("weigh", 1))
    elementwise("bare pointer", operator("weigh", 1, defined=False))
    gb.need("GrB_finalize")


if __name__ == "__main__":
    main()
