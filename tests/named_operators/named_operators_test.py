#!/usr/bin/env python3
"""Operators without a definition, which CUGRB_OPERATORS defines by name.

    named_operators_test.py --program PROGRAM --library libcugrb.so --cugrb cugrb [unittest arguments]
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RIGHT = """// twice the first operand
static void twice_plus(int32_t *z, const int32_t *x, const int32_t *y)
{ *z = 2 * *x + *y ; }
void clamp(double* z, const double* x) { *z = fabs(*x) > 2 ? (*x > 0 ? 2 : -2) : *x; }
/* of places */ void near_place(bool* z, const int32_t* x, GrB_Index i, GrB_Index j, const int64_t* y) {
  *z = *x + (int64_t)i > *y && j == 0;
}
"""
options = None


class NamedOperators(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name, "operators.c")

    def run_program(self, text=None, command=(), **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CUGRB_") or name == "CUGRB_CACHE"}
        environment.update(CUGRB_OFFLOAD="always", CUGRB_DEVICE="emulated", CUGRB_TRACE="1", **variables)
        if not command:
            environment["LD_PRELOAD"] = options.library
        if text is not None:
            self.file.write_text(text)
            environment["CUGRB_OPERATORS"] = str(self.file)
        return subprocess.run([*command, options.program], env=environment, capture_output=True, text=True, timeout=300, check=False)

    def plain(self):
        return subprocess.run([options.program], capture_output=True, text=True, check=True).stdout

    def assert_on_device(self, done, operation, name, line):
        pattern = rf"^cugrb: .*{operation}.*emulated.*{name} \({re.escape(str(self.file))}, line {line}\)|" \
                  rf"^cugrb: .*{operation}.*{name} \({re.escape(str(self.file))}, line {line}\).*emulated"
        self.assertRegex(done.stderr, re.compile(pattern, re.MULTILINE))

    def test_without_the_file_each_call_says_what_is_missing(self):
        done = self.run_program()
        self.assertEqual(done.stdout, self.plain())
        for name in ("twice_plus", "clamp", "near_place"):
            self.assertRegex(done.stderr, rf"user-defined operator .*{name} is a bare function pointer")

    def test_with_it_they_run_on_the_device_and_the_trace_says_by_which_line(self):
        done = self.run_program(RIGHT)
        self.assertEqual(done.stdout, self.plain())
        self.assert_on_device(done, "eWiseMult", "twice_plus", 2)
        self.assert_on_device(done, "apply", "clamp", 4)
        self.assert_on_device(done, "select", "near_place", 5)

    def test_a_definition_that_says_something_else_is_not_used(self):
        wrong = RIGHT.replace("2 * *x + *y", "2 * *x - *y").replace("*x > 0 ? 2 : -2", "2").replace("> *y", ">= *y")
        done = self.run_program(wrong)
        self.assertEqual(done.stdout, self.plain())
        self.assertRegex(done.stderr, r"twice_plus .*: its definition in .*operators.c, line 2 gives 1 of 1 and 1, the program's function 3")
        self.assertRegex(done.stderr, r"clamp .*: its definition in .*line 4 gives 2.0* of -64.0*, the program's function -2")
        self.assertRegex(done.stderr, r"near_place .*: its definition in .*line 5 gives 1 of ")

    def test_a_definition_that_does_not_compile_is_not_used(self):
        done = self.run_program("void twice_plus(int32_t* z, const int32_t* x, const int32_t* y) { *z = two; }")
        self.assertEqual(done.stdout, self.plain())
        self.assertNotIn("twice_plus (", "".join(line for line in done.stderr.splitlines() if "emulated" in line))

    def test_a_bad_file_is_an_error_with_its_line(self):
        for text, message in (("\n\nint f(int x) { return x; }\n", "line 3: expected a definition void NAME(...) { ... }"),
                              ("void f(double* z)\n;\n", "line 2: expected the body of f, from { to }"),
                              ("void f(double* z) { if (*z) { }\n", "line 1: expected the body of f, from { to }"),
                              ("void f(double* z) {}\n\nvoid f(double* z) {}\n", "line 3: expected one definition of f; there is another one in line 1")):
            done = self.run_program(text)
            self.assertEqual(done.returncode, 1, text)
            self.assertRegex(done.stdout, r"GrB_init.*: -3")
            self.assertIn(message, done.stderr)
            refused = self.run_program(text, (options.cugrb, "exec"))
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"CUGRB_OPERATORS={self.file}: {message}", refused.stderr)

    def test_a_file_that_is_not_there_is_an_error(self):
        done = self.run_program(CUGRB_OPERATORS="/nonexistent/operators.c")
        self.assertIn("/nonexistent/operators.c: expected a file that can be read", done.stderr)

    def test_the_command_lists_what_a_program_needs(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CUGRB_")}
        wanted = pathlib.Path(self.folder.name, "wanted.c")
        done = subprocess.run([options.cugrb, "operators", "-o", str(wanted), "--", options.program], env=environment,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, self.plain())
        self.assertEqual(wanted.read_text().splitlines()[1:], [
            "void twice_plus(int32_t* z, const int32_t* x, const int32_t* y) {}",
            "void clamp(double* z, const double* x) {}",
            "void near_place(bool* z, const int32_t* x, GrB_Index i, GrB_Index j, const int64_t* y) {}"])


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--cugrb", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
