#!/usr/bin/env python3
"""The interposer finds the real library in every way in which a program can come to use GraphBLAS, and never itself."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(os.environ["LOADING_PROGRAMS"])
LIBRARY = os.environ["CUGRB_LIBRARY"]
DROPIN = os.environ["CUGRB_DROPIN"]
REAL = os.environ["REAL_GRAPHBLAS"]

CTYPES_PROGRAM = """
import ctypes
library = ctypes.CDLL("libgraphblas.so.{major}")
assert library.GrB_init(0) == 0
matrix = ctypes.c_void_p()
fp64 = ctypes.c_void_p.in_dll(library, "GrB_FP64")
assert library.GrB_Matrix_new(ctypes.byref(matrix), fp64, ctypes.c_uint64(3), ctypes.c_uint64(4)) == 0
assert library.GrB_Matrix_setElement_FP64(matrix, ctypes.c_double(1.5), ctypes.c_uint64(1), ctypes.c_uint64(2)) == 0
value = ctypes.c_double()
assert library.GrB_Matrix_extractElement_FP64(ctypes.byref(value), matrix, ctypes.c_uint64(1), ctypes.c_uint64(2)) == 0
print("value", value.value)
own = {own}
own.cugrb_version.restype = ctypes.c_char_p
own.cugrb_graphblas_path.restype = ctypes.c_char_p
own.cugrb_forward_only_reason.restype = ctypes.c_char_p
print("interposer", own.cugrb_version().decode())
print("real", own.cugrb_graphblas_path().decode())
print("forward only:", own.cugrb_forward_only_reason().decode())
product = ctypes.c_void_p()
semiring = ctypes.c_void_p.in_dll(library, "GrB_PLUS_TIMES_SEMIRING_FP64")
assert library.GrB_Matrix_new(ctypes.byref(product), fp64, ctypes.c_uint64(4), ctypes.c_uint64(4)) == 0
assert library.GrB_mxm(product, None, None, semiring, matrix, matrix, ctypes.c_void_p.in_dll(library, "GrB_DESC_T0")) == 0
assert library.GrB_Matrix_extractElement_FP64(ctypes.byref(value), product, ctypes.c_uint64(2), ctypes.c_uint64(2)) == 0
print("product", value.value)
assert library.GrB_finalize() == 0
"""


def run(command, user=None, **variables):
    """What the command prints, as {first word or key: rest}; the exit status under 'status'."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CUGRB_", "LD_"))}
    environment["CUGRB_CACHE"] = os.environ.get("CUGRB_TEST_CACHE", "off")
    environment.update(variables)
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True,
                          check=False, timeout=120, user=user)
    lines = dict(re.match(r"(before the fork|forward only:|\S+) ?(.*)", line).groups()
                 for line in done.stdout.splitlines() if line)
    return {**lines, "status": done.returncode, "output": done.stdout + done.stderr}


def run_ctypes(own, **variables):
    """CTYPES_PROGRAM; `own` says in Python where cuGrB's own functions are."""
    major = re.search(r"so\.(\d+)", REAL)[1]
    return run([sys.executable, "-c", CTYPES_PROGRAM.format(major=major, own=own)], CUGRB_OFFLOAD="always",
               CUGRB_DEVICE="emulated", CUGRB_TRACE="1", **variables)


class Loading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plain = run([PROGRAMS / "loading_direct"])

    def check(self, result, forward_only=None):
        """The computation's result is SuiteSparse's, the interposer was there, and it found the real library."""
        self.assertEqual(result["status"], 0, result["output"])
        self.assertEqual(result["parent"], self.plain["parent"])
        self.assertIn("interposer", result, "the interposer was not reached")
        self.assertNotIn("cugrb", pathlib.Path(result["real"]).name)
        self.assertNotEqual(os.path.realpath(result["real"]), os.path.realpath(LIBRARY))
        if forward_only is None:
            self.assertEqual(result["forward only:"], "")
        else:
            self.assertIn(forward_only, result["forward only:"])

    def check_told(self, result, forward_only):
        """As check, and one line on standard error says so."""
        self.check(result, forward_only)
        lines = [line for line in result["output"].splitlines() if line.startswith("cugrb: ")]
        self.assertEqual(lines, [f"cugrb: every call is passed on to SuiteSparse: {result['forward only:']}"])

    def test_without_interposer(self):
        self.assertEqual(self.plain["status"], 0, self.plain["output"])
        self.assertNotIn("interposer", self.plain)

    def test_preloaded(self):
        self.check(run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY))

    def test_preloaded_into_a_program_with_copy_relocations(self):
        self.check(run([PROGRAMS / "loading_no_pie"], LD_PRELOAD=LIBRARY))

    def test_linked_before_graphblas(self):
        self.check(run([PROGRAMS / "loading_link_order"]))

    def test_drop_in_folder(self):
        result = run([PROGRAMS / "loading_direct"], LD_LIBRARY_PATH=DROPIN)
        self.check(result)
        self.assertEqual(os.path.realpath(result["real"]), os.path.realpath(REAL))

    def test_drop_in_folder_for_a_program_with_copy_relocations(self):
        self.check(run([PROGRAMS / "loading_no_pie"], LD_LIBRARY_PATH=DROPIN))

    def test_drop_in_folder_through_dlsym(self):
        result = run_ctypes("library", LD_LIBRARY_PATH=DROPIN)
        self.assertEqual(result["status"], 0, result["output"])
        self.assertEqual((result["value"], result["product"]), ("1.5", "2.25"))
        self.assertIn("GrB_mxm on emulated", result["output"])
        self.assertEqual(result["forward only:"], "")
        self.assertEqual(os.path.realpath(result["real"]), os.path.realpath(REAL))

    def test_private_copy_under_a_hashed_name(self):
        result = run([PROGRAMS / "loading_host", PROGRAMS / "extension.so"], LD_PRELOAD=LIBRARY)
        self.check(result)
        self.assertIn("libgraphblas-8a6b1c2d", result["real"])

    def test_two_copies_are_left_alone(self):
        result = run([PROGRAMS / "loading_host", PROGRAMS / "libgraphblas-incomplete.so", PROGRAMS / "extension.so"],
                     LD_PRELOAD=LIBRARY, CUGRB_NOTICE="1")
        self.check_told(result, forward_only="more than one copy")
        self.assertIn("libgraphblas-8a6b1c2d", result["real"], "the caller's own copy is the one to forward to")

    def test_named_library(self):
        self.check(run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_GRAPHBLAS=REAL))

    def test_named_library_that_does_not_exist(self):
        result = run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_GRAPHBLAS="/nonexistent/libgraphblas.so")
        self.check(result, forward_only="CUGRB_GRAPHBLAS")

    def test_named_library_that_is_the_interposer(self):
        self.check(run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_GRAPHBLAS=LIBRARY),
                   forward_only="CUGRB_GRAPHBLAS")

    def run_beside(self, library):
        """The computation with every call on the emulated device, if it may, before this library; as cugrb exec asks."""
        return run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_OFFLOAD="always", CUGRB_DEVICE="emulated",
                   CUGRB_GRAPHBLAS=str(library), CUGRB_NOTICE="1")

    def test_an_unknown_version_with_the_known_layout_is_served(self):
        result = self.run_beside(PROGRAMS / "other_version.so")
        self.check(result)
        self.assertEqual(result["gpu"], "1", result["output"])
        self.assertNotIn("cugrb: ", result["output"])

    def test_another_layout_is_forwarded_to(self):
        result = self.run_beside(PROGRAMS / "other_layout.so")
        self.check_told(result, forward_only="its hypersparse matrices are kept in another way than cuGrB reads them "
                                             "(the dimensions or the number of entries)")
        self.assertEqual(result["gpu"], "0")

    def test_a_library_with_an_unknown_function_is_forwarded_to(self):
        result = self.run_beside(PROGRAMS / "other_function.so")
        self.check_told(result, forward_only="does not know: GxB_Matrix_of_the_future")
        self.assertEqual(result["gpu"], "0")

    def test_a_library_that_lacks_a_function_is_forwarded_to(self):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "libgraphblas-without.so"
            content = pathlib.Path(REAL).read_bytes()
            self.assertEqual(content.count(b"\0GrB_Matrix_kronecker_Monoid\0"), 1)
            library.write_bytes(content.replace(b"\0GrB_Matrix_kronecker_Monoid\0", b"\0XrB_Matrix_kronecker_Monoid\0"))
            result = self.run_beside(library)
        self.check_told(result, forward_only="lacks 1 functions that every version has, GrB_Matrix_kronecker_Monoid first")
        self.assertEqual(result["gpu"], "0")

    def test_an_incomplete_library_fails_without_a_crash(self):
        result = run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY,
                     CUGRB_GRAPHBLAS=str(PROGRAMS / "libgraphblas-incomplete.so"))
        self.assertEqual(result["status"], 1, result["output"])
        self.assertIn("GrB_init", result["output"])

    def test_no_device(self):
        result = run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_OFFLOAD="always", CUGRB_DEVICE="none")
        self.check(result)
        self.assertEqual((result["gpu"], result["cpu"]), ("0", "1"))

    def test_emulated_device(self):
        result = run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_OFFLOAD="always", CUGRB_DEVICE="emulated")
        self.check(result)
        self.assertEqual(result["gpu"], "1", result["output"])

    def test_wrong_setting_stops_init(self):
        result = run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_OFFLOAD="sometimes")
        self.assertIn("GrB_init(GrB_NONBLOCKING): -3", result["output"])

    def test_unknown_kernel_stops_init_and_the_trace_says_so(self):
        result = run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_FORCE="mxv_by_magic", CUGRB_TRACE="1")
        self.assertIn("GrB_init(GrB_NONBLOCKING): -3", result["output"])
        self.assertIn("no such kernel", result["output"])
        self.check(run([PROGRAMS / "loading_direct"], LD_PRELOAD=LIBRARY, CUGRB_FORCE="mxv_merge",
                       CUGRB_OFFLOAD="always", CUGRB_DEVICE="emulated"))

    def test_preloaded_through_dlsym(self):
        """ctypes asks the real library's own handle: the interposer answers."""
        result = run_ctypes("ctypes.CDLL(None)", LD_PRELOAD=LIBRARY)
        self.assertEqual(result["status"], 0, result["output"])
        self.assertEqual((result["value"], result["product"]), ("1.5", "2.25"))
        self.assertIn("GrB_mxm on emulated", result["output"])

    def test_program_with_foreign_rights_is_passed_on(self):
        nobody = 65534
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            if os.geteuid() != 0 or os.statvfs(folder).f_flag & os.ST_NOSUID:
                self.skipTest("a set-user-ID program takes root, and a file system that honours it")
            program = pathlib.Path(folder) / "program"
            shutil.copy(PROGRAMS / "loading_link_order", program)
            os.chmod(program, 0o4755)
            if run([program], user=nobody)["status"] == 127:
                self.skipTest("the library's folder is not open to other users")
            # The folder is root's: what is made in it is made with the file's rights.
            places = {name: str(pathlib.Path(folder) / name) for name in
                      ("CUGRB_CACHE", "CUGRB_REQUESTS", "XDG_CACHE_HOME", "HOME", "CUGRB_NVRTC", "CUGRB_CUSPARSE")}
            wishes = {"CUGRB_OFFLOAD": "always", "CUGRB_DEVICE": "emulated", **places}
            for trace in (str(pathlib.Path(folder) / "trace.json"), "1"):
                result = run([program], user=nobody, CUGRB_GRAPHBLAS="/nonexistent/libgraphblas.so", CUGRB_TRACE=trace,
                             CUGRB_SUMMARY="1", CUGRB_NOTICE="1", **wishes)
                self.check(result, forward_only="rights that its user does not have")
                self.assertEqual(result["gpu"], "0")
                self.assertNotIn("cugrb:", result["output"])
                self.assertEqual(os.listdir(folder), ["program"])
            self.check(run([program], CUGRB_OFFLOAD="never"))  # for its owner it is a program like others

    def test_child_of_a_fork_computes_on_the_cpu(self):
        plain = run([PROGRAMS / "loading_direct", "fork"])
        for variables in ({}, {"CUGRB_OFFLOAD": "always", "CUGRB_DEVICE": "emulated"}):
            with self.subTest(**variables):
                result = run([PROGRAMS / "loading_direct", "fork"], LD_PRELOAD=LIBRARY, **variables)
                self.check(result)
                self.assertEqual(result["child"], plain["child"])
                self.assertEqual(result["before the fork"], plain["before the fork"])


if __name__ == "__main__":
    unittest.main()
