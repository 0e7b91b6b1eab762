#!/usr/bin/env python3
"""Both device_functions.h declare the same macros and the same functions, with the same leading parameters.

The emulated device's may end with the caller's file and line (CUGRB_CALLER). usage: same_vocabulary.py ROOT
"""

import pathlib
import re
import sys


def vocabulary(path):
    text = path.read_text()
    text = re.sub(r"^namespace (detail|simt) \{\n.*?^\}  // namespace \1$", "", text, flags=re.M | re.S)
    text = re.sub(r"//[^\n]*", "", text)
    macros = set(re.findall(r"^#define (CUGRB_(?:KERNEL|DEVICE|SHARED|DYNAMIC_SHARED)\b(?:\([^)]*\))?)", text, re.M))
    text = re.sub(r"^#define (.*\\\n)*.*$", "", text, flags=re.M)
    functions = set()
    for result, name, parameters in re.findall(r"^CUGRB_DEVICE ([\w:]+) (\w+)\(([^)]*)\)", text, re.M):
        parameters = re.sub(r",?\s*CUGRB_CALLER", "", parameters)
        functions.add(re.sub(r"\s+", " ", f"{result} {name}({parameters})"))
    return macros, functions


def main(root):
    gpu, emulated = (vocabulary(root / "cuda" / folder / "device_functions.h") for folder in ("kernels", "emulated"))
    if len(gpu[0]) != 4 or len(gpu[1]) < 25:
        sys.exit(f"cannot read the vocabulary: {gpu}")
    difference = sorted((gpu[0] ^ emulated[0]) | (gpu[1] ^ emulated[1]))
    for word in difference:
        print(f"only on {'the GPU' if word in gpu[0] | gpu[1] else 'the emulated device'}: {word}")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
