"""The GraphBLAS that is loaded in this process, by ctypes; programs here print what can be seen of its objects."""

import ctypes

LIBRARY = ctypes.CDLL(None)
HANDLE = ctypes.c_void_p
TYPES = {"BOOL": ctypes.c_bool, "INT8": ctypes.c_int8, "INT32": ctypes.c_int32, "INT64": ctypes.c_int64,
         "UINT32": ctypes.c_uint32, "UINT64": ctypes.c_uint64, "FP32": ctypes.c_float, "FP64": ctypes.c_double}
PANIC = -101  # what libcugrb answers where the real library lacks a function
#: Fields of GrB_get: orientation, type, form, control, hash of names, hints for widths, widths, whether work is pending,
#: read-only, one value for all, arenas. Which of them there are depends on the version.
FIELDS = (100, 102, 7002, 7034, 7036, 7048, 7053, 7054, 7056, 7057, 7058, 7059, 7076, 7078, 7079, 7105, 7106)


def index(number):
    return ctypes.c_uint64(number)


def predefined(name):
    return HANDLE.in_dll(LIBRARY, name)


def call(name, *arguments):
    """The GrB_Info of a call."""
    function = getattr(LIBRARY, name)
    function.restype = ctypes.c_int
    return function(*arguments)


def has(name):
    """Whether the real library has the function; libcugrb exports those of all versions."""
    try:
        return call(name, *[None] * 12) != PANIC
    except AttributeError:
        return False


def need(name, *arguments):
    info = call(name, *arguments)
    if info != 0:
        raise RuntimeError(f"{name}: {info}")


def matrix(rows, columns, kind="FP64"):
    made = HANDLE()
    need("GrB_Matrix_new", ctypes.byref(made), predefined(f"GrB_{kind}"), index(rows), index(columns))
    return made


def vector(size, kind="FP64"):
    made = HANDLE()
    need("GrB_Vector_new", ctypes.byref(made), predefined(f"GrB_{kind}"), index(size))
    return made


def fill_matrix(into, entries, kind="FP64"):
    for row, column, value in entries:
        need(f"GrB_Matrix_setElement_{kind}", into, TYPES[kind](value), index(row), index(column))
    need("GrB_Matrix_wait", into, 1)
    return into


def fill_vector(into, entries, kind="FP64"):
    for place, value in entries:
        need(f"GrB_Vector_setElement_{kind}", into, TYPES[kind](value), index(place))
    need("GrB_Vector_wait", into, 1)
    return into


def entries_of(kind, thing):
    count = index(0)
    need(f"GrB_{kind}_nvals", ctypes.byref(count), thing)
    rows, columns = (ctypes.c_uint64 * count.value)(), (ctypes.c_uint64 * count.value)()
    values = (ctypes.c_double * count.value)()
    lists = (rows, columns) if kind == "Matrix" else (rows,)
    need(f"GrB_{kind}_extractTuples_FP64", *lists, values, ctypes.byref(count), thing)
    return list(zip(*(list(numbers) for numbers in lists), values))


def iso(kind, thing):
    answer = ctypes.c_bool()
    need(f"GxB_{kind}_iso", ctypes.byref(answer), thing)
    return answer.value


def show_entries(what, kind, thing):
    print(what, "one value" if iso(kind, thing) else "values", sorted(entries_of(kind, thing)), flush=True)


def show_settings(what, thing, kind="Matrix"):
    """What GrB_get says of an object (SuiteSparse 9 and later)."""
    seen, number = [], ctypes.c_int32()
    for field in FIELDS:
        info = call(f"GrB_{kind}_get_INT32", thing, ctypes.byref(number), field)
        seen.append(f"{field}: {number.value if info == 0 else f'info {info}'}")
    text = ctypes.create_string_buffer(256)
    seen.append(f"name: {call(f'GrB_{kind}_get_String', thing, text, 10)} {text.value.decode()}")
    count = index(0)
    need(f"GrB_{kind}_nvals", ctypes.byref(count), thing)
    print(what, f"{count.value} entries", *seen, sep="; ", flush=True)
