"""Reads operations.def: where each function runs that takes a matrix, a vector or a scalar. The table explains itself."""

import dataclasses
import fnmatch
import itertools
import re

COLUMNS = {"OPERATION": ("operation", "where", "output", "inputs", "operator", "lists"),
           "METADATA": ("why",), "HOST": ("why",), "FORWARDED": ("why",)}
PLACES = ("placed", "resident")
OPERATORS = ("GrB_Semiring", "GrB_Monoid", "GrB_BinaryOp", "GrB_UnaryOp", "GrB_IndexUnaryOp", "GxB_SelectOp")
OUTPUTS = ("inout", "output", "created", "creates")
MASKS = ("mask", "Mask", "M")  # names of the parameter


class OperationError(Exception):
    """A row contradicts another one, or the declarations."""


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of the table; `functions` are the declared names that it stands for, in its order."""
    kind: str
    names: str
    columns: dict
    functions: tuple = ()


def expand(text):
    """`a_{b,c}` as ["a_b", "a_c"]."""
    parts = re.split(r"\{([^}]*)\}", text)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def _split(text):
    """Splits at the commas outside braces."""
    return [part.strip() for part in re.split(r",(?![^{]*\})", text)]


def _row(line, number):
    match = re.fullmatch(r"(\w+)\((.*)\)", line)
    if not match or match[1] not in COLUMNS:
        raise OperationError(f"line {number}: '{line}' is no row: {', '.join(COLUMNS)} are the kinds")
    columns = COLUMNS[match[1]]
    names, *cells = _split(match[2])
    if match[1] != "OPERATION":
        cells = [", ".join(cells)] if cells else []
    if len(cells) != len(columns) or not names or not all(cells):
        raise OperationError(f"line {number}: {match[1]} takes (names, {', '.join(columns)})")
    return Row(match[1], names, dict(zip(columns, cells)))


def suffixes(types):
    """The built-in types {suffix: prefix}, of the text of types.def."""
    return {suffix: prefix for prefix, suffix in re.findall(r"^CUGRB_TYPE\((\w+), (\w+),", types, flags=re.MULTILINE)}


def of_type(family, suffix, prefix):
    """The function of a type: `GrB_x_TYPE` is `GxB_x_FC32` for a type of SuiteSparse's, whose functions are its own."""
    name = family.removesuffix("TYPE") + suffix
    return name if prefix == "GrB" else re.sub(r"^GrB_", prefix + "_", name)


def _patterns(row, types):
    names = [name for pattern in row.names.split() for name in expand(pattern)]
    return [name if suffix is None else of_type(name, suffix, types[suffix]) for name in names
            for suffix in (types if name.endswith("TYPE") else [None])]


def _matches(row, pattern, free, taken):
    """The functions that a pattern names. An operation's are declared, each of them; other rows take those there are."""
    if "*" in pattern:
        return [name for name in fnmatch.filter(free, pattern) if free[name] and not is_metadata(free[name])]
    if pattern in taken:
        raise OperationError(f"{pattern} is in two rows: {taken[pattern].names} and {row.names}")
    if pattern not in free and row.kind == "OPERATION":
        raise OperationError(f"{row.names}: no version declares {pattern}")
    return [pattern] if pattern in free else []


def _claim(row, patterns, free, taken):
    """The row with its functions. They go from `free`, {function: data handles}, to `taken`, {function: row}."""
    found = []
    for pattern in patterns:
        for name in _matches(row, pattern, free, taken):
            del free[name]
            taken[name] = row
            found.append(name)
    if not found:
        raise OperationError(f"{row.names}: no function is left for this row")
    return dataclasses.replace(row, functions=tuple(found))


def read(text, header, table, types):
    """The rows with their functions. Raises OperationError. `table`: {function: data handles}; `types`: {suffix: prefix}."""
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    rows = [_row(line, number) for number, line in lines if line and not line.startswith("//")]
    free, taken = dict(table), {}
    order = sorted(range(len(rows)), key=lambda i: "*" in rows[i].names)  # stable: names without * first
    for i in order:
        rows[i] = _claim(rows[i], _patterns(rows[i], types), free, taken)
    declared = {function.name: function for function in header.functions}
    for row in rows:
        if row.kind == "OPERATION":
            _check(row, declared, table)
    missing = [name for name, handles in free.items() if handles and not is_metadata(handles)]
    if missing:
        raise OperationError(f"no row says where these run: {', '.join(sorted(missing))}")
    return rows


def is_metadata(handles):
    """Whether nothing but type, size and error text is asked of a function's handles."""
    return bool(handles) and all(handle.role == "metadata" for handle in handles)


def offloaded(rows):
    """The names of the functions that the device is asked for."""
    return frozenset(name for row in rows if row.kind == "OPERATION" for name in row.functions)


def shape(function, handles):
    """What the function's declaration says in the table's words: {output, inputs, operator, lists}."""
    roles = {handle.name: handle.role for handle in handles}
    output, inputs, operator, lists = "", [], "-", []
    for parameter in function.parameters:
        kind = re.sub(r"^G.B_", "", parameter.base)
        if parameter.base == "GrB_Descriptor" or parameter.name in ("accum", "field", *MASKS):
            continue
        if parameter.base in OPERATORS:
            operator = kind
        elif parameter.name in ("I_vector", "J_vector") and roles[parameter.name] == "input":
            lists.append(parameter.name[0])
        elif roles.get(parameter.name) in OUTPUTS:
            output = kind
        elif parameter.name in roles:
            inputs.append(kind)
        elif parameter.base == "GrB_Index" and parameter.name in ("I", "J", "i", "j"):
            lists.append(parameter.name)
        elif parameter.base == "GrB_Index" and (output or not parameter.pointers):
            continue  # a length, or a count beside the output
        elif parameter.pointers and not parameter.is_const and not output:
            output = "value"
        else:
            inputs.append("value")
    if function.variadic and function.name.endswith("_get"):
        output = "value"
    elif function.variadic:
        inputs.append("value")
    return {"output": output or "-", "inputs": " ".join(inputs) or "-", "operator": operator,
            "lists": " ".join(lists) or "-"}


def _agrees(written, declared):
    """Whether each word of a column covers the declaration's."""
    covers = {"object": ("Vector", "Matrix"), "value": ("value", "Scalar")}
    written, declared = written.split(), declared.split()
    return len(written) == len(declared) and all(
        word in covers.get(cell, expand(cell)) for cell, word in zip(written, declared))


def _check(row, declared, table):
    if row.columns["where"] not in PLACES:
        raise OperationError(f"{row.names}: '{row.columns['where']}' is not one of {', '.join(PLACES)}")
    for name in row.functions:
        if declared[name].result != "GrB_Info" or not table[name]:
            raise OperationError(f"{row.names}: {name} has no matrix, vector or scalar to offload")
        for column, words in shape(declared[name], table[name]).items():
            if not _agrees(row.columns[column], words):
                raise OperationError(
                    f"{row.names}: {column} '{row.columns[column]}', but {name} is declared with '{words}'")
