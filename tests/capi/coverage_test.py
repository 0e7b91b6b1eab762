#!/usr/bin/env python3
"""What the installed library exports, the interposer exports too, and hooks where it takes a matrix or a vector.

    coverage_test.py REAL_LIBRARY INTERPOSER ROLES_JSON
"""

import json
import re
import subprocess
import sys


def exported(library):
    """Names of the functions that a shared library defines for others."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {fields[2].split("@")[0] for fields in map(str.split, lines.splitlines())
            if len(fields) == 3 and fields[1] in "TW"}


def main():
    real_path, interposer_path, roles_path = sys.argv[1:]
    real, ours = exported(real_path), exported(interposer_path)
    with open(roles_path, encoding="utf-8") as file:
        declared = {function["name"] for function in json.load(file)["functions"]}
    public = {name for name in real if re.match(r"(GrB|GxB)_", name)}
    complaints = [f"the real library exports {name}, the interposer does not" for name in sorted(public - ours)]
    complaints += [f"the header declares {name}, the interposer does not export it" for name in sorted(declared - ours)]
    complaints += [f"the interposer exports {name}, which is no API name" for name in sorted(ours - declared)
                   if not name.startswith("cugrb_") and name != "dlsym"]
    for complaint in complaints:
        print(complaint)
    print(f"{len(public)} public functions of {real_path}, {len(declared)} declared, {len(ours)} exported by "
          f"{interposer_path}, {len(complaints)} complaints")
    return 1 if complaints or len(public) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
