"""The role of every parameter: what the interposer must do with it before and after a forwarded call.

A role cannot be read off const and position alone, so nothing is guessed: a data handle (GrB_Scalar, GrB_Vector,
GrB_Matrix, GxB_Container) that is not a plain `const` input must be matched by a reviewed family below, and every other parameter
must be of a type that is listed. What is not classified stops the configuration.

Roles of data handles:
  input      read: its content is brought to the host first
  inout      read and changed: brought to the host first, the device copy is stale afterwards
  output     replaced as a whole: nothing is brought down, the device copy goes once the call has succeeded
  metadata   only what the hollow object knows too: type, dimensions, error text
  freed      pointer to a handle that the call destroys: its mirror goes first
  exported   pointer to a handle whose content is taken and which is destroyed (or consumed) by the call
  created    pointer to a handle that the call makes
  attached   read through raw pointers after the call as well (iterators)
  inputs, creates   arrays of handles, of length `length`
  container  GxB_Container, an object that holds vectors (10 and later): what it holds is read and changed
  dismantled pointer to a container that the call destroys, with the vectors in it
"""

import dataclasses
import re

# A GrB_Scalar is a 1 x 1 object to SuiteSparse, whose handle programs cast to a vector's or a matrix's.
DATA = ("GrB_Scalar", "GrB_Vector", "GrB_Matrix", "GxB_Container")

# Types of parameters that need no hook.
PLAIN = frozenset("""
    GrB_Type GrB_UnaryOp GrB_BinaryOp GrB_IndexUnaryOp GxB_SelectOp GxB_IndexBinaryOp GrB_Monoid
    GxB_unary_function GxB_binary_function GxB_index_unary_function GxB_index_binary_function GxB_select_function
    GxB_print_function
    GrB_Semiring GrB_Descriptor GrB_Global GxB_Context GxB_Iterator GrB_Index GxB_FC32_t GxB_FC64_t FILE bool char
    double float int int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t void function
""".split()) | {"unsigned int"}

_T = r"(_(BOOL|U?INT(8|16|32|64)|FP(32|64)|FC(32|64)|UDT|Scalar))?"
_OBJECT = r"(Vector|Matrix)"
_ANY = r"(Scalar|Vector|Matrix)"

# (function, {parameter's position: role}). The first match counts; the positions are those of the C prototype.
FAMILIES = (
    # life and death
    (rf"(GrB|GxB)_{_ANY}_new(_arena)?", {0: "created"}),
    (rf"(GrB|GxB)_{_ANY}_dup(_arena)?", {0: "created"}),
    (rf"(GrB|GxB)_{_ANY}_free", {0: "freed"}),
    (rf"GxB_{_ANY}_set_arenas", {0: "exported"}),  # the handle itself may move
    (r"GrB_Matrix_diag|GxB_Matrix_diag_arena", {0: "created"}),
    (r"GxB_Matrix_reshapeDup(_arena)?", {0: "created", 1: "input"}),
    (rf"(GrB|GxB)_{_OBJECT}_deserialize(_arena)?", {0: "created"}),
    (rf"(GrB|GxB)_Matrix_import({_T}|_(Hyper)?CS[RC]|_(Bitmap|Full)[RC])", {0: "created"}),
    (r"GxB_Vector_import_(CSC|Bitmap|Full)", {0: "created"}),
    (r"GxB_Matrix_export(_(Hyper)?CS[RC]|_(Bitmap|Full)[RC])", {0: "exported"}),
    (r"GxB_Vector_export_(CSC|Bitmap|Full)", {0: "exported"}),
    # the whole content is replaced or taken
    (rf"(GrB|GxB)_{_ANY}_clear", {0: "output"}),
    (rf"(GrB|GxB)_Scalar_setElement{_T}", {0: "output"}),
    (rf"GrB_{_OBJECT}_extractElement_Scalar", {0: "output"}),
    (rf"GrB_{_ANY}_get_Scalar", {0: "input", 1: "output"}),
    (r"(GrB|GxB)_\w+_get_Scalar", {1: "output"}),
    # scalars that are read although they are not const
    (r"GxB_Vector_build_Scalar(_Vector)?|GrB_Vector_build_Scalar_Vector", {0: "inout", 2: "input"}),
    (r"GxB_Matrix_build_Scalar(_Vector)?|GrB_Matrix_build_Scalar_Vector", {0: "inout", 3: "input"}),
    (rf"GrB_{_OBJECT}_setElement_Scalar", {0: "inout", 1: "input"}),
    (rf"(GrB|GxB)_{_OBJECT}_(assign|subassign)_Scalar(_Vector)?", {0: "inout", 3: "input"}),
    (rf"(GrB|GxB)_{_ANY}_set_Scalar", {0: "input", 1: "input"}),
    (r"(GrB|GxB)_\w+_set_Scalar", {1: "input"}),
    (r"GxB_BinaryOp_new_IndexOp(_arena)?", {2: "input"}),
    (r"GxB_Scalar_wait", {0: "inputs"}),
    (r"GxB_(Matrix|Vector)_pack(_(Hyper)?CS[RC]|_(Bitmap|Full)[RC]?)", {0: "output"}),
    (r"GxB_(Matrix|Vector)_unpack(_(Hyper)?CS[RC]|_(Bitmap|Full)[RC]?)", {0: "inout"}),
    (r"GxB_unpack_HyperHash", {0: "inout", 1: "created"}),
    (r"GxB_pack_HyperHash", {0: "inout", 1: "exported"}),
    # readers whose handle is not const
    (rf"(GrB|GxB)_Matrix_export{_T}", {7: "input"}),
    (r"GrB_Matrix_exportSize", {4: "input"}),
    (r"GrB_Matrix_exportHint", {1: "input"}),
    (rf"(GrB|GxB)_{_OBJECT}_serialize(_arena)?", {2: "input"}),
    (r"GrB_Matrix_serializeSize", {1: "input"}),
    (rf"GxB_{_ANY}_fprint", {0: "input"}),
    (rf"GxB_{_OBJECT}_Option_(get|set){_T}(_(INT32|FP64)_ARRAY)?", {0: "input"}),
    (rf"GrB_{_ANY}_(get_(String|SIZE)|set_String)", {0: "metadata"}),  # names and types: hollow objects have them
    (rf"GrB_{_ANY}_((get|set)_(INT32|VOID))", {0: "input"}),
    (r"(GB|GxB)_((row|col)?Iterator|(Matrix|Vector)_Iterator)_attach", {1: "attached"}),
    # a wait may stay lazy: what is on the device has no pending work in the host object
    (rf"GrB_{_ANY}_wait", {0: "metadata"}),
    # the first handle is read (old content, accumulator, mask) and changed
    (rf"(GrB|GxB)_{_OBJECT}_(build|setElement){_T}", {0: "inout"}),
    (rf"GrB_{_OBJECT}_removeElement", {0: "inout"}),
    (rf"(GrB|GxB)_{_OBJECT}_resize", {0: "inout"}),
    (r"GxB_Matrix_reshape", {0: "inout"}),
    (rf"GxB_{_OBJECT}_diag", {0: "inout"}),
    (rf"GxB_{_OBJECT}_sort", {0: "inout", 1: "inout", 3: "input"}),
    (r"GrB_(mxm|mxv|vxm|transpose)", {0: "inout"}),
    (rf"(GrB|GxB)_{_OBJECT}_eWise(Add|Mult|Union)(_(Semiring|Monoid|BinaryOp))?", {0: "inout"}),
    (rf"(GrB|GxB)_({_OBJECT}|Col|Row)_(extract|assign|subassign){_T}", {0: "inout"}),
    (rf"(GrB|GxB)_({_OBJECT}|Col|Row)_(extract|assign|subassign|build)(_Scalar)?_Vector", {0: "inout"}),
    (rf"(GrB|GxB)_{_OBJECT}_apply(_(BinaryOp1st|BinaryOp2nd|IndexOp))?{_T}", {0: "inout"}),
    (rf"(GrB|GxB)_{_OBJECT}_select{_T}", {0: "inout"}),
    (rf"GrB_{_OBJECT}_reduce_(Monoid|BinaryOp)(_Scalar)?", {0: "inout"}),
    (r"GxB_kron|GrB_Matrix_kronecker_(BinaryOp|Monoid|Semiring)", {0: "inout"}),
    (r"GxB_Matrix_concat", {0: "inout", 1: "inputs"}),
    (r"GxB_Matrix_split(_arena)?", {0: "creates"}),
    # 10: vectors as index lists, containers, loading and unloading of arrays
    (r"GxB_Matrix_extractTuples_Vector", {0: "inout", 1: "inout", 2: "inout"}),
    (r"GxB_Vector_extractTuples_Vector", {0: "inout", 1: "inout"}),
    (r"GxB_Vector_load", {0: "output"}),
    (r"GxB_Vector_unload", {0: "inout"}),
    (r"GxB_Container_new(_arena)?", {0: "container"}),
    (r"GxB_Container_free", {0: "dismantled"}),
    (r"GxB_load_(Matrix|Vector)_from_Container", {0: "output", 1: "container"}),
    (r"GxB_unload_(Matrix|Vector)_into_Container", {0: "inout", 1: "container"}),
)

# Const handles of which only the type, the dimensions or the error text are wanted.
METADATA = re.compile(rf"(GrB_Matrix_n(rows|cols)|GrB_Vector_size|(GrB|GxB)_{_ANY}_(type|type_name|error))")

# Length of an array of handles, in the names of the function's own parameters.
ARRAY_LENGTH = {"GxB_Matrix_concat": "m * n", "GxB_Matrix_split": "m * n", "GxB_Matrix_split_arena": "m * n",
                "GxB_Scalar_wait": "1"}


class UnclassifiedParameter(Exception):
    """A parameter that no reviewed rule covers."""


@dataclasses.dataclass(frozen=True)
class Handle:
    """A data handle among a function's parameters; `kind` is its type's name."""
    name: str
    role: str
    kind: str
    length: str = ""


def _family(function):
    for pattern, roles in FAMILIES:
        if re.fullmatch(pattern, function.name):
            return roles
    return {}


def _role(function, position, parameter, family):
    if position in family:
        if parameter.is_const and parameter.pointers == 0 and family[position] in ("inout", "output"):
            raise UnclassifiedParameter(f"{function.name}: FAMILIES calls parameter {position} an output, but it is const")
        return family[position]
    if parameter.is_const and parameter.pointers == 0:
        return "metadata" if METADATA.fullmatch(function.name) else "input"
    raise UnclassifiedParameter(
        f"{function.name}: parameter {position} ('{parameter.spelling}') has no role; "
        "review it and add the function to FAMILIES in tools/interposer/roles.py")


def _check_family(function, family):
    """A family that names a position without a data handle does not describe this function."""
    for position in family:
        if position >= len(function.parameters) or function.parameters[position].base not in DATA:
            raise UnclassifiedParameter(f"{function.name}: FAMILIES gives parameter {position} a role, but that is no "
                                        "matrix, vector or scalar in this header")


def handles(function, header):
    """The data handles of a function, with their roles. Raises UnclassifiedParameter."""
    family = _family(function)
    _check_family(function, family)
    found = []
    for position, parameter in enumerate(function.parameters):
        if parameter.base in DATA:
            role = _role(function, position, parameter, family)
            found.append(Handle(parameter.name, role, parameter.base, ARRAY_LENGTH.get(function.name, "")))
        elif not (parameter.base in PLAIN or parameter.base in header.enums or parameter.base in header.callbacks):
            raise UnclassifiedParameter(f"{function.name}: parameter {position} ('{parameter.spelling}') is of an "
                                        "unknown type; add it to PLAIN or DATA in tools/interposer/roles.py")
    return tuple(found)


def classify(header):
    """{function name: data handles}, complete, or an UnclassifiedParameter with every complaint."""
    table, complaints = {}, []
    for function in header.functions:
        try:
            table[function.name] = handles(function, header)
        except UnclassifiedParameter as complaint:
            complaints.append(str(complaint))
    if complaints:
        raise UnclassifiedParameter("\n".join(complaints))
    return table
