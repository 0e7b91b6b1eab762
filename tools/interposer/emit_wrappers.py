"""Emits the exported C functions: forward, or restore the arguments, call, and mark what has changed.

The shapes:
  no data handle            return real.f(...)
  by hand                   GrB_init, GxB_init, GrB_finalize: src/capi/library.cpp
  makers of operators       the real function, then a note of the definition text (emit_notes.py)
  metadata only             a Query around the real function: nothing moves, and nothing may move meanwhile
  data handles              a Call (src/capi/call.h) around the real function, after the device has had its chance; where there is
                            a way past all that (src/capi/straight.h), in a function behind the exported one
"""

import emit_notes
import emit_offload
import operations

BY_HAND = frozenset(("GrB_init", "GxB_init", "GrB_finalize"))

# A call with one of these roles only, or with scalars only, is bookkeeping: it is not traced.
UNTRACED = frozenset(("metadata", "freed", "created", "creates", "container", "dismantled"))


def _parameters(function):
    parameters = [parameter.spelling for parameter in function.parameters]
    if function.variadic:
        parameters.append("...")
    return ", ".join(parameters)


def _arguments(function):
    arguments = [parameter.name for parameter in function.parameters]
    if function.variadic:
        arguments += ["variadic.word", "variadic.real"]
    return ", ".join(arguments)


def _read_variadic(function):
    if not function.variadic:
        return []
    last = function.parameters[-1].name
    return ["  va_list list;", f"  va_start(list, {last});", "  const Variadic variadic = Variadic::read(list);",
            "  va_end(list);"]


def _handle(handle):
    if handle.role in ("inputs", "creates"):
        return f"{handle.role}({handle.name}, static_cast<uint64_t>({handle.length}))"
    return f"{handle.role}({handle.name})"


def _is_traced(handles):
    return any(handle.role not in UNTRACED and handle.kind != "GrB_Scalar" for handle in handles)


def _straight(handles, index, offloaded):
    """The condition of the way past everything, for calls that nothing is to be done for. None where roles do not tell what is
    read."""
    if any(handle.role not in ("input", "inout", "output", "created", "freed") for handle in handles):
        return None
    words = {"input": "Reads", "inout": "Writes", "output": "Writes", "freed": "Frees"}
    arguments = [f"{words[handle.role]}{'(' if handle.role == 'freed' else '{'}{handle.name}{')' if handle.role == 'freed' else '}'}"
                 for handle in handles if handle.role in words]
    flags = ", ".join("true" if flag else "false" for flag in (_is_traced(handles), offloaded))
    return f"goes_straight<{index}, {flags}>({', '.join(arguments)})"


def _hook(function, handles, index):
    """Declares the Call that the function's data handles go through, and tells it the operator."""
    traced = _is_traced(handles)
    lines = [f"  const Handle handles[] = {{{', '.join(_handle(handle) for handle in handles)}}};",
             f"  Call call({index}, handles, {'true' if traced else 'false'});"]
    operators = [parameter.name for parameter in function.parameters
                 if parameter.base in operations.OPERATORS and parameter.pointers == 0 and parameter.name != "accum"]
    if traced and operators:
        lines.append(f"  if (call.watched()) [[unlikely]] call.operates({operators[0]});")
    return lines


def _offer(function):
    """Offers the call to the device."""
    name, target = function.name, emit_offload.target(function)
    if not target:
        offered, prepared = _arguments(function), []
    else:
        w, mask, accum, descriptor = (parameter.name for parameter in target)
        others = [parameter.name for parameter in emit_offload.beside_target(function)]
        real_arguments = ", ".join(["out"] + [parameter.name for parameter in function.parameters[1:]])
        prepared = [f"    const auto real_into = [=]({target[0].base} out) {{ return cugrb::real::table().{name}({real_arguments}); }};"]
        offered = ", ".join([f"{{{w}, {mask}, {accum}, {descriptor}, real_into}}", *others])
    return ["  if (call.device()) {", *prepared,
            f"    if (const Outcome outcome = offload::{name}({offered})) return call.ran_on_device(*outcome);", "  }"]


def _hooked(function, handles, index, offloaded):
    """The way of a call for which something may have to be done."""
    real_call = f"real.{function.name}({_arguments(function)})"
    lines = _hook(function, handles, index)
    if offloaded:
        lines += _offer(function)
    lines.append("  if (!call.restore()) return call.info;")
    if makes_place(function, handles):
        lines.append(f"  return call.finish_made({real_call}, __builtin_return_address(0));")
    else:
        lines.append(f"  return call.finish({real_call});")
    return lines


def goes_straight(function, handles, offloaded):
    """Whether there is a way past everything. Then the other way is a function of its own (hooked), so that the
    exported one saves few registers."""
    return (function.result == "GrB_Info" and bool(handles) and not function.variadic and not emit_notes.is_noted(function)
            and not _is_query(handles, offloaded) and not makes_place(function, handles)
            and _straight(handles, 0, offloaded) is not None)


def hooked(function, handles, index, offloaded):
    """The definition of the function behind the exported one."""
    lines = [f"[[gnu::noinline]] static {function.result} {function.name}({_parameters(function)}) {{",
             "  const cugrb::real::Functions& real = cugrb::real::detail::functions;"]
    return "\n".join(lines + _hooked(function, handles, index, offloaded) + ["}"])


def makes_place(function, handles):
    """Whether a program's loops are known by its calls of the function: it makes an empty vector or matrix."""
    return [handle.role for handle in handles] == ["created"] and handles[0].kind != "GrB_Scalar" and "_new" in function.name


def _is_query(handles, offloaded):
    return len(handles) == 1 and handles[0].role == "metadata" and not offloaded


def _query(function, handles):
    real_call = f"real.{function.name}({_arguments(function)})"
    lines = [f"  if (passes()) return {real_call};", f"  const Query query({handles[0].name});"]
    if function.name.endswith("_error"):
        lines.append(f"  if (query.answers({function.parameters[0].name})) return GrB_SUCCESS;")
    if function.name.endswith("_wait"):
        lines.append("  query.clears_error_text();")
    return lines + [f"  return {real_call};"]


def wrapper(function, handles, index, offloaded):
    """The definition of one exported function."""
    name = function.name
    lines = [f'{function.result} {name}({_parameters(function)}) {{', "  CUGRB_GATE;"]
    lines += _read_variadic(function)
    lines.append(f"  if (real.{name} == nullptr) [[unlikely]] return missing<{function.result}>();")
    if emit_notes.is_noted(function):
        hook = _hook(function, handles, index) if handles else []
        lines += emit_notes.lines(function, f"real.{name}({_arguments(function)})", hook)
    elif _is_query(handles, offloaded):
        lines += _query(function, handles)
    elif goes_straight(function, handles, offloaded):
        arguments = _arguments(function)
        lines += [f"  if (passes() || {_straight(handles, index, offloaded)}) [[likely]]", f"    return real.{name}({arguments});",
                  f"  return hooked::{name}({arguments});"]
    elif function.result == "GrB_Info" and handles:
        lines += [f"  if (passes()) return real.{name}({_arguments(function)});"]
        lines += _hooked(function, handles, index, offloaded)
    elif handles:
        raise ValueError(f"{name} takes matrices, vectors or scalars and returns no GrB_Info: the interposer needs a new shape")
    else:
        lines.append(f"  return real.{name}({_arguments(function)});")
    lines.append("}")
    return "\n".join(lines)


def wrapper_files(header, table, offloaded, files):
    """The texts of `files` source files that together define every exported function but those made by hand."""
    texts, behind = [[] for _ in range(files)], [[] for _ in range(files)]
    for index, function in enumerate(header.functions):
        if function.name in BY_HAND:
            continue
        # Neighbours in the header differ in cost little: deal them out in turn.
        handles, is_offloaded = table[function.name], function.name in offloaded
        texts[index % files].append(wrapper(function, handles, index, is_offloaded))
        if goes_straight(function, handles, is_offloaded):
            behind[index % files].append(hooked(function, handles, index, is_offloaded))
    return [_file(*parts) for parts in zip(texts, behind)]


def _file(wrappers, behind):
    return "\n".join([
        "// Generated by tools/interposer from declarations.txt. The shapes are explained in",
        "// tools/interposer/emit_wrappers.py; what a Call does, in src/capi/call.h.",
        '#include "src/capi/wrapper.h"', "",
        "namespace hooked {", "", "\n\n".join(behind), "", "}  // namespace hooked", "",
        'extern "C" {',
        '#pragma GCC visibility push(default)', "",
        "\n\n".join(wrappers), "",
        "#pragma GCC visibility pop",
        '}  // extern "C"', ""])


def version_script(header):
    """The linker's export map: the API's names, cuGrB's own, and dlsym (src/capi/dlsym.cpp); nothing else."""
    names = sorted([function.name for function in header.functions] + ["cugrb_*", "dlsym"])
    return "{\n  global:\n" + "".join(f"    {name};\n" for name in names) + "  local: *;\n};\n"
