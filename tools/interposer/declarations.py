"""Reads declarations.txt: every function of SuiteSparse:GraphBLAS 7.4 to 10.5, with the versions that declare it."""

import dataclasses
import re

import header as header_module

_SECTION = re.compile(r"^// versions (\d+\.\d+) to (\d+\.\d+|now)$", flags=re.MULTILINE)


def read(text):
    """The declarations as a header_module.Header; each function has `since` and `until` ("" when it is still declared)."""
    parts = _SECTION.split(text)[1:]
    functions, callbacks = {}, frozenset()
    for since, until, prototypes in zip(parts[::3], parts[1::3], parts[2::3]):
        for function in header_module.parse(prototypes).functions:
            if function.name in functions:
                raise header_module.HeaderError(f"{function.name} is declared twice")
            functions[function.name] = dataclasses.replace(function, since=since, until="" if until == "now" else until)
    if not functions:
        raise header_module.HeaderError("no section '// versions A to B'")
    return header_module.Header(tuple(functions.values()), frozenset(), callbacks)


def key(version):
    """Versions as texts compare by their numbers."""
    return tuple(int(number) for number in version.split("."))


def has(function, version):
    """Whether SuiteSparse:GraphBLAS of this version, "9.4", declares the function."""
    return key(function.since) <= key(version) and (function.until == "" or key(version) <= key(function.until))
