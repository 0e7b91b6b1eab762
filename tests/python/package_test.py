#!/usr/bin/env python3
"""The package of Python as a user gets it: the wheel and python-graphblas in a fresh environment, programs in it.

Versions of SuiteSparse that no release of python-graphblas takes are tested through the binding below it.
"""

import argparse
import os
import pathlib
import platform
import re
import subprocess
import sys
import unittest
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
ROOT = HERE.parent.parent
EMULATED = {"CUGRB_DEVICE": "emulated", "CUGRB_OFFLOAD": "always"}
NOTICE = "cugrb: every call is passed on to SuiteSparse: "

OPTIONS = None  # of the command line
WHEEL = None  # the wheel's file
PYTHON = None  # the environment's interpreter


def make_environment(folder, pins):
    """A virtual environment with the pinned packages, and the wheel installed anew."""
    python = folder / "bin" / "python"
    stamp = folder / "pins.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(pins):
        venv.create(folder, clear=True, with_pip=True)
        pip(python, "install", "--only-binary=:all:", *pins)
        stamp.write_text("\n".join(pins))
    pip(python, "install", "--force-reinstall", "--no-deps", "--no-index", str(WHEEL))
    return python


def pip(python, *words):
    done = subprocess.run([str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", *words], text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"pip {' '.join(words)} failed; PyPI must be reachable\n{done.stdout}{done.stderr}")


def run(*words, path=None, **variables):
    """The finished process of a command; its environment has no settings but these."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("CUGRB_", "LD_", "PYTHON"))}
    environment.update(CUGRB_CACHE=OPTIONS.cache, **variables)
    environment["PATH"] = str(PYTHON.parent) + (":" + environment["PATH"] if path is None else path)
    return subprocess.run([str(word) for word in words], env=environment, text=True, capture_output=True, check=False,
                          timeout=300)


def has_python_graphblas():
    return any(pin.startswith("python-graphblas") for pin in OPTIONS.pin)


class Case(unittest.TestCase):
    maxDiff = None

    def check(self, done, output=None):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if output is not None:
            self.assertEqual(done.stdout, output, done.stderr)
        return done


class Wheel(Case):
    def test_holds_the_library_and_the_command_and_nothing_of_cuda(self):
        self.assertRegex(WHEEL.name, r"^cugrb-[0-9.]+-py3-none-manylinux_2_[0-9]+_x86_64\.whl$")
        names = zipfile.ZipFile(WHEEL).namelist()
        self.assertIn("cugrb/lib/libcugrb.so", names)
        self.assertIn("cugrb/bin/cugrb", names)
        self.assertIn("cugrb/py.typed", names)
        for unwanted in ("libcuda", "libnvrtc", "libcusparse", "libgraphblas", "libstdc++"):
            self.assertFalse([name for name in names if unwanted in name], unwanted)

    def test_is_for_systems_with_glibc_2_34(self):
        """Built with a newer C library than Debian 12's it may need that."""
        if tuple(map(int, platform.libc_ver()[1].split("."))) > (2, 36):
            self.skipTest("the C library here is newer")
        self.assertLessEqual(int(re.search(r"manylinux_2_([0-9]+)", WHEEL.name)[1]), 34, WHEEL.name)

    def test_the_extra_names_what_compiles_kernels(self):
        archive = zipfile.ZipFile(WHEEL)
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        self.assertRegex(archive.read(metadata).decode(), r'Requires-Dist: nvidia-cuda-nvrtc.*extra == "cuda"')


class Results(Case):
    """One program, in every way in which cuGrB can be in front of it or not: it prints the same."""

    @classmethod
    def setUpClass(cls):
        cls.program = PROGRAMS / ("computation.py" if has_python_graphblas() else "binding.py")
        plain = run(PYTHON, cls.program, "a b", "c")
        assert plain.returncode == 0, plain.stderr
        assert "arguments ['a b', 'c'] __main__" in plain.stdout
        cls.plain = plain.stdout

    def test_python_m(self):
        done = self.check(run(PYTHON, "-m", "cugrb", "--summary", self.program, "a b", "c", **EMULATED), self.plain)
        self.assertRegex(done.stderr, r"GrB_mxm +emulated")

    def test_python_m_options_of_the_interpreter(self):
        done = self.check(run(PYTHON, "-X", "utf8", "-W", "error::UserWarning", "-m", "cugrb", "--device=emulated", "--",
                              "-c", "import sys; print(sys.argv[1:], sys.flags.utf8_mode, sys.warnoptions)", "x"))
        self.assertEqual(done.stdout, "['x'] 1 ['error::UserWarning']\n")

    def test_python_m_module(self):
        done = self.check(run(PYTHON, "-m", "cugrb", "-m", "json.tool", "--help"))
        self.assertIn("json.tool", done.stdout)

    def test_exec(self):
        done = self.check(run("cugrb", "exec", "--summary", "--", PYTHON, self.program, "a b", "c", **EMULATED),
                          self.plain)
        self.assertRegex(done.stderr, r"GrB_mxm +emulated")

    def test_import(self):
        done = self.check(run(PYTHON, PROGRAMS / "imported.py", self.program, "a b", "c", **EMULATED), self.plain)
        self.assertRegex(done.stderr, r"^[1-9][0-9]* calls on the device")

    def test_import_where_something_else_has_preloaded_it(self):
        done = self.check(run(PYTHON, "-m", "cugrb", PROGRAMS / "imported.py", self.program, "a b", "c", **EMULATED),
                          self.plain)
        self.assertRegex(done.stderr, r"^[1-9][0-9]* calls on the device")

    def test_import_too_late(self):
        done = self.check(run(PYTHON, PROGRAMS / "too_late.py", self.program, "a b", "c", **EMULATED), self.plain)
        self.assertEqual(done.stderr, "")

    def test_import_with_the_contents_moved_out_after_every_call(self):
        self.check(run(PYTHON, PROGRAMS / "imported.py", self.program, "a b", "c", CUGRB_STRESS="evict-all", **EMULATED),
                   self.plain)

    def test_without_a_device(self):
        for words in ((PYTHON, "-m", "cugrb"), (PYTHON, PROGRAMS / "imported.py")):
            with self.subTest(words=words):
                done = self.check(run(*words, self.program, "a b", "c", CUGRB_DEVICE="none"), self.plain)
                self.assertEqual(done.stderr.count(NOTICE + "CUGRB_DEVICE=none\n"), 1, done.stderr)

    def test_the_notice_can_be_kept_quiet(self):
        done = self.check(run(PYTHON, "-m", "cugrb", self.program, "a b", "c", CUGRB_DEVICE="none", CUGRB_NOTICE="0"),
                          self.plain)
        self.assertEqual(done.stderr, "")

    def test_in_an_environment_without_a_compiler(self):
        done = self.check(run(PYTHON, PROGRAMS / "imported.py", self.program, "a b", "c", path=""), self.plain)
        device = run(PYTHON, "-c", "import cugrb; print(cugrb.info()['device']['kind'])").stdout.strip()
        self.assertEqual(NOTICE in done.stderr, device == "none", done.stderr)


class Package(Case):
    def test_everything_that_it_offers(self):
        if not has_python_graphblas():
            self.skipTest("the program is one of python-graphblas")
        self.check(run(PYTHON, PROGRAMS / "observed.py", **EMULATED), "all as it should be\n")

    def test_import_is_quiet_and_loads_no_graphblas(self):
        code = ("import cugrb, pathlib; maps = pathlib.Path('/proc/self/maps').read_text(); "
                "print('libgraphblas' in maps, cugrb.is_active(), cugrb.__version__)")
        done = self.check(run(PYTHON, "-W", "error", "-c", code, CUGRB_DEVICE="none"))
        version = WHEEL.name.split("-")[1]
        self.assertEqual((done.stdout, done.stderr), (f"False True {version}\n", ""))

    def test_a_wrong_setting_is_an_error(self):
        done = run(PYTHON, PROGRAMS / "imported.py", PROGRAMS / "binding.py", CUGRB_OFFLOAD="sometimes")
        self.assertNotEqual(done.returncode, 0)
        done = run(PYTHON, "-m", "cugrb", "--offload=sometimes", PROGRAMS / "binding.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("CUGRB_OFFLOAD=sometimes", done.stderr)

    def test_python_m_without_a_program(self):
        done = run(PYTHON, "-m", "cugrb")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("python -m cugrb [OPTIONS] script.py", done.stderr)
        done = self.check(run(PYTHON, "-m", "cugrb", "--help"))
        self.assertIn("python -m cugrb [OPTIONS] script.py", done.stdout)

    def test_a_program_under_exec_does_not_get_the_command_s_library(self):
        done = self.check(run("cugrb", "exec", "--", PYTHON, "-c", "import os; print(os.environ['LD_PRELOAD'], "
                              "'_CUGRB_COMMAND_GRAPHBLAS' in os.environ)"))
        self.assertRegex(done.stdout, r"^[^:]*/cugrb/lib/libcugrb\.so False\n$")

    def test_the_command(self):
        done = self.check(run("cugrb", "info", "--json", CUGRB_DEVICE="emulated"))
        self.assertIn('"emulated"', done.stdout)
        done = self.check(run("cugrb", "run", "bfs", "rmat:6:4", "--backend", "cpu"))
        self.assertIn("54 vertices reached", done.stdout)


class Example(Case):
    graph = ROOT / "tests" / "data" / "debian12.mtx.xz"
    program = ROOT / "examples" / "python" / "graph_times.py"

    def setUp(self):
        if not has_python_graphblas():
            self.skipTest("the example is one of python-graphblas")

    def results(self, done):
        self.check(done)
        self.assertRegex(done.stdout, r"(?m)^PageRank +with cuGrB +[0-9.]+ ms \([0-9]+ calls.* without +[0-9.]+ ms$")
        self.assertRegex(done.stdout, r"(?m)^min-hypot +with cuGrB +[0-9.]+ ms \([0-9]+ calls.* without +[0-9.]+ ms$")
        self.assertIn("highest ranks: 16807, 20902, 7821, 49509, 46622\n", done.stdout)
        self.assertIn("from vertex 0: 217 vertices reached, the farthest 2.8284\n", done.stdout)
        return done.stdout

    def test_without_a_compiler(self):
        self.results(run(PYTHON, self.program, self.graph, path=""))

    def test_on_the_emulated_device(self):
        output = self.results(run(PYTHON, self.program, self.graph, **EMULATED))
        self.assertNotIn("(0 calls on the device)", output)


def main():
    global OPTIONS, WHEEL, PYTHON
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheels", type=pathlib.Path, required=True, help="the folder of the wheel")
    parser.add_argument("--environment", type=pathlib.Path, required=True, help="where the environment is made")
    parser.add_argument("--cache", required=True, help="the kernel cache")
    parser.add_argument("--pin", action="append", required=True, help="a package of PyPI with its version")
    OPTIONS, rest = parser.parse_known_args()
    WHEEL, = OPTIONS.wheels.glob("cugrb-*.whl")
    PYTHON = make_environment(OPTIONS.environment, OPTIONS.pin)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
