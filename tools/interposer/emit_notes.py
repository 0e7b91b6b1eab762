"""Emits the wrappers of functions that make or free types and operators: their definition texts are recorded for the
device, because the library cannot be asked for them later (src/capi/decode.h).

All of them are (object *, [function], sizes and types..., [name], [definition]), in every version.
"""

import re

_MAKES = re.compile(r"(?:GrB|GxB|GB)_(Type|UnaryOp|BinaryOp|IndexUnaryOp|IndexBinaryOp)_new(?:_arena)?")
# These make a binary operator from an index-binary operator and a scalar, which is read when they have succeeded.
_BINDS = re.compile(r"GxB_BinaryOp_new_IndexOp(?:_arena)?")
_NOTES = {"Type": "note_type", "UnaryOp": "note_unary_op", "BinaryOp": "note_binary_op",
          "IndexUnaryOp": "note_index_unary_op", "IndexBinaryOp": "note_index_binary_op"}
FREES_TYPE = "GrB_Type_free"


def is_noted(function):
    return bool(_MAKES.fullmatch(function.name) or _BINDS.fullmatch(function.name)) or function.name == FREES_TYPE


def _note(function):
    """`decode::note_...(*object, what it was made of, name, definition)`."""
    target, rest = function.parameters[0], list(function.parameters[1:])
    if _BINDS.fullmatch(function.name):
        return f"decode::note_bound_index_op(*{target.name}, {rest[0].name}, {rest[1].name})"
    texts = [parameter.name for parameter in rest if parameter.base == "char"]
    made_of = [parameter.name for parameter in rest if parameter.base in ("GrB_Type", "size_t")]
    texts += ["nullptr"] * (2 - len(texts))
    kind = _MAKES.fullmatch(function.name)[1]
    if kind != "Type":
        [function_name] = [parameter.name for parameter in rest if parameter.base.endswith("_function")]
        texts = ["{reinterpret_cast<const void*>(" + function_name + "), " + ", ".join(texts) + "}"]
    return f"decode::{_NOTES[kind]}({', '.join([f'*{target.name}', *made_of, *texts])})"


def lines(function, real_call, hook):
    """The body after the checks. `hook`: the lines that declare a Call, for a function that reads a scalar."""
    if function.name == FREES_TYPE:
        name = function.parameters[0].name
        return [f"  if (passes()) return {real_call};",
                f"  if ({name} != nullptr) noted([&] {{ cugrb::mirror::forget_type(*{name}); }});", f"  return {real_call};"]
    called = [f"  const GrB_Info info = {real_call};"]
    if hook:
        called = [*hook, "  if (!call.restore()) return call.info;", f"  const GrB_Info info = call.finish({real_call});"]
    return [f"  if (passes() || !mode.device) return {real_call};", *called,
            f"  if (info == GrB_SUCCESS) noted([&] {{ {_note(function)}; }});", "  return info;"]
