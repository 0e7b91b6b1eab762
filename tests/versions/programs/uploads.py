"""Bytes that go up for matrices whose integers have 32 bits, as SuiteSparse 10 keeps them, and 64: 4 for each index and each
offset, whatever their widths on the host. Printed is what must go up, or what cuGrB has counted where it is there."""

import ctypes

import graphblas as gb

ROWS, COLUMNS = 300, 200
VALUE = 8  # bytes of FP64
HINTS, BITS = (7053, 7054, 7056), (7057, 7058, 7059)
ORIENTATION, SPARSITY_CONTROL = 100, 7036


def counted_bytes():
    """cugrb_statistics.bytes_up; nothing without cuGrB."""
    try:
        function = gb.LIBRARY.cugrb_get_statistics
    except AttributeError:
        return None
    counts = (ctypes.c_uint64 * 16)()
    function(counts)
    return counts[2]


def matrix(bits, by_column, control):
    made = gb.matrix(ROWS, COLUMNS)
    for field, value in [(ORIENTATION, by_column), (SPARSITY_CONTROL, control), *((hint, bits) for hint in HINTS)]:
        gb.need("GrB_Matrix_set_INT32", made, value, field)
    gb.fill_matrix(made, [((7 * k) % ROWS, (k * k + 3 * k) % COLUMNS, k + 1.5) for k in range(250)])
    return made


def show(bits, by_column, control):
    a, c = matrix(bits, by_column, control), gb.matrix(ROWS, COLUMNS)
    widths, number = [], ctypes.c_int32()
    for field in BITS:
        gb.need("GrB_Matrix_get_INT32", a, ctypes.byref(number), field)
        widths.append(number.value)
    entries = gb.index(0)
    gb.need("GrB_Matrix_nvals", ctypes.byref(entries), a)
    before = counted_bytes()
    gb.need("GrB_Matrix_apply", c, None, None, gb.predefined("GrB_AINV_FP64"), a, None)
    gb.need("GrB_Matrix_wait", c, 1)
    vectors = COLUMNS if by_column else ROWS
    must = 4 * (vectors + 1) + (4 + VALUE) * entries.value
    counted = must if before is None else counted_bytes() - before
    print(f"hint {bits}, widths {widths}, by column {by_column}, control {control}: {entries.value} entries, {counted} bytes up",
          flush=True)
    for made in (a, c):
        gb.need("GrB_Matrix_free", ctypes.byref(made))


gb.need("GrB_init", 0)
for hint in (32, 64):
    for column in (0, 1):
        for form in (1, 2, 4):  # hypersparse, sparse, bitmap
            show(hint, column, form)
gb.need("GrB_finalize")
