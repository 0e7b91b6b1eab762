#!/usr/bin/env python3
"""Makes one C++ program of the examples in a Markdown page and in headers.

    extract_examples.py PAGE.md [HEADER.hpp...] -o FILE.cpp

Every ```cpp block becomes a function that is called in its turn; a block whose first line is "// at global scope" is put in
front of them as it is. In the page, `assert` states what an example shows, so the program checks it. A header's examples are
its documentation lines indented by four more blanks; they see the objects that OBJECTS declares.
"""
import argparse
import pathlib
import re

HEAD = """// Made from {page} by extract_examples.py.
#undef NDEBUG
#include <cassert>
#include <cmath>
#include <cstdio>
"""

OBJECTS = """  [[maybe_unused]] Matrix<float> A(4, 4), B(4, 4), C(4, 4), L(4, 4);
  [[maybe_unused]] Vector<float> u(4, 1.0f), v(4, 2.0f), w(4), m(4, 1.0f);
  [[maybe_unused]] const auto& my_max = op::max<float>;
  A.set(1, 0, 3.0f);
  Matrix<bool> edges(4, 4);
  edges.set(0, 1, true);
  [[maybe_unused]] Graph<bool> graph(std::move(edges), Direction::directed);
  [[maybe_unused]] Graph<bool> undirected(Matrix<bool>(4, 4), Direction::undirected);
  [[maybe_unused]] Graph<float> roads(Matrix<float>(A), Direction::directed);
"""


def header_examples(text):
    """Yields (line number, code) of every run of lines that begin with '///     '; a whole main() is not one."""
    lines = text.split("\n") + [""]
    code, start = [], 0
    for number, line in enumerate(lines, 1):
        if line.startswith("///     "):
            start = start if code else number
            code.append(line[8:])
        elif code:
            if not any("main()" in part for part in code):
                yield start, "\n".join(code) + "\n"
            code = []


def blocks(text):
    """Yields (line number, code) of every ```cpp block."""
    for match in re.finditer(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("headers", type=pathlib.Path, nargs="*")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    before, functions = [], []
    for header in options.headers:
        if header.parent.name == "algorithms":
            before.append(f'#include "algorithms/{header.name}"\n')
    for line, code in blocks(options.page.read_text(encoding="utf-8")):
        place = f'#line {line} "{options.page.name}"\n'
        if code.startswith("// at global scope"):
            before.append(place + code)
        else:
            functions.append(f"static void example_at_line_{line}() {{\n{place}{code}}}\n")
    for header in options.headers:
        for line, code in header_examples(header.read_text(encoding="utf-8")):
            code = re.sub(r"(auto|float|const auto) (\w+) =", r"[[maybe_unused]] \1 \2 =", code)
            functions.append(f"static void example_{header.stem}_at_line_{line}() {{\n{OBJECTS}"
                             f'#line {line} "{header.name}"\n{code}}}\n')
    if not functions:
        raise SystemExit(f"{options.page}: no ```cpp blocks")
    calls = "".join(f"  {name}();\n" for name in re.findall(r"example_\w*at_line_\d+", "".join(functions)))
    options.output.write_text(HEAD.format(page=options.page.name) + "".join(before) + "using namespace cugrb;\n" +
                              "".join(functions) +
                              f"int main() {{\n  const Context context;\n{calls}  return 0;\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
