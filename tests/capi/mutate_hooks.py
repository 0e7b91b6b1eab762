#!/usr/bin/env python3
"""Drops the pre-hook (or the post-hook) of one function after the other and asks whether the tests notice.

    mutate_hooks.py --program every_function --library libcugrb_mutation.so --roles roles.json [--hook pre|post]

The library must be built with CUGRB_HOOK_MUTATION. Every function that takes a matrix or a vector is dropped in turn
while all arguments are moved out of SuiteSparse (CUGRB_STRESS=evict-all); for post-hooks, while they have copies on the
emulated device, which the function makes stale. A survivor must be listed in REASONS: an
unlisted survivor fails, and so does a reason for a function that does not survive.
"""

import argparse
import json
import re
import sys

import compare

_METADATA = "moves nothing: it asks for the type, the dimensions or the error text, which the hollow object knows"
_MADE = "has no handle as input: it makes one"
_REPLACED = "replaces the whole content: nothing of the old one is read, and the post-hook drops it"
_HASH = "takes or gives a structure for look-ups; the entries stay as they are"
_USER_DEFINED = "works on a user-defined type, of which this program puts nothing on the device"
_SETTINGS = "concerns a setting, which the hollow object keeps, and which restoring its content leaves as it is"

# (pattern of functions, why a dropped pre-hook cannot change a result)
REASONS = {"pre": (
    (r"GrB_(Matrix_n(rows|cols)|Vector_size)|GxB_(Scalar|Matrix|Vector)_type(_name)?|(GrB|GxB)_(Scalar|Matrix|Vector)_(error|wait)", _METADATA),
    (r"(GrB|GxB)_(Scalar|Matrix|Vector)_new|(GrB|GxB)_(Matrix|Vector)_(import(_\w+)?|deserialize)", _MADE),
    (r"(GrB|GxB)_(Scalar|Matrix|Vector)_clear|GxB_(Matrix|Vector)_pack_\w+", _REPLACED),
    (r"(GrB|GxB)_Scalar_setElement_\w+", _REPLACED),
    (r"GxB_Scalar_memoryUsage", "a hollow scalar takes as many bytes as a full one, within what can be promised"),
    (r"GxB_Matrix_Option_(set|get)_FP64|GxB_Vector_Option_(set(_\w+)?|get_FP64)", _SETTINGS),
), "post": (
    (r".*_UDT", _USER_DEFINED),
    (r"GxB_(un)?pack_HyperHash", _HASH),
)}


def reason(function, hook):
    for pattern, text in REASONS[hook]:
        if re.fullmatch(pattern, function):
            return text
    return None


def survives(options, function, expected):
    if options.hook == "pre":
        settings = ["CUGRB_OFFLOAD=never", "CUGRB_STRESS=evict-all", f"CUGRB_HOOK_MUTATION={function}"]
    else:
        settings = ["CUGRB_OFFLOAD=always", "CUGRB_DEVICE=emulated", f"CUGRB_CACHE={options.cache}",
                    f"CUGRB_HOOK_MUTATION=post:{function}"]
    try:
        got, status, _ = compare.run(options.program, [options.library], settings, [function])
    except compare.subprocess.TimeoutExpired:
        return False
    return status == 0 and got.get(function) == expected[function]


def mutants(path, hook):
    """The functions whose hook is dropped: all with a handle; for post-hooks those that change one on the host."""
    with open(path, encoding="utf-8") as file:
        functions = [function for function in json.load(file)["functions"] if function["handles"]]
    if hook == "post":
        functions = [function for function in functions if not function["offloaded"] and
                     any(handle["role"] in ("inout", "output") for handle in function["handles"])]
    return [function["name"] for function in functions]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--roles", required=True)
    parser.add_argument("--hook", choices=("pre", "post"), default="pre")
    parser.add_argument("--cache", default="off", help="kernel cache, for post-hooks")
    parser.add_argument("--report", help="write the outcome of every function to this JSON file")
    options = parser.parse_args()
    expected, _, _ = compare.run(options.program)
    # The program calls the functions of the installed version.
    outcome = {name: survives(options, name, expected) for name in mutants(options.roles, options.hook) if name in expected}
    reasons = {name: reason(name, options.hook) for name in outcome}
    unexplained = [name for name, survived in outcome.items() if survived and not reasons[name]]
    wrong_reason = [name for name, survived in outcome.items() if not survived and reasons[name]]
    for name, survived in outcome.items():
        if survived:
            print(f"survived: {name}: {reasons[name] or 'NO REASON KNOWN'}")
    for name in wrong_reason:
        print(f"caught, although a reason says that it cannot matter: {name}")
    print(f"{len(outcome)} mutants: {len(outcome) - sum(outcome.values())} caught, {sum(outcome.values())} survived, "
          f"{len(unexplained)} of them unexplained")
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            json.dump({name: {"survived": survived, "reason": reasons[name] if survived else None}
                       for name, survived in outcome.items()}, file, indent=1)
    return 1 if unexplained or wrong_reason else 0


if __name__ == "__main__":
    sys.exit(main())
