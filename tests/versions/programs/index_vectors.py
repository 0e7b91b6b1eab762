"""The functions whose index lists are vectors (SuiteSparse 10): random ones, in and out of range, with masks and accumulators."""

import ctypes
import random

import graphblas as gb

SIZE = 24
KINDS = ("UINT64", "INT64", "UINT32", "INT32", "INT8", "FP64")  # of index vectors; the last two are SuiteSparse's
USE_INDICES = 7060  # the places of the entries are the list
ROWS, COLUMNS, VALUES = 7094, 7095, 7096


def some(draw, size, share=0.5):
    return [place for place in range(size) if draw.random() < share]


def matrix_of(draw, size=SIZE):
    entries = [(i, j, draw.randint(-9, 9)) for i in some(draw, size) for j in some(draw, size, 0.3)]
    return gb.fill_matrix(gb.matrix(size, size), entries)


def vector_of(draw, size=SIZE):
    return gb.fill_vector(gb.vector(size), [(i, draw.randint(-9, 9)) for i in range(size) if draw.random() < 0.6])


def list_of(draw, count, distinct):
    """A vector that lists `count` indices, at places of its own; now and then one is out of range."""
    kind = draw.choice(KINDS[:4] if draw.random() < 0.8 else KINDS)
    indices = draw.sample(range(SIZE), count) if distinct else [draw.randrange(SIZE) for _ in range(count)]
    if draw.random() < 0.06 and indices:
        indices[0] = draw.choice((SIZE, -1)) if kind.startswith("INT") else SIZE
    size = draw.choice((count, count + 5)) or 1
    listed = gb.vector(size, kind)
    places = sorted(draw.sample(range(size), count))
    return gb.fill_vector(listed, zip(places, indices), kind)


def scalar_of(draw):
    made = ctypes.c_void_p()
    gb.need("GrB_Scalar_new", ctypes.byref(made), gb.predefined("GrB_FP64"))
    if draw.random() < 0.8:
        gb.need("GrB_Scalar_setElement_FP64", made, ctypes.c_double(draw.randint(-9, 9)))
    return made


def descriptor_of(draw):
    if draw.random() < 0.5:
        return None
    made = ctypes.c_void_p()
    gb.need("GrB_Descriptor_new", ctypes.byref(made))
    for field, value, share in ((0, 1, 0.5), (1, 2, 0.3), (1, 4, 0.3), (2, 3, 0.3), (ROWS, USE_INDICES, 0.1),
                                (COLUMNS, USE_INDICES, 0.1), (VALUES, USE_INDICES, 0.1)):
        if draw.random() < share:
            gb.need("GrB_Descriptor_set", made, field, value)
    return made


def mask_of(draw, kind, size=SIZE):
    if draw.random() < 0.5:
        return None
    return matrix_of(draw, size) if kind == "Matrix" else vector_of(draw, size)


def extract(draw, accum, desc):
    count = draw.randrange(1, SIZE)
    listed = list_of(draw, count, False)
    what = draw.choice(("Vector", "Col", "Matrix"))
    if what == "Matrix":
        into = gb.fill_matrix(gb.matrix(count, count), [(i, i, 1.0) for i in range(0, count, 2)])
        words = ("GxB_Matrix_extract_Vector", into, None, accum, matrix_of(draw), listed, list_of(draw, count, False), desc)
        return "Matrix", into, words
    into = vector_of(draw, count)
    mask = mask_of(draw, "Vector", count)
    if what == "Vector":
        return "Vector", into, ("GxB_Vector_extract_Vector", into, mask, accum, vector_of(draw), listed, desc)
    return "Vector", into, ("GxB_Col_extract_Vector", into, mask, accum, matrix_of(draw), listed,
                            gb.index(draw.randrange(SIZE)), desc)


def assign(draw, accum, desc):
    count = draw.randrange(1, SIZE)
    listed = list_of(draw, count, True) if draw.random() < 0.9 else None
    count = count if listed else SIZE
    what = draw.choice(("Vector", "Vector_Scalar", "Row", "Col", "Matrix", "Matrix_Scalar"))
    region = draw.choice(("assign", "subassign"))
    mask = mask_of(draw, "Matrix" if what.startswith("Matrix") else "Vector", count if region == "subassign" else SIZE)
    form = "_Scalar" if what.endswith("Scalar") else ""
    if what.startswith("Vector"):
        into, given = vector_of(draw), scalar_of(draw) if form else vector_of(draw, count)
        return "Vector", into, (f"GxB_Vector_{region}{form}_Vector", into, mask, accum, given, listed, desc)
    into = matrix_of(draw)
    if what in ("Row", "Col"):
        line, given = gb.index(draw.randrange(SIZE)), vector_of(draw, count)
        lists = (line, listed) if what == "Row" else (listed, line)
        return "Matrix", into, (f"GxB_{what}_{region}_Vector", into, mask, accum, given, *lists, desc)
    given = scalar_of(draw) if form else matrix_of(draw, count)
    columns = list_of(draw, count, True) if listed else None
    return "Matrix", into, (f"GxB_Matrix_{region}{form}_Vector", into, mask, accum, given, listed, columns, desc)


def build(draw, accum, desc):
    count = draw.randrange(1, SIZE)
    distinct = draw.random() < 0.5
    lists = [list_of(draw, count, distinct)]
    kind = draw.choice(("Vector", "Matrix"))
    into = gb.vector(SIZE) if kind == "Vector" else gb.matrix(SIZE, SIZE)
    if kind == "Matrix":
        lists.append(list_of(draw, count if draw.random() < 0.9 else count + 1, False))
    if draw.random() < 0.3:
        return kind, into, (f"GxB_{kind}_build_Scalar_Vector", into, *lists, scalar_of(draw), desc)
    combined = draw.random() < 0.7
    # Where all but a few values are equal, and duplicates take those away, 10.4 makes an iso object and 10.5 does not.
    value_kind = draw.choice(("FP64", "INT32") if combined else ("FP64", "INT32", "BOOL"))
    one = draw.random() < 0.3
    values = gb.fill_vector(gb.vector(count, value_kind), [(i, 1 if one else draw.randint(-9, 9)) for i in range(count)],
                            value_kind)
    if one:  # one value for all of them, in SuiteSparse's own form, too
        gb.need(f"GrB_Vector_assign_{value_kind}", values, None, None, gb.TYPES[value_kind](1), gb.predefined("GrB_ALL"),
                gb.index(count), None)
    dup = gb.predefined(f"GrB_{draw.choice(('PLUS', 'SECOND', 'MAX'))}_{value_kind}") if combined else None
    return kind, into, (f"GxB_{kind}_build_Vector", into, *lists, values, dup, desc)


def main():
    gb.need("GrB_init", 0)
    for case in range(600):
        draw = random.Random(case)
        accum = gb.predefined("GrB_PLUS_FP64") if draw.random() < 0.3 else None
        kind, into, words = draw.choice((extract, assign, build))(draw, accum, descriptor_of(draw))
        info = gb.call(*words)
        print(case, words[0], info)
        if info == 0:
            gb.show_entries(str(case), kind, into)
        elif "build" in words[0]:
            continue
        for word in words[1:]:
            if isinstance(word, ctypes.c_void_p) and word is into:
                gb.need(f"GrB_{kind}_free", ctypes.byref(word))
    gb.need("GrB_finalize")


if __name__ == "__main__":
    main()
