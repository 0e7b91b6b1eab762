#!/usr/bin/env python3
"""Writes docs/conformance.md: where each function of the GraphBLAS API runs, of operations.def and the declarations.

    conformance.py            writes the page
    conformance.py --check    fails when the page is not current
"""

import argparse
import pathlib
import re
import sys

import declarations
import operations
import roles

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/conformance.md"

_TOP = """\
# Conformance

This page lists the {count} functions that SuiteSparse:GraphBLAS 7.4 to 10.5 declares, and where each of them runs under cuGrB.
All of them are exported, and give what SuiteSparse gives. `tools/interposer/conformance.py` writes the page from
[src/capi/operations.def](../src/capi/operations.def) and `tools/interposer/declarations.txt`; a test fails when it is not current.

`TYPE` stands for each of {types}; the functions of FC32 and FC64 begin with `GxB_`.
A version is named where a function is not in every one of them.

{summary}
"""

_SECTIONS = (
    ("On the device", "the device", """\
A `placed` function runs on the device where that is predicted to be faster ([selector.md](selector.md), "Placement"). A
`resident` one is answered on the device for an object whose content is there; for others it is SuiteSparse's. What a
function cannot do there, such as an operator without a definition text, is forwarded, and the trace says why."""),
    ("Metadata", "metadata", "No content moves: the SuiteSparse object knows the answer, or has no content."),
    ("The host by nature", "the host by nature", "These are passed on. The content that they read comes to the host first."),
    ("Forwarded", "forwarded", """\
SuiteSparse runs these, for want of a device version. The content that they read comes to the host first; the trace says
`no device version`."""),
    ("Without data", "without data", "These take no matrix, vector or scalar, and are passed on."),
)


def versions(function):
    if function.since == "7.4":
        return f"to {function.until}" if function.until else "all"
    return f"{function.since} to {function.until}" if function.until else f"from {function.since}"


def families(names, types):
    """The names in their order, those that differ in a built-in type only as one."""
    known, found = set(names), []
    for name in names:
        stem, _, suffix = name.rpartition("_")
        family = name
        for candidate in (f"{stem}_TYPE", re.sub(r"^GxB_", "GrB_", f"{stem}_TYPE")) if suffix in types else ():
            members = [operations.of_type(candidate, *of_type) for of_type in types.items()]
            if name in members and known.issuperset(members):
                family = candidate
        if family not in found:
            found.append(family)
    return found


def _table(columns, rows):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)] + ["| " + " | ".join(row) + " |" for row in rows]


def _rows(names, cells, declared, types):
    """A row for the functions of each range of versions."""
    by_versions = {}
    for name in names:
        by_versions.setdefault(versions(declared[name]), []).append(name)
    for range_of_versions, some in by_versions.items():
        yield ["<br>".join(f"`{family}`" for family in families(some, types)), *cells, range_of_versions]


def _of_kind(kind, columns, rows, declared, types):
    return _table(["function", *columns, "versions"],
                  [line for row in rows if row.kind == kind
                   for line in _rows(row.functions, [row.columns[column] for column in columns], declared, types)])


def _object(name):
    """The kind of object that a function without data is of."""
    if "Iterator" in name:
        return "Iterator"
    kind = re.match(r"G\w?B_(?:([A-Z]\w*?)_)?", name)[1]
    return {None: "-", "Desc": "Descriptor"}.get(kind, kind)


def _without_data(names, declared, types):
    by_object = {}
    for name in names:
        by_object.setdefault(_object(name), []).append(name)
    return _table(["function", "object", "versions"],
                  [line for thing, some in sorted(by_object.items()) for line in _rows(some, [thing], declared, types)])


def page(header, table, rows, types):
    declared = {function.name: function for function in header.functions}
    named = {name: row.kind for row in rows for name in row.functions}
    asks = [name for name in declared if name not in named and table[name]]
    others = [name for name in declared if name not in named and not table[name]]
    counts = [sum(kind == wanted for kind in named.values()) for wanted in ("OPERATION", "METADATA", "HOST", "FORWARDED")]
    counts = [counts[0], counts[1] + len(asks), counts[2], counts[3], len(others)]
    metadata = [operations.Row("METADATA", "", {"why": "type, sizes, names and error text are the SuiteSparse object's"}, tuple(asks))]
    tables = [
        _of_kind("OPERATION", ("operation", "where", "output", "inputs", "operator", "lists"), rows, declared, types),
        _of_kind("METADATA", ("why",), metadata + rows, declared, types),
        _of_kind("HOST", ("why",), rows, declared, types),
        _of_kind("FORWARDED", ("why",), rows, declared, types),
        _without_data(others, declared, types),
    ]
    summary = _table(["where", "functions"], [[f"[{label}](#{title.lower().replace(' ', '-')})", str(count)]
                                             for (title, label, _), count in zip(_SECTIONS, counts)])
    lines = [_TOP.format(count=len(declared), types=", ".join(types), summary="\n".join(summary))]
    for (title, _, text), section in zip(_SECTIONS, tables):
        lines += [f"## {title}", "", text, "", *section, ""]
    return "\n".join(lines)


def current():
    """The page as it is to be."""
    def text(path):
        return (ROOT / path).read_text(encoding="utf-8")
    header = declarations.read(text("tools/interposer/declarations.txt"))
    table = roles.classify(header)
    types = operations.suffixes(text("semirings/types.def"))
    return page(header, table, operations.read(text("src/capi/operations.def"), header, table, types), types)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail when the page is not current")
    check = parser.parse_args().check
    wanted = current()
    if not check:
        PAGE.write_text(wanted, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not current; tools/interposer/conformance.py writes it")
    return 1


if __name__ == "__main__":
    sys.exit(main())
