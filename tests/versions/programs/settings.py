"""Settings that content which comes back must leave as they were: names, hints for the widths of integers, hashes, arenas,
and arrays of the program that are read-only. For SuiteSparse 9 and later."""

import ctypes

import graphblas as gb

SIZE = 400
SEMIRING = gb.predefined("GrB_PLUS_TIMES_SEMIRING_FP64")
READ_ONLY = 7078  # as the handling of GxB_Vector_load
ROW_HINT, COLUMN_HINT, OFFSET_HINT, ORIENTATION, HYPER_HASH = 7053, 7054, 7056, 100, 7048
CASES = {
    "plain": [],
    "64 bits": [(ROW_HINT, 64), (COLUMN_HINT, 64), (OFFSET_HINT, 64)],
    "rows of 64 bits": [(ROW_HINT, 64)],
    "32 bits": [(ROW_HINT, 32), (COLUMN_HINT, 32), (OFFSET_HINT, 32)],
    "offsets of 64 bits": [(OFFSET_HINT, 64)],
    "by column": [(ORIENTATION, 1)],
    "no hash": [(HYPER_HASH, 0)],
}


def entries(shift=0):
    return [((7 * k + shift) % SIZE, (k * k + 3 * k) % SIZE, k + 1.5) for k in range(60)]


class Arena:
    """Memory of the program: what it hands out must come back to it, and nothing else."""

    PADDING = 64

    def __init__(self, number):
        libc = ctypes.CDLL("libc.so.6")
        for name in ("malloc", "calloc", "realloc"):
            getattr(libc, name).restype = ctypes.c_void_p
        self.libc, self.blocks, self.foreign = libc, {}, 0
        size, pointer = ctypes.c_size_t, ctypes.c_void_p
        self.functions = (ctypes.CFUNCTYPE(pointer, size)(self.malloc), ctypes.CFUNCTYPE(pointer, size, size)(self.calloc),
                          ctypes.CFUNCTYPE(pointer, pointer, size)(self.realloc), ctypes.CFUNCTYPE(None, pointer)(self.free))
        gb.need("GxB_arena_init", number, *self.functions)

    def malloc(self, size):
        address = self.libc.malloc(ctypes.c_size_t(size + self.PADDING)) + self.PADDING
        self.blocks[address] = size
        return address

    def calloc(self, count, size):
        address = self.malloc(count * size)
        ctypes.memset(address, 0, count * size)
        return address

    def realloc(self, old, size):
        address = self.malloc(size)
        if old:
            ctypes.memmove(address, old, min(size, self.blocks.get(old, 0)))
            self.free(old)
        return address

    def free(self, address):
        if not address:
            return
        if address not in self.blocks:
            self.foreign += 1
            return
        del self.blocks[address]
        self.libc.free(ctypes.c_void_p(address - self.PADDING))


def named(thing, text):
    gb.need("GrB_Matrix_set_String", thing, ctypes.create_string_buffer(text.encode()), 10)
    return thing


def duplicate(thing):
    made = ctypes.c_void_p()
    gb.need("GrB_Matrix_dup", ctypes.byref(made), thing)
    return made


def multiply(into, a, b):
    gb.need("GrB_mxm", into, None, None, SEMIRING, a, b, None)


def free(*things):
    for thing in things:
        gb.need("GrB_Matrix_free", ctypes.byref(thing))


def life_of(thing, what, a):
    """Products into an object, with what a program may do to it in between."""
    gb.show_settings(f"{what}: made", thing)
    multiply(thing, a, a)
    gb.show_settings(f"{what}: product", thing)
    multiply(thing, a, a)
    copies = [duplicate(thing)]
    gb.show_settings(f"{what}: copy", copies[0])
    gb.show_entries(f"{what}: copy", "Matrix", copies[0])
    multiply(thing, thing, a)
    for field, value in ((ROW_HINT, 64), (COLUMN_HINT, 32)):
        print(f"{what}: set {field}", gb.call("GrB_Matrix_set_INT32", thing, value, field))
    gb.show_settings(f"{what}: set", thing)
    multiply(thing, a, a)
    copies.append(duplicate(thing))
    gb.show_settings(f"{what}: second copy", copies[1])
    multiply(thing, a, a)
    gb.need("GrB_Matrix_clear", thing)
    gb.show_settings(f"{what}: cleared", thing)
    gb.fill_matrix(thing, entries(3))
    gb.show_settings(f"{what}: filled", thing)
    gb.show_entries(f"{what}: filled", "Matrix", thing)
    free(*copies)


def change_arenas(thing, what, a):
    """The handle moves."""
    multiply(thing, a, a)
    gb.need("GxB_Matrix_set_arenas", ctypes.byref(thing), 3, 2)
    gb.show_settings(f"{what}: moved", thing)
    gb.show_entries(f"{what}: moved", "Matrix", thing)
    multiply(thing, a, a)
    gb.show_settings(f"{what}: product where it moved to", thing)
    made = ctypes.c_void_p()
    gb.need("GxB_Matrix_dup_arena", ctypes.byref(made), thing, 2, 2)
    gb.show_settings(f"{what}: copy in another arena", made)
    free(made)
    return thing


def arenas(a):
    two, three = Arena(2), Arena(3)
    for what, hints in CASES.items():
        thing = ctypes.c_void_p()
        gb.need("GxB_Matrix_new_arena", ctypes.byref(thing), gb.predefined("GrB_FP64"), gb.index(SIZE), gb.index(SIZE), 2, 3)
        named(thing, f"{what} in an arena")
        for field, value in hints:
            gb.need("GrB_Matrix_set_INT32", thing, value, field)
        life_of(thing, f"arena, {what}", a)
        free(change_arenas(thing, f"arena, {what}", a))
    print("arenas: blocks left", len(two.blocks), len(three.blocks), "of others", two.foreign, three.foreign)
    return two, three  # their functions are needed to the end


def read_only(a):
    """What the program lends may be read by everything and changed by nothing."""
    lent = (ctypes.c_double * SIZE)(*[k / 2 for k in range(SIZE)])
    loaded, other = gb.vector(0), gb.fill_vector(gb.vector(SIZE), [(3, 1.0), (5, 2.0)])
    pointer = ctypes.c_void_p(ctypes.addressof(lent))
    gb.need("GxB_Vector_load", loaded, ctypes.byref(pointer), gb.predefined("GrB_FP64"), gb.index(SIZE), gb.index(8 * SIZE),
            READ_ONLY, None)
    steps = {
        "input": ("GrB_mxv", other, None, None, SEMIRING, a, loaded, None),
        "mxv": ("GrB_mxv", loaded, None, None, SEMIRING, a, other, None),
        "accumulate": ("GrB_mxv", loaded, None, gb.predefined("GrB_PLUS_FP64"), SEMIRING, a, other, None),
        "apply": ("GrB_Vector_apply", loaded, None, None, gb.predefined("GrB_AINV_FP64"), other, None),
        "assign": ("GrB_Vector_assign_FP64", loaded, None, None, ctypes.c_double(3), gb.predefined("GrB_ALL"), gb.index(SIZE),
                   None),
        "element": ("GrB_Vector_setElement_FP64", loaded, ctypes.c_double(3), gb.index(5)),
        "resize": ("GrB_Vector_resize", loaded, gb.index(SIZE // 2)),
        "control": ("GrB_Vector_set_INT32", loaded, 4, 7036),
    }
    for what, words in steps.items():
        print(f"read-only: {what}", gb.call(*words))
        gb.show_settings(f"read-only: {what}", loaded, "Vector")
    gb.show_entries("read-only: product", "Vector", other)
    print("read-only: clear", gb.call("GrB_Vector_clear", loaded))
    gb.need("GrB_mxv", other, None, None, SEMIRING, a, loaded, None)
    gb.show_settings("read-only: cleared", loaded, "Vector")
    print("read-only: what was lent", sum(lent))


class Container(ctypes.Structure):
    """GxB_Container_struct as far as it is used here."""

    _fields_ = [("nrows", ctypes.c_uint64), ("ncols", ctypes.c_uint64), ("nonempty", ctypes.c_int64 * 2),
                ("nvals", ctypes.c_uint64), ("u64_future", ctypes.c_uint64 * 11), ("format", ctypes.c_int32),
                ("orientation", ctypes.c_int32), ("u32_future", ctypes.c_uint32 * 14), ("p", ctypes.c_void_p),
                ("h", ctypes.c_void_p), ("b", ctypes.c_void_p), ("i", ctypes.c_void_p), ("x", ctypes.c_void_p)]


def read_only_matrix():
    """A full matrix on lent values, by way of a container, and what goes back into it."""
    size, full = 20, 8
    lent = (ctypes.c_double * (size * size))(*[k % 7 for k in range(size * size)])
    pointer, container = ctypes.c_void_p(ctypes.addressof(lent)), ctypes.POINTER(Container)()
    gb.need("GxB_Container_new", ctypes.byref(container))
    parts, loaded, other = container.contents, gb.matrix(size, size), gb.matrix(size, size)
    gb.need("GxB_Vector_load", ctypes.c_void_p(parts.x), ctypes.byref(pointer), gb.predefined("GrB_FP64"),
            gb.index(size * size), gb.index(8 * size * size), READ_ONLY, None)
    parts.nrows = parts.ncols = size
    parts.nvals, parts.format = size * size, full
    gb.need("GxB_load_Matrix_from_Container", loaded, container, None)
    gb.show_settings("lent matrix", loaded)
    multiply(other, loaded, loaded)
    gb.show_entries("lent matrix: product", "Matrix", other)
    for what, words in {"mxm": ("GrB_mxm", loaded, None, None, SEMIRING, other, other, None),
                        "transpose": ("GrB_transpose", loaded, None, None, other, None),
                        "resize": ("GrB_Matrix_resize", loaded, gb.index(size), gb.index(size // 2))}.items():
        print(f"lent matrix: {what}", gb.call(*words))
        gb.show_settings(f"lent matrix: {what}", loaded)
    multiply(other, other, loaded)
    gb.need("GxB_unload_Matrix_into_Container", other, container, None)
    print("container", parts.nrows, parts.ncols, parts.nvals, parts.format, parts.orientation)
    gb.show_entries("container: values", "Vector", ctypes.c_void_p(parts.x))
    free(loaded)
    print("lent matrix: what was lent", sum(lent))
    gb.need("GxB_Container_free", ctypes.byref(container))


def main():
    gb.need("GrB_init", 0)
    a = gb.fill_matrix(gb.matrix(SIZE, SIZE), entries())
    for what, hints in CASES.items():
        thing = named(gb.matrix(SIZE, SIZE), what)
        for field, value in hints:
            print(f"{what}: set {field}", gb.call("GrB_Matrix_set_INT32", thing, value, field))
        life_of(thing, what, a)
        free(thing)
    kept = arenas(a) if gb.has("GxB_arena_init") else None
    if gb.has("GxB_Vector_load"):
        read_only(a)
        read_only_matrix()
    gb.need("GrB_finalize")
    del kept


if __name__ == "__main__":
    main()
