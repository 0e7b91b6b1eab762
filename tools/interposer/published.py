#!/usr/bin/env python3
"""Compares declarations.txt with headers that SuiteSparse:GraphBLAS has published.

    published.py --header /usr/include/GraphBLAS.h --version 7.4
    published.py --newest            the newest source package `suitesparse-graphblas` of PyPI, fetched and not kept

Fails for each function that a header declares and the list lacks, that the list gives to a version that does not have
it, or whose parameters have another binary form. Enumerations and int are one form, and so are all pointers of one depth
to integers of one size.
"""

import argparse
import io
import pathlib
import re
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request

import declarations
import header as header_module

LIST = pathlib.Path(__file__).with_name("declarations.txt")
INDEX = "https://pypi.org/simple/suitesparse-graphblas/"
# SuiteSparse exports these for old programs and declares them in some headers only.
HISTORICAL = frozenset(("GxB_kron", "GxB_Matrix_resize", "GxB_Vector_resize"))
# One argument fewer from 10.0 on, see declarations.txt.
CHANGED = frozenset(("GB_Vector_Iterator_bitmap_seek",))

_INTEGERS = {"GrB_Index": "uint64_t", "size_t": "uint64_t", "int": "int32_t", "unsigned int": "uint32_t",
             "GxB_Scalar": "GrB_Scalar"}


def _form(parameter, enums):
    if parameter.is_function or parameter.base.endswith("_function"):
        return "function"
    base = "int" if parameter.base in enums else parameter.base
    return _INTEGERS.get(base, base) + "*" * parameter.pointers


def _signature(function, enums):
    return [_form(parameter, enums) for parameter in function.parameters] + ["..."] * function.variadic


def differences(known, published, version):
    """Texts: what the header of this version has that the list has not, or the other way round, or in another form."""
    listed = {function.name: function for function in known.functions}
    found = {function.name: function for function in published.functions}
    for name in sorted(found.keys() - listed.keys()):
        yield f"{version} declares {name}, declarations.txt does not"
    for name, function in sorted(listed.items()):
        if declarations.has(function, version) != (name in found) and name not in HISTORICAL:
            yield f"declarations.txt says that {version} {'has' if name not in found else 'lacks'} {name}"
        if name in found and name not in CHANGED:
            ours, theirs = _signature(function, ()), _signature(found[name], published.enums)
            if ours != theirs:
                yield f"{name}: {ours} in declarations.txt, {theirs} in {version}"


def read_header(path):
    """A GraphBLAS.h, or the header of prototypes that suitesparse-graphblas makes of it."""
    return header_module.parse(header_module.preprocess(str(path), "cc"))


def newest():
    """The version of the newest source package of PyPI, as "10.5", and its header."""
    with urllib.request.urlopen(INDEX, timeout=60) as answer:
        links = re.findall(r'href="([^"#]+/suitesparse_graphblas-(\d+(?:\.\d+)+)\.tar\.gz)[#"]', answer.read().decode())
    link, version = max(links, key=lambda found: declarations.key(found[1]))
    address = urllib.parse.urljoin(INDEX, link)
    with urllib.request.urlopen(address, timeout=300) as answer:
        archive = tarfile.open(fileobj=io.BytesIO(answer.read()))
    [member] = [name for name in archive.getnames() if name.endswith("/suitesparse_graphblas.h")]
    text = archive.extractfile(member).read().decode()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "suitesparse_graphblas.h"
        # Its macros have no values (`#define X ...`), and it includes nothing.
        path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("#")))
        return re.match(r"\d+\.\d+", version)[0], read_header(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--version", help="the header's, as 7.4")
    parser.add_argument("--newest", action="store_true", help="the newest source package of PyPI")
    options = parser.parse_args()
    if options.newest == bool(options.header) or bool(options.header) != bool(options.version):
        parser.error("either --newest, or --header with --version")
    version, published = newest() if options.newest else (options.version, read_header(options.header))
    known = declarations.read(LIST.read_text(encoding="utf-8"))
    found = list(differences(known, published, version))
    for difference in found:
        print(difference)
    print(f"{len(published.functions)} functions of {version}, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
