#!/usr/bin/env python3
"""Extracts the package dependency graph of a Debian release as a Matrix Market file and a list of names.

Vertices are the binary packages of one Packages file, in alphabetical order; entry (i, j) says that package i has
package j in its Depends or Pre-Depends field. Every alternative ("a | b") that names a package of the file makes an
entry; versions and architectures are ignored; names that only virtual packages provide are left out and counted.

    tools/debian_graph.py PACKAGES OUTPUT-STEM

PACKAGES is a Packages file (.gz, .xz, .lz4 or plain). tests/data/debian12 was made from Debian 12 (bookworm), main,
amd64:  apt-get update, then PACKAGES = /var/lib/apt/lists/*bookworm_main_binary-amd64_Packages*
Writes OUTPUT-STEM.mtx.xz and OUTPUT-STEM.names.xz (line k names vertex k).
"""
import gzip
import lzma
import re
import subprocess
import sys

DEPENDENCY_FIELDS = ("Depends", "Pre-Depends")


def open_text(path):
    """The lines of a possibly compressed text file."""
    if path.endswith(".lz4"):
        text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", path], check=True, capture_output=True).stdout
        return text.decode("utf-8").splitlines()
    opener = gzip.open if path.endswith(".gz") else lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def read_packages(lines):
    """{package: [names it depends on, as written]}, merging the stanzas of a package that stands there twice."""
    packages, name, field = {}, None, None
    for line in lines:
        if not line.strip():
            name = field = None
        elif line[0] in " \t":
            if name and field in DEPENDENCY_FIELDS:
                packages[name].append(line)
        else:
            field, _, value = line.partition(":")
            if field == "Package":
                name = value.strip()
                packages.setdefault(name, [])
            elif field in DEPENDENCY_FIELDS:
                packages[name].append(value)
    return packages


def edges_of(packages):
    """Sorted (i, j) pairs of 0-based vertices, and how many dependency names were no package of the list."""
    names = sorted(packages)
    number = {name: k for k, name in enumerate(names)}
    edges, virtual = set(), 0
    for name, fields in packages.items():
        for alternative in re.split("[,|]", ",".join(fields)):
            target = re.split(r"[\s(:\[]", alternative.strip(), maxsplit=1)[0]
            if not target:
                continue
            if target in number:
                edges.add((number[name], number[target]))
            else:
                virtual += 1
    return names, sorted(edges), virtual


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    names, edges, virtual = edges_of(read_packages(open_text(sys.argv[1])))
    stem, filters = sys.argv[2], [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
    with lzma.open(stem + ".mtx.xz", "wt", encoding="ascii", filters=filters) as out:
        out.write("%%MatrixMarket matrix coordinate pattern general\n")
        out.write("% Package dependencies (Depends, Pre-Depends), row depends on column; see tools/debian_graph.py\n")
        out.write(f"{len(names)} {len(names)} {len(edges)}\n")
        out.writelines(f"{i + 1} {j + 1}\n" for i, j in edges)
    with lzma.open(stem + ".names.xz", "wt", encoding="utf-8", filters=filters) as out:
        out.writelines(name + "\n" for name in names)
    print(f"{len(names)} packages, {len(edges)} dependencies; {virtual} names of virtual packages left out")


if __name__ == "__main__":
    main()
