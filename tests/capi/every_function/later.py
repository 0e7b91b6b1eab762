"""Calls of functions that SuiteSparse:GraphBLAS 7.4 does not have: through a table of pointers, because no installed header
declares them (later() in fixture.h)."""

import re

import arguments

# Fields of GrB_get and GrB_set by the type of the value, with a value to set: the sparsity control, the orientation, the
# hint for the width of row indices (10 and later; an error until then).
_NUMBERS = ((7036, 4), (100, 1), (7053, 64))
# Only to get: whether all values are one, the widths of the integers.
_FACTS = (7079, 7057, 7058, 7059)
_OBJECTS = {"Matrix": "x.A", "Vector": "x.u", "Scalar": "x.s", "BinaryOp": "x.binary", "UnaryOp": "x.unary",
            "IndexUnaryOp": "x.index_unary", "Monoid": "x.monoid", "Semiring": "x.semiring", "Type": "x.type",
            "Descriptor": "nullptr", "Global": "nullptr", "Context": "nullptr", "IndexBinaryOp": "nullptr"}


def _get_set(name, kind, verb, suffix):
    thing = _OBJECTS[kind]
    if suffix == "Scalar":
        value = {"get": "x.t", "set": "number"}[verb]
        lines = ["GrB_Scalar number = nullptr;", "GrB_Scalar_new(&number, GrB_INT32);",
                 "GrB_Scalar_setElement_INT32(number, 4);", "multiply_by_one(number);"]
        lines += [f"print_info(later().{name}({thing}, {value}, {field}));" for field, _ in _NUMBERS]
        lines += ['digest("scalar", x.t);', 'digest("number", number);', "GrB_Scalar_free(&number);"]
    elif suffix == "INT32" and verb == "get":
        lines = ["int32_t number = -1;"]
        for field in (*(field for field, _ in _NUMBERS), *_FACTS):
            lines += [f"print_info(later().{name}({thing}, &number, {field}));", 'std::printf("  %d\\n", number);']
    elif suffix == "INT32":
        lines = [f"print_info(later().{name}({thing}, {value}, {field}));" for field, value in _NUMBERS]
    elif suffix == "String":
        lines = ["char text[GxB_MAX_NAME_LEN] = \"a name\";", f"print_info(later().GrB_{kind}_set_String({thing}, text, 10));",
                 "std::memset(text, 0, sizeof text);", f"print_info(later().GrB_{kind}_get_String({thing}, text, 10));",
                 'std::printf("  %s\\n", text);']
    elif suffix == "SIZE":
        lines = ["size_t size = 0;", f"print_info(later().{name}({thing}, &size, 10));",
                 'std::printf("  %d\\n", static_cast<int>(size));']
    else:
        extra = ", 0" if verb == "set" else ""
        lines = [f"print_info(later().{name}({thing}, nullptr, 10{extra}));"]
    return lines + ([f'digest("object", {thing});'] if kind in ("Matrix", "Vector", "Scalar") else [])


def _by_vectors(function):
    """The forms whose index lists are vectors: rows in reverse order, so that every list matters."""
    choice = arguments.Arguments(function)
    given = []
    for position, parameter in enumerate(function["parameters"]):
        name, base = parameter["name"], parameter["base"]
        if name in ("I_vector", "J_vector"):
            given.append("x.reversed")
        elif name == "X_vector":
            given.append("x.f")
        elif base == "GrB_Index":
            given.append("2")
        elif name == "dup":
            given.append("x.binary")
        elif base in ("GrB_Scalar",):
            given.append("x.s")
        else:
            given.append(choice._one(position, parameter))  # pylint: disable=protected-access
    lines = [f"print_info(later().{function['name']}({', '.join(given)}));", *choice.after, 'digest("list", x.reversed);']
    if "_build" in function["name"]:
        lines = [f"{'GrB_Matrix' if 'Matrix' in function['name'] else 'GrB_Vector'}_clear({given[0]});", *lines]
    return lines


_TUPLES = ["GrB_Vector rows = nullptr, columns = nullptr, values = nullptr;", "GrB_Vector_new(&rows, GrB_UINT64, 0);",
           "GrB_Vector_new(&columns, GrB_UINT64, 0);", "GrB_Vector_new(&values, x.type, 0);"]
_TUPLES_END = ['digest("rows", rows);', 'digest("columns", columns);', 'digest("values", values);', "GrB_Vector_free(&rows);",
               "GrB_Vector_free(&columns);", "GrB_Vector_free(&values);"]
_CONTAINER = ["GxB_Container container = nullptr;", "print_info(later().GxB_Container_new(&container));"]
_CONTAINER_END = ["print_info(later().GxB_Container_free(&container));"]


def _container_round_trip(kind, thing):
    return [*_CONTAINER, f"print_info(later().GxB_unload_{kind}_into_Container({thing}, container, nullptr));",
            f'digest("emptied", {thing});',
            f"print_info(later().GxB_load_{kind}_from_Container({thing}, container, nullptr));", f'digest("loaded", {thing});',
            *_CONTAINER_END]


_LOADED = ["void* array = nullptr;", "GrB_Type type = nullptr;", "uint64_t count = 0, bytes = 0;", "int handling = 0;",
           "print_info(later().GxB_Vector_unload(x.f, &array, &type, &count, &bytes, &handling, nullptr));",
           'std::printf("  %d values, type %d\\n", static_cast<int>(count), type == x.type);', 'digest("unloaded", x.f);',
           "print_info(later().GxB_Vector_load(x.w, &array, type, count, bytes, handling, nullptr));", 'digest("loaded", x.w);']


def _index_op(name):
    tail = ", 0" if name.endswith("_arena") else ""
    return ["GxB_IndexBinaryOp by_place = nullptr;", "GrB_BinaryOp bound = nullptr;",
            "print_info(later().GxB_IndexBinaryOp_new(&by_place, weigh_by_place, GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64, "
            "nullptr, nullptr));",
            f"print_info(later().{name}(&bound, by_place, x.s{tail}));",
            "print_info(GrB_Matrix_eWiseAdd_BinaryOp(x.C, nullptr, nullptr, bound, x.A, x.B, nullptr));",
            'digest("output", x.C);', 'digest("theta", x.s);', "GrB_BinaryOp_free(&bound);",
            "later().GxB_IndexBinaryOp_free(&by_place);"]


def _serial(name):
    kind = "Matrix" if "Matrix" in name else "Vector"
    thing = "x.A" if kind == "Matrix" else "x.u"
    return ["void* blob = nullptr;", "GrB_Index size = 0;", f"GrB_{kind} made = nullptr;",
            f"print_info(later().GxB_{kind}_serialize_arena(&blob, &size, {thing}, 0, nullptr));",
            f"print_info(later().GxB_{kind}_deserialize_arena(&made, x.type, blob, size, 0, 0, nullptr));",
            'digest("made", made);', f"GrB_{kind}_free(&made);", "std::free(blob);"]


_FIXED = {
    "GxB_Matrix_extractTuples_Vector": [
        *_TUPLES, "print_info(later().GxB_Matrix_extractTuples_Vector(rows, columns, values, x.A, nullptr));", *_TUPLES_END],
    "GxB_Vector_extractTuples_Vector": [
        *_TUPLES, "print_info(later().GxB_Vector_extractTuples_Vector(rows, values, x.u, nullptr));", *_TUPLES_END],
    "GxB_Container_new": [*_CONTAINER, *_CONTAINER_END],
    "GxB_Container_free": [*_CONTAINER, *_CONTAINER_END],
    "GxB_Container_new_arena": ["GxB_Container container = nullptr;",
                                "print_info(later().GxB_Container_new_arena(&container, 0, 0));", *_CONTAINER_END],
    "GxB_Vector_load": _LOADED,
    "GxB_Vector_unload": _LOADED,
    "GxB_Matrix_new_arena": ["GrB_Matrix made = nullptr;", "print_info(later().GxB_Matrix_new_arena(&made, x.type, N, N, 0, 0));",
                             'digest("made", made);', "GrB_Matrix_free(&made);"],
    "GxB_Vector_new_arena": ["GrB_Vector made = nullptr;", "print_info(later().GxB_Vector_new_arena(&made, x.type, N, 0, 0));",
                             'digest("made", made);', "GrB_Vector_free(&made);"],
    "GxB_Scalar_new_arena": ["GrB_Scalar made = nullptr;", "print_info(later().GxB_Scalar_new_arena(&made, x.type, 0, 0));",
                             'digest("made", made);', "GrB_Scalar_free(&made);"],
    "GxB_Matrix_diag_arena": ["GrB_Matrix made = nullptr;", "print_info(later().GxB_Matrix_diag_arena(&made, x.u, 1, 0, 0));",
                              'digest("made", made);', "GrB_Matrix_free(&made);"],
    "GxB_Matrix_reshapeDup_arena": [
        "GrB_Matrix made = nullptr;", "print_info(later().GxB_Matrix_reshapeDup_arena(&made, x.A, true, 4, 9, 0, 0, nullptr));",
        'digest("made", made);', "GrB_Matrix_free(&made);"],
    "GxB_Matrix_split_arena": [
        "GrB_Matrix tiles[4] = {};", "const GrB_Index rows[] = {2, 4}, columns[] = {1, 5};",
        "print_info(later().GxB_Matrix_split_arena(tiles, 2, 2, rows, columns, x.A, 0, 0, nullptr));",
        'for (GrB_Matrix& tile : tiles) digest("tile", tile), GrB_Matrix_free(&tile);'],
}


def body(function):
    """The lines of a call, or None when no rule covers the function."""
    name = function["name"]
    if name in _FIXED:
        return _FIXED[name]
    if found := re.fullmatch(r"(?:GrB|GxB)_(\w+?)_(get|set)_(Scalar|INT32|String|SIZE|VOID)", name):
        if found[1] == "Serialized":
            return [f"print_info(later().{name}(nullptr, x.t, 10, 0));", 'digest("scalar", x.t);']
        return _get_set(name, *found.groups())
    if found := re.fullmatch(r"GxB_(un)?load_(Matrix|Vector)_(from|into)_Container", name):
        return _container_round_trip(found[2], "x.A" if found[2] == "Matrix" else "x.u")
    if name.startswith("GxB_BinaryOp_new_IndexOp"):
        return _index_op(name)
    if re.search("serialize_arena", name):
        return _serial(name)
    if found := re.fullmatch(r"GxB_(Matrix|Vector|Scalar)_(dup|set)_arenas?", name):
        thing = {"Matrix": "x.A", "Vector": "x.u", "Scalar": "x.s"}[found[1]]
        if found[2] == "set":
            return [f"print_info(later().{name}(&{thing}, 0, 0));", f'digest("object", {thing});']
        return [f"GrB_{found[1]} made = nullptr;", f"print_info(later().{name}(&made, {thing}, 0, 0));",
                'digest("made", made);', f"GrB_{found[1]}_free(&made);", f'digest("input", {thing});']
    if name.endswith("_Vector"):
        return _by_vectors(function)
    return None
