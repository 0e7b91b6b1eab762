#!/usr/bin/env python3
"""Prints how the inside of cuGrB is built, in numbers: what is compared as text, who asks for the process's devices or the thread's,
who catches a lack of device memory, how often a mask, an output and a write-back are defined, how long classes, functions and files
are, how many lines.

    house.py [--longest N]

It judges nothing. Files are those of src, cuda and semirings; the layout by clang-format tells where a function and a
class begin and end.
"""

import argparse
import pathlib
import re
import signal

ROOT = pathlib.Path(__file__).resolve().parents[1]
ADAPTER = ("src/capi", "src/mirror", "src/graphblas")
SETTINGS = "src/operations/multiply/registry"
# Where devices() and device() are declared and defined.
RUNTIME = ("cuda/runtime/device.h", "cuda/runtime/device.cpp")
KERNEL_NAME_AS_TEXT = re.compile(r'(==|!=|rfind\(|starts_with\(|compare\()\s*"(mxv|mxm)_')
PROCESS_DEVICES = re.compile(r"\b(?:runtime::)?devices\(\)")
THREAD_DEVICE = re.compile(r"(?<![\w.>])(?:runtime::)?device\(\)")
CATCH = re.compile(r"catch \((?:const )?(?:runtime::)?OutOfMemory\b")
# A call's own; and what operations make of a mask for their kernels.
MASK = re.compile(r"^(?:struct|class) (?:Host|Matrix|Scalar|Vector)?Mask\b[^;]*\{")
OUTPUT = re.compile(r"^(?:struct|class) (?:Host|Matrix|Scalar|Vector)?Output\b[^;]*\{")
FORM_OF_MASK = re.compile(r"^(?:struct|class) (?!(?:Host|Matrix|Scalar|Vector)?Mask\b)\w*Mask\b[^;]*\{")
PLAN = re.compile(r"^struct \w*WriteBackPlan\b[^;]*\{")
WRITE_BACK = re.compile(r"^\w+ write_back\(")
CLASS = re.compile(r"^( *)(?:struct|class) (?:\w+ )?(\w+)[^;=()]*\{$")
FUNCTION = re.compile(
    r"^( {0,2})(?!namespace|struct|class|enum|union|if|for|while|switch|else|do|extern|#|//|\})\S.*\)[^;]*\{$")


def sources():
    for folder in ("src", "cuda", "semirings"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu", ".def"):
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8").splitlines()


def without_comment(line):
    return line.split("//")[0]


def lengths(lines, pattern):
    """(length, line number) of what begins with the pattern and ends with a brace of the same indent."""
    for number, line in enumerate(lines):
        match = pattern.match(line)
        if not match:
            continue
        end = next((i for i in range(number + 1, len(lines)) if re.match(match.group(1) + r"\}", lines[i])), None)
        if end is not None:
            yield end - number + 1, number + 1


def matches(files, pattern, skip=()):
    return [f"{path}:{number + 1}" for path, lines in files if not path.startswith(skip)
            for number, line in enumerate(lines) if pattern.search(without_comment(line))]


def definitions(files, pattern, skip=()):
    """Those matches that come to a brace before they come to a semicolon."""
    texts = dict(files)

    def defines(place):
        path, number = place.rsplit(":", 1)
        rest = "\n".join(map(without_comment, texts[path][int(number) - 1:]))
        return re.search(r"[{;]", rest).group() == "{"
    return [place for place in matches(files, pattern, skip) if defines(place)]


def show(title, found):
    print(f"{title}: {len(found)}")
    for place in found[:12]:
        print(f"  {place}")
    if len(found) > 12:
        print(f"  and {len(found) - 12} more")


def show_longest(title, found, count):
    print(f"longest {title}")
    for length, place in sorted(found, reverse=True)[:count]:
        print(f"  {length:5} {place}")


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader may end early, as `head` does
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--longest", type=int, default=8, help="how many of the longest are shown")
    count = parser.parse_args().longest
    files = list(sources())
    show("names of kernels compared as text, outside the settings' look-up",
         matches(files, KERNEL_NAME_AS_TEXT, (SETTINGS,)))
    show("uses of the process's devices below the adapter", matches(files, PROCESS_DEVICES, ADAPTER + RUNTIME))
    show("uses of the thread's device below the adapter", matches(files, THREAD_DEVICE, ADAPTER + RUNTIME))
    show("catches of a lack of device memory outside its policy", matches(files, CATCH, ("cuda/runtime/shortage.h",)))
    show("definitions of a call's mask", matches(files, MASK, ("cuda", "src/support")))
    show("definitions of a call's output", matches(files, OUTPUT, ("cuda", "src/support")))
    show("forms of a mask that kernels and operations make of it", matches(files, FORM_OF_MASK, ("cuda",)))
    show("definitions of what a write-back comes to", matches(files, PLAN, ("cuda",)))
    show("back ends of a write-back, for vectors and for matrices", definitions(files, WRITE_BACK, ("cuda",)))
    for title, pattern in (("classes", CLASS), ("functions", FUNCTION)):
        show_longest(title, [(length, f"{path}:{number}") for path, lines in files
                             for length, number in lengths(lines, pattern)], count)
    show_longest("files", [(len(lines), path) for path, lines in files], count)
    totals = {}
    for path, lines in files:
        folder = "/".join(path.split("/")[:2]) if path.startswith(("src", "cuda")) else path.split("/")[0]
        totals[folder] = totals.get(folder, 0) + len(lines)
    print("lines")
    for folder, total in sorted(totals.items()):
        print(f"  {total:5} {folder}")
    print(f"  {sum(t for f, t in totals.items() if f.startswith(('src', 'cuda'))):5} src and cuda together")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
