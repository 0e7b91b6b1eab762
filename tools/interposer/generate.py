#!/usr/bin/env python3
"""Generates the interposer from the declarations of all versions. Run by CMake when the project is configured.

    generate.py --declarations tools/interposer/declarations.txt --objects tools/interposer/objects.txt \
        --operations src/capi/operations.def --types semirings/types.def --output build/generated

Writes graphblas_functions.h, offload_functions.h, capi_wrappers_<k>.cpp, cugrb.map, roles.json and the stand-in for an
installed GraphBLAS (stand_in/GraphBLAS.h, stand_in/graphblas.c) into the output folder, each only when it has changed. Fails, naming the parameter, when a parameter of a declared function has no
reviewed role; and, naming the row, when the table of operations contradicts itself or the declarations.
"""

import argparse
import json
import pathlib
import sys

import declarations
import emit_header
import emit_offload
import emit_table
import emit_wrappers
import header as header_module
import objects
import operations
import roles


def roles_json(header, table, offloaded):
    """What the tests read: every function with its parameters and its handles' roles."""
    functions = [{
        "name": function.name,
        "result": function.result,
        "variadic": function.variadic,
        "since": function.since,
        "until": function.until,
        "offloaded": function.name in offloaded,
        "parameters": [{"type": parameter.type, "base": parameter.base, "name": parameter.name,
                        "pointers": parameter.pointers, "const": parameter.is_const}
                       for parameter in function.parameters],
        "handles": [{"name": handle.name, "role": handle.role} for handle in table[function.name]],
    } for function in header.functions]
    return json.dumps({"functions": functions}, indent=1) + "\n"


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--declarations", required=True, type=pathlib.Path)
    parser.add_argument("--objects", required=True, type=pathlib.Path, help="the predefined objects")
    parser.add_argument("--operations", required=True, type=pathlib.Path, help="where each function runs")
    parser.add_argument("--types", required=True, type=pathlib.Path, help="the built-in types of the device")
    parser.add_argument("--files", type=int, default=4, help="number of wrapper files")
    parser.add_argument("--output", required=True, type=pathlib.Path)
    return parser.parse_args()


def main():
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        header = declarations.read(options.declarations.read_text(encoding="utf-8"))
        table = roles.classify(header)
        rows = operations.read(options.operations.read_text(encoding="utf-8"), header, table,
                               operations.suffixes(options.types.read_text(encoding="utf-8")))
        offloaded = operations.offloaded(rows)
        predefined = objects.read(options.objects.read_text(encoding="utf-8"))
        wrappers = emit_wrappers.wrapper_files(header, table, offloaded, options.files)
    except operations.OperationError as error:
        print(f"interposer: {options.operations}: {error}", file=sys.stderr)
        return 1
    except objects.ObjectError as error:
        print(f"interposer: {options.objects}: {error}", file=sys.stderr)
        return 1
    except (header_module.HeaderError, roles.UnclassifiedParameter, ValueError) as error:
        print(f"interposer: {options.declarations}: {error}", file=sys.stderr)
        return 1
    write_if_changed(options.output / "graphblas_functions.h", emit_table.functions_header(header))
    write_if_changed(options.output / "offload_functions.h", emit_offload.offload_header(header, rows))
    for number, text in enumerate(wrappers):
        write_if_changed(options.output / f"capi_wrappers_{number}.cpp", text)
    write_if_changed(options.output / "cugrb.map", emit_wrappers.version_script(header))
    (options.output / "stand_in").mkdir(exist_ok=True)
    write_if_changed(options.output / "stand_in/GraphBLAS.h", emit_header.header_text(header, predefined))
    write_if_changed(options.output / "stand_in/graphblas.c", emit_header.library_source(header, predefined))
    write_if_changed(options.output / "roles.json", roles_json(header, table, offloaded))
    print(f"interposer: {len(header.functions)} functions of GraphBLAS, "
          f"{sum(bool(handles) for handles in table.values())} with data handles, {len(offloaded)} on the device")
    return 0


if __name__ == "__main__":
    sys.exit(main())
