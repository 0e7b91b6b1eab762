"""Reads objects.txt: the predefined objects of SuiteSparse:GraphBLAS, with the types of their handles."""

import re

import operations


class ObjectError(Exception):
    """A line of the list says nothing."""


def read(text):
    """{name: type of the handle}, in the order of the list. Raises ObjectError."""
    sets, found = {}, {}

    def spelled(use):
        if use[1] not in sets:
            raise ObjectError(f"{use[0]} is no set of suffixes")
        return sets[use[1]]

    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("//"):
            continue
        if match := re.fullmatch(r"(\w+) = (\{.*\})", line):
            sets[match[1]] = match[2]
            continue
        kind, *patterns = line.split()
        if not patterns:
            raise ObjectError(f"'{line}' names no object")
        for pattern in patterns:
            for name in operations.expand(re.sub(r"\{(\w+)\}", spelled, pattern)):
                if name in found:
                    raise ObjectError(f"{name} is listed twice")
                found[name] = kind
    return found
