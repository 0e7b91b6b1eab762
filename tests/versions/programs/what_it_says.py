"""Calls of which a trace has much to say: on the device, forwarded with what the host changes, and on the device again."""

import ctypes

import graphblas as gb

N = 200
UNARY = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))


@UNARY
def without_definition(z, x):
    z[0] = x[0] + 1


gb.need("GrB_init", 0)
A = gb.fill_matrix(gb.matrix(N, N), [((7 * k) % N, (k * k + 3 * k) % N, k + 1.5) for k in range(3 * N)])
u = gb.fill_vector(gb.vector(N), [(k, k % 7 + 0.5) for k in range(N)])
w, v = gb.vector(N), gb.vector(N)
semiring = gb.predefined("GrB_PLUS_TIMES_SEMIRING_FP64")
operator = gb.HANDLE()
gb.need("GrB_UnaryOp_new", ctypes.byref(operator), without_definition, gb.predefined("GrB_FP64"), gb.predefined("GrB_FP64"))
for _ in range(3):
    gb.need("GrB_mxv", w, None, None, semiring, A, u, None)
    gb.need("GrB_Vector_apply", w, None, None, operator, w, None)  # changes on the host what the device had
    gb.need("GrB_mxv", v, None, None, semiring, A, w, None)
gb.show_entries("v", "Vector", v)
gb.need("GrB_finalize")
