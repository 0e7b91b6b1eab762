#!/usr/bin/env python3
"""Generates the interposer from the declarations of all versions. Run by CMake when the project is configured.

    generate.py --declarations tools/interposer/declarations.txt --output build/generated [--offload src/capi/offload.h]

Writes graphblas_functions.h, capi_wrappers_<k>.cpp, cugrb.map and roles.json into the output folder, each only when
it has changed. Fails, naming the parameter, when a parameter of a declared function has no reviewed role.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import declarations
import emit_table
import emit_wrappers
import header as header_module
import roles


def offloaded_functions(path, compiler, include_directories):
    """Names of the functions that src/capi/offload.h declares: `bool NAME(GrB_Info& info, ...)`."""
    if not path:
        return frozenset()
    flags = [f"-I{directory}" for directory in include_directories]
    command = [compiler, "-std=c++20", "-E", "-P", *flags, path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise header_module.HeaderError(f"{' '.join(command)} failed:\n{run.stderr}")
    return frozenset(re.findall(r"\bbool\s+((?:GrB|GxB)_\w+)\s*\(\s*GrB_Info\s*&", run.stdout))


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
    parser.add_argument("--cxx", default="c++", help="C++ compiler, for the preprocessor on the offload header")
    parser.add_argument("--include", action="append", default=[], help="include folder for the offload header")
    parser.add_argument("--offload", default="", help="header of the functions that may run on the device")
    parser.add_argument("--files", type=int, default=4, help="number of wrapper files")
    parser.add_argument("--output", required=True, type=pathlib.Path)
    return parser.parse_args()


def main():
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    functions_path = options.output / "graphblas_functions.h"
    try:
        header = declarations.read(options.declarations.read_text(encoding="utf-8"))
        table = roles.classify(header)
        # The offload header includes the functions header: write that one first.
        write_if_changed(functions_path, emit_table.functions_header(header))
        offloaded = offloaded_functions(options.offload, options.cxx, [*options.include, options.output])
        wrappers = emit_wrappers.wrapper_files(header, table, offloaded, options.files)
    except (header_module.HeaderError, roles.UnclassifiedParameter, ValueError) as error:
        print(f"interposer: {options.declarations}: {error}", file=sys.stderr)
        return 1
    for number, text in enumerate(wrappers):
        write_if_changed(options.output / f"capi_wrappers_{number}.cpp", text)
    write_if_changed(options.output / "cugrb.map", emit_wrappers.version_script(header))
    write_if_changed(options.output / "roles.json", roles_json(header, table, offloaded))
    print(f"interposer: {len(header.functions)} functions of GraphBLAS, "
          f"{sum(bool(handles) for handles in table.values())} with data handles, {len(offloaded)} on the device")
    return 0


if __name__ == "__main__":
    sys.exit(main())
