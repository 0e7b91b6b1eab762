#!/usr/bin/env python3
"""Tests of the cugrb command, as a user meets it: output, messages, exit codes.

    command_test.py --cugrb BUILD/bin/cugrb [--library BUILD/lib/libcugrb.so] --data tests/data [--compiler cc] [unittest arguments]
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None
PATH_GRAPH = "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n3 4\n"

# With one of these a trace has another name; the tests may run under srun or mpirun.
RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cugrb-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_cugrb(self, *arguments, environment=None, timeout=300):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("CUGRB_", "LD_PRELOAD", *RANKS))}
        clean["CUGRB_CACHE"] = os.environ.get("CUGRB_CACHE", str(self.folder / "cache"))
        clean.update(environment or {})
        return subprocess.run([OPTIONS.cugrb, *map(str, arguments)], capture_output=True, text=True, env=clean, timeout=timeout)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def assert_fails(self, result, code, *parts):
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        for part in parts:
            self.assertIn(part, result.stderr)

    def assert_works(self, result, *parts):
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        for part in parts:
            self.assertIn(part, result.stdout)


class CommandLine(CommandTest):
    def test_help_lists_every_subcommand(self):
        self.assert_works(self.run_cugrb("--help"), "exec", "run", "info", "calibrate", "precompile", "generate", "Exit codes")
        for words in (["exec"], ["run", "pagerank"], ["run", "hits"], ["run", "rwr"], ["run", "bfs"], ["info"], ["precompile"], ["generate", "rmat"]):
            self.assert_works(self.run_cugrb(*words, "--help"), "--help")

    def test_calibrate_measures_what_lies_between_devices(self):
        two = {"CUGRB_DEVICE": "emulated", "CUGRB_DEVICES": "0,1"}
        out = self.folder / "profile.json"
        self.assert_works(self.run_cugrb("calibrate", "--devices", "--output", out, environment=two),
                          "2 x emulated, between devices", "profile.json")
        numbers = json.loads(out.read_text())["numbers"]
        self.assertGreater(numbers["peer_bytes_per_second"], 0)
        self.assertGreater(numbers["peer_seconds"], 0)
        self.assert_fails(self.run_cugrb("calibrate", "--devices", environment={"CUGRB_DEVICE": "emulated"}), 1,
                          "CUGRB_DEVICES")

    def test_calibrate_says_what_it_lacks(self):
        self.assert_fails(self.run_cugrb("calibrate", environment={"CUGRB_DEVICE": "none"}), 1, "no device")
        self.assert_fails(self.run_cugrb("calibrate", "--results", self.folder / "none.json"), 1, "cannot be read")
        self.assert_fails(self.run_cugrb("calibrate", "--results", self.file("half.json", '{"matrices": [')), 1, "half.json", "parse error")
        self.assert_fails(self.run_cugrb("calibrate", "--results", self.file("other.json", "{}")), 1, "not a file of bench_spmv")

    def test_version(self):
        self.assertRegex(self.run_cugrb("--version").stdout, r"^cugrb \d+\.\d+\.\d+\n$")

    def test_wrong_command_lines_end_with_2(self):
        self.assert_fails(self.run_cugrb(), 2)
        self.assert_fails(self.run_cugrb("walk"), 2)
        self.assert_fails(self.run_cugrb("run", "colouring", "x"), 2)
        self.assert_fails(self.run_cugrb("run", "pagerank"), 2, "run needs a graph")
        self.assert_fails(self.run_cugrb("run", "pagerank", "rmat:4", "--damping", "1.5"), 2)
        self.assert_fails(self.run_cugrb("run", "bfs", "rmat:4", "--backend", "tpu"), 2)
        self.assert_fails(self.run_cugrb("exec"), 2, "exec needs a program")
        self.assert_fails(self.run_cugrb("explain", "--", "true"), 2, "only exec, operators and info take a program")

    def test_a_wrong_setting_is_named_before_anything_runs(self):
        result = self.run_cugrb("exec", "--offload", "sometimes", "--", "true")
        self.assert_fails(result, 2, "CUGRB_OFFLOAD=sometimes")
        self.assert_fails(self.run_cugrb("info", environment={"CUGRB_DEVICE": "abacus"}), 2, "CUGRB_DEVICE=abacus")
        self.assert_fails(self.run_cugrb("run", "bfs", "rmat:4", "--memory-limit", "lots"), 2, "CUGRB_MEMORY_LIMIT")
        self.assert_fails(self.run_cugrb("exec", "--force", "mxv_magic", "--", "true"), 2, "CUGRB_FORCE=mxv_magic: expected one of mxv_")


class Info(CommandTest):
    def test_text_and_json_say_the_same(self):
        self.assert_works(self.run_cugrb("info"), "GraphBLAS", "device", "kernel cache")
        described = json.loads(self.run_cugrb("info", "--json", environment={"CUGRB_VERIFY": "1"}).stdout)
        self.assertEqual(described["settings"]["CUGRB_VERIFY"], "1")
        self.assertRegex(described["graphblas"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertIn("device", described)

    def test_the_emulated_device_describes_itself(self):
        described = json.loads(self.run_cugrb("info", "--json", environment={"CUGRB_DEVICE": "emulated"}).stdout)
        self.assertIn("emulated", described["device"]["profile"]["source"])
        self.assertEqual(described["device"].get("name"), "emulated")
        workloads = described["device"]["profile"]["workloads"]
        self.assertEqual(sorted(workloads), ["bool", "fp32", "fp64", "pattern"])
        for rates in workloads.values():
            self.assertEqual(len(rates), 20)
            self.assertGreater(rates["128x1"], 0)

    def test_no_device_says_why(self):
        described = json.loads(self.run_cugrb("info", "--json", environment={"CUGRB_DEVICE": "none"}).stdout)
        self.assertTrue(described["device"]["unavailable"])


class Generate(CommandTest):
    def test_a_generated_file_is_a_graph(self):
        path = self.folder / "g.mtx.gz"
        self.assert_works(self.run_cugrb("generate", "rmat", "6", "4", "--seed", "3", "-o", path), "64 x 64")
        with gzip.open(path, "rt") as file:
            self.assertEqual(file.readline(), "%%MatrixMarket matrix coordinate pattern symmetric\n")
        self.assert_works(self.run_cugrb("run", "bfs", path, "--backend", "cpu"), "64 vertices", "undirected")

    def test_chung_lu_by_preset_and_by_numbers(self):
        path = self.folder / "g.mtx"
        self.assert_works(self.run_cugrb("generate", "chung_lu", "youtube", "--scale", "0.01", "-o", path), "11000 x 11000")
        self.assert_works(self.run_cugrb("run", "hits", path, "--backend", "cpu"), "11000 vertices", "directed")
        self.assert_works(self.run_cugrb("generate", "chung_lu", "--vertices", 500, "--entries", 4000, "--exponent", 2.5, "--longest", 90,
                                         "--undirected", "-o", path), "500 x 500")
        self.assertIn("symmetric", path.read_text().splitlines()[0])
        self.assert_fails(self.run_cugrb("generate", "chung_lu", "-o", path), 2, "needs a preset, or --vertices and --entries")
        self.assert_fails(self.run_cugrb("generate", "chung_lu", "fliker", "-o", path), 2)
        self.assert_fails(self.run_cugrb("generate", "chung_lu", "--vertices", 9, "--entries", 80, "-o", path), 2, "at most a quarter")

    def test_a_file_that_cannot_be_written_fails(self):
        self.assert_fails(self.run_cugrb("generate", "banded", "4", "1", "-o", "/nonexistent/x.mtx"), 1, "cannot be written")

    def test_numbers_of_generated_graphs_are_decimal_and_make_sense(self):
        path = self.folder / "graph.mtx"
        self.assert_works(self.run_cugrb("generate", "uniform", "010", "-o", path), "10 x 10")
        for words in (["banded", "10", "-1"], ["poisson2d", "10", "0"], ["poisson2d", "0"], ["uniform", "5000000000"],
                      ["chung_lu", "--vertices", "50", "--entries", "100", "--scale", "5"]):
            self.assert_fails(self.run_cugrb("generate", *words, "-o", path), 2)
        self.assert_fails(self.run_cugrb("generate", "banded", "4", "1"), 2, "--output")
        self.assert_fails(self.run_cugrb("generate", "rmat", "40", "-o", self.folder / "x.mtx"), 2)


class Run(CommandTest):
    def test_bfs_of_a_path(self):
        path = self.file("path.mtx", PATH_GRAPH)
        names = self.file("names", "a\nb\nc\nd\n")
        out = self.folder / "out.json"
        result = self.run_cugrb("run", "bfs", path, "--backend", "cpu", "--source", "a", "--names", names, "--json", out)
        self.assert_works(result, "BFS from a: 4 vertices reached, 3 levels", "3   d  from c")
        report = json.loads(out.read_text())[0]
        self.assertEqual(report["result"]["levels"], [1, 1, 1, 1])
        self.assertEqual(report["backend"], "cpu")
        self.assertEqual(report["graph"]["entries"], 3)

    def test_pagerank_of_the_debian_graph_finds_libc6(self):
        data = pathlib.Path(OPTIONS.data)
        result = self.run_cugrb("run", "pagerank", data / "debian12.mtx.xz", "--names", data / "debian12.names.xz", "--backend",
                                "both", "--top", "3", "--repeat", "2", "--summary")
        self.assert_works(result, "libc6", "converged after", "median", "where each call ran")

    def test_hits_tells_hubs_from_authorities(self):
        path = self.file("hits.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 3\n2 3\n2 4\n")
        names = self.file("names", "small\nlarge\nmain\nside\n")
        out = self.folder / "out.json"
        result = self.run_cugrb("run", "hits", path, "--backend", "cpu", "--names", names, "--tolerance", "1e-9", "--double",
                                "--json", out)
        self.assert_works(result, "HITS: converged after", "authority", "hub")
        report = json.loads(out.read_text())[0]
        self.assertEqual([e["name"] for e in report["top"][:2]], ["main", "side"])
        self.assertEqual([e["name"] for e in report["top_hubs"][:2]], ["large", "small"])
        self.assertAlmostEqual(report["top"][0]["value"], 2 / (1 + 5**0.5), places=6)

    def test_random_walks_from_a_name_and_from_many_vertices(self):
        path = self.file("edge.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
        names = self.file("names", "a\nb\nc\n")
        result = self.run_cugrb("run", "rwr", path, "--backend", "cpu", "--names", names, "--source", "a", "--damping", "0.5",
                                "--tolerance", "1e-9", "--double")
        # a = 1/2 + b/4, c = b/4, b = (a + c)/2: a = 7/12, b = 4/12, c = 1/12.
        self.assert_works(result, "Random walk from a: converged", "0.583333   a\n  0.333333   b\n  0.083333   c")
        result = self.run_cugrb("run", "rwr", path, "--backend", "cpu", "--queries", "5")
        self.assert_works(result, "Random walks from 5 vertices: converged", "The first one is from vertex")

    def test_a_bad_file_names_its_line(self):
        bad = self.file("bad.mtx", PATH_GRAPH.replace("2 3", "2 7"))
        self.assert_fails(self.run_cugrb("run", "pagerank", bad, "--backend", "cpu"), 1,
                          f"{bad}:4: expected a column between 1 and 4, found '7'")
        self.assert_fails(self.run_cugrb("run", "pagerank", self.folder / "none.mtx", "--backend", "cpu"), 1, "cannot be opened")
        wide = self.file("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n")
        self.assert_fails(self.run_cugrb("run", "bfs", wide, "--backend", "cpu"), 1, "needs a square matrix")

    def test_a_matrix_that_does_not_fit_into_memory_is_named_with_its_size(self):
        path = self.file("large.mtx", PATH_GRAPH.replace("4 4 3", "200000000 200000000 3"))
        for words in (["run", "bfs", path, "--backend", "cpu"], ["explain", path], ["explain", "--mxm", path]):
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            result = subprocess.run([OPTIONS.cugrb, *words], capture_output=True, text=True, preexec_fn=limit, timeout=300)
            self.assert_fails(result, 1, str(path), "200000000 rows, 200000000 columns and 3 entries", "bytes")

    def test_a_bad_source_is_named(self):
        path = self.file("path.mtx", PATH_GRAPH)
        self.assert_fails(self.run_cugrb("run", "bfs", path, "--backend", "cpu", "--source", "4"), 2, "between 0 and 3")
        self.assert_fails(self.run_cugrb("run", "bfs", path, "--backend", "cpu", "--source", "x"), 2, "no vertex has the name 'x'")

    def test_no_gpu_is_an_error_for_gpu_and_a_note_for_both(self):
        environment = {"CUGRB_DEVICE": "none"}
        self.assert_fails(self.run_cugrb("run", "bfs", "rmat:4", "--backend", "gpu", environment=environment), 1,
                          "--backend gpu: ", "CUGRB_DEVICE=none")
        self.assert_works(self.run_cugrb("run", "bfs", "rmat:4", "--backend", "both", environment=environment), "No GPU here")

    def test_a_graph_can_come_through_a_pipe(self):
        edges = self.file("path.txt", "".join(f"{n} {n + 1}\n" for n in range(150000)))  # more than is read at once
        read = f"'{OPTIONS.cugrb}' run bfs /dev/stdin --backend cpu --source 0"
        result = subprocess.run(["sh", "-c", f"cat '{edges}' | {read}"], capture_output=True, text=True, timeout=300)
        self.assert_works(result, "150001 vertices reached")

    def test_the_cpu_backend_is_the_cpu_whatever_is_preloaded(self):
        if not OPTIONS.library:
            self.skipTest("no libcugrb.so in this build")
        environment = {"LD_PRELOAD": OPTIONS.library, "CUGRB_DEVICE": "emulated", "CUGRB_OFFLOAD": "always",
                       "CUGRB_SUMMARY": "1"}
        result = self.run_cugrb("run", "bfs", "rmat:4", "--backend", "cpu", environment=environment)
        self.assert_works(result, "vertices reached")
        self.assertNotIn("GrB_mxv", result.stderr)
        self.assertNotIn("GrB_vxm", result.stderr)

    def test_numbers_that_are_none_are_refused(self):
        for option in ("--tolerance", "--damping"):
            self.assert_fails(self.run_cugrb("run", "pagerank", "rmat:4", option, "nan"), 2, "finite")
        self.assert_fails(self.run_cugrb("run", "rwr", "rmat:4", "--source", "1", "--queries", "3"), 2, "--queries")
        self.assert_fails(self.run_cugrb("calibrate", "--number", "typo", "--results", "none.json"), 2, "typo")

    def test_a_refused_command_line_does_nothing(self):
        target = self.folder / "y.mtx"
        self.assert_fails(self.run_cugrb("generate", "rmat", "3", "-o", target, "--", "x"), 2, "only exec")
        self.assertFalse(target.exists())

    def test_an_edge_list_can_be_directed(self):
        edges = self.file("edges.txt", "# comment\n0 1\n1 2\n")
        self.assert_works(self.run_cugrb("run", "bfs", edges, "--backend", "cpu", "--source", "2"), "3 vertices reached")
        self.assert_works(self.run_cugrb("run", "bfs", edges, "--backend", "cpu", "--source", "2", "--directed"), "1 vertices reached")

    def test_the_emulated_device_gives_the_same_ranks(self):
        if not OPTIONS.library:
            self.skipTest("no libcugrb.so in this build")
        for algorithm in ("pagerank", "hits", "rwr"):
            reports = []
            for backend in ("cpu", "emulated"):
                out = self.folder / f"{backend}.json"
                self.assert_works(self.run_cugrb("run", algorithm, "rmat:7:8", "--backend", backend, "--json", out, "--summary"))
                reports.append(json.loads(out.read_text())[0])
            self.assertEqual(reports[0]["result"]["iterations"], reports[1]["result"]["iterations"])
            for a, b in zip(reports[0]["top"], reports[1]["top"]):
                self.assertAlmostEqual(a["value"], b["value"], delta=1e-5)
            calls = {(c["function"], c["place"]): c["count"] for c in reports[1]["trace"]["calls"]}
            self.assertGreaterEqual(calls.get(("GrB_mxv", "emulated"), 0), reports[1]["result"]["iterations"])

    def test_triangles_are_counted_by_every_method(self):
        # 0, 1, 2, 3 are all connected; 4 hangs on 3.
        path = self.file("k4.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 7\n2 1\n3 1\n3 2\n4 1\n4 2\n4 3\n5 4\n")
        for method in ("burkhardt", "cohen", "sandia_ll", "sandia_uu", "sandia_lut", "sandia_ult"):
            self.assert_works(self.run_cugrb("run", "triangles", path, "--backend", "cpu", "--method", method), "4 triangles")
        self.assert_works(self.run_cugrb("run", "triangles", path, "--backend", "cpu", "--presort", "descending"), "presort descending")
        self.assert_fails(self.run_cugrb("run", "triangles", path, "--backend", "cpu", "--method", "best"), 2, "--method")

    def test_simrank_names_the_similar_vertices(self):
        # 0 points at 1 and 2: s(1,2) = c.
        edges = self.file("pair.txt", "0 1\n0 2\n")
        out = self.folder / "simrank.json"
        self.assert_works(self.run_cugrb("run", "simrank", edges, "--directed", "--backend", "cpu", "--source", "1", "--json", out), "Most similar to vertex 1")
        top = json.loads(out.read_text())[0]["top"][0]
        self.assertEqual(top["vertex"], 2)
        self.assertAlmostEqual(top["value"], 0.8, delta=1e-6)


class Exec(CommandTest):
    def setUp(self):
        super().setUp()
        if not OPTIONS.library:
            self.skipTest("no libcugrb.so in this build")

    def compile(self, name, text, *flags):
        source = self.file(name + ".c", text)
        program = self.folder / name
        done = subprocess.run([OPTIONS.compiler, source, "-o", program, *flags], capture_output=True, text=True)
        return program if done.returncode == 0 else None

    def test_the_library_is_in_front_and_arguments_pass_through(self):
        result = self.run_cugrb("exec", "--offload", "never", "--", "sh", "-c", 'echo "$LD_PRELOAD" "$CUGRB_OFFLOAD" "$1" "$2"', "sh",
                                "--trace", "a b")
        self.assert_works(result, "libcugrb.so never --trace a b")

    def test_the_programs_exit_code_is_the_commands(self):
        self.assertEqual(self.run_cugrb("exec", "--", "sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(self.run_cugrb("exec", "sh", "-c", "exit 7").returncode, 7)

    def test_a_second_separator_is_the_programs(self):
        self.assert_works(self.run_cugrb("exec", "--offload", "never", "echo", "a", "--", "b"), "a -- b")
        self.assert_works(self.run_cugrb("exec", "--", "echo", "a", "--", "b"), "a -- b")

    def test_missing_and_unusable_programs_are_named(self):
        self.assert_fails(self.run_cugrb("exec", "--", "no-such-program-here"), 127, "'no-such-program-here' is not there (looked in PATH)")
        self.assert_fails(self.run_cugrb("exec", "--", "./no-such-program-here"), 127, "is not there")
        self.assert_fails(self.run_cugrb("exec", "--", self.file("text", "hello")), 126, "is not executable")

    def test_exec_says_in_one_line_that_every_call_is_passed_on(self):
        program = self.compile("program", PROGRAM, "-lgraphblas")
        if program is None:
            self.skipTest("no C compiler with GraphBLAS here")
        for settings, line in (({"CUGRB_DEVICE": "none"}, "cugrb: every call is passed on to SuiteSparse: CUGRB_DEVICE=none\n"),
                               ({"CUGRB_DEVICE": "none", "CUGRB_NOTICE": "0"}, ""),
                               ({"CUGRB_DEVICE": "emulated"}, "")):
            with self.subTest(**settings):
                result = self.run_cugrb("exec", "--", program, environment=settings)
                self.assert_works(result, "3\n")
                self.assertEqual(result.stderr, line)

    def test_without_a_compiler_all_is_passed_on_and_nothing_is_copied(self):
        program = self.compile("program", SEVERAL_CALLS, "-lgraphblas")
        no_compiler = self.compile("no_compiler", NO_COMPILER, "-shared", "-fPIC")
        if program is None or no_compiler is None:
            self.skipTest("no C compiler with GraphBLAS here")
        result = self.run_cugrb("exec", "--trace", "--device", "emulated", "--offload", "always", "--", program,
                                environment={"LD_PRELOAD": str(no_compiler), "CUGRB_KERNEL_PACK": "off"})
        self.assert_works(result, "-10\n")
        why = "the emulated device needs a C++ compiler"
        self.assertEqual(result.stderr.count(f"cugrb: every call is passed on to SuiteSparse: {why}"), 1, result.stderr)
        calls = [line for line in result.stderr.splitlines() if re.match(r"cugrb: GrB_Vector_(apply|reduce)\w* on ", line)]
        self.assertEqual(len(calls), 6, result.stderr)
        for place, call in enumerate(calls):
            self.assertIn(" on cpu ", call)
            self.assertIn(why, call)
            self.assertEqual(" up " in call, place == 0, call)

    def test_a_static_program_is_refused(self):
        program = self.compile("fixed", "int main(void) { return 0; }", "-static")
        if program is None:
            self.skipTest("the compiler cannot link statically here")
        self.assert_fails(self.run_cugrb("exec", "--", program), 126, "statically linked")

    def outlook(self, *program, **environment):
        result = self.run_cugrb("info", "--json", "--", *program, environment=environment)
        self.assert_works(result)
        return json.loads(result.stdout)

    def test_info_tells_what_a_program_would_meet_and_does_not_run_it(self):
        program = self.compile("program", PROGRAM, "-lgraphblas")
        if program is None:
            self.skipTest("no C compiler with GraphBLAS here")
        found = self.outlook(program, CUGRB_DEVICE="emulated")
        self.assertEqual(found["program"], str(program))
        self.assertIn("libgraphblas", found["graphblas"]["path"])
        self.assertRegex(found["graphblas"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual((found["offloaded"], found["device"]), (True, "emulated"))
        self.assertNotIn("reason", found)
        found = self.outlook(program, CUGRB_DEVICE="none")
        self.assertFalse(found["offloaded"])
        self.assertIn("CUGRB_DEVICE=none", found["reason"])
        found = self.outlook(program, CUGRB_DEVICE="emulated", CUGRB_OFFLOAD="never")
        self.assertEqual((found["offloaded"], found["reason"]), (False, "CUGRB_OFFLOAD=never"))
        text = self.run_cugrb("info", "--", program, environment={"CUGRB_DEVICE": "emulated"})
        self.assert_works(text, "offloaded          yes", "libgraphblas")
        marker = self.folder / "ran"
        self.assertIsNone(self.outlook(self.script(f"#!/bin/sh\ntouch {marker}\n"))["offloaded"])
        self.assertFalse(marker.exists())

    def script(self, text):
        path = self.file("script", text)
        path.chmod(0o755)
        return path

    def test_info_tells_where_a_program_names_no_graphblas(self):
        found = self.outlook("sh", "-c", "exit 7")
        self.assertIsNone(found["offloaded"])
        self.assertIn("names no GraphBLAS", found["reason"])
        self.assertNotIn("graphblas", found)
        self.assert_fails(self.run_cugrb("info", "--", "no-such-program-here"), 127, "'no-such-program-here' is not there")
        self.assert_fails(self.run_cugrb("info", "--"), 2, "needs a program")
        program = self.compile("fixed", "int main(void) { return 0; }", "-static")
        if program is not None:
            found = self.outlook(program)
            self.assertFalse(found["offloaded"])
            self.assertIn("statically linked", found["reason"])

    def test_info_finds_the_library_of_a_python_script(self):
        package = self.folder / "suitesparse_graphblas"
        package.mkdir()
        (package / "__init__.py").write_text("raise SystemExit('imported')\n")
        module = self.compile("extension", "int GrB_init(int); int use(void) { return GrB_init(0); }\n", "-shared", "-fPIC",
                              "-lgraphblas")
        if module is None:
            self.skipTest("no C compiler with GraphBLAS here")
        module.rename(package / "_graphblas.so")
        script = self.script("#!/usr/bin/env python3\nraise SystemExit('ran')\n")
        found = self.outlook(script, CUGRB_DEVICE="emulated", PYTHONPATH=str(self.folder))
        self.assertIn("libgraphblas", found["graphblas"]["path"])
        self.assertTrue(found["offloaded"])
        found = self.outlook(sys.executable, script, PYTHONPATH=str(self.file("empty", "")))
        if "graphblas" not in found:
            self.assertIn("no package suitesparse-graphblas", found["reason"])

    def test_info_finds_what_a_library_of_a_wheel_needs_beside_it(self):
        libraries = self.folder / "libraries"
        libraries.mkdir()
        needed = self.compile("needed", "int of_the_wheel(void) { return 1; }\n", "-shared", "-fPIC", "-Wl,-soname,libneeded-1a2b.so.1")
        if needed is None:
            self.skipTest("no C compiler here")
        needed = needed.rename(libraries / "libneeded-1a2b.so.1")
        library = self.compile("library", "int of_the_wheel(void); int of_the_library(void) { return of_the_wheel(); }\n", "-shared",
                               "-fPIC", "-Wl,-soname,libgraphblas-3c4d.so.7", "-Wl,--no-as-needed", needed, "-lgraphblas")
        if library is None:
            self.skipTest("no GraphBLAS to link with here")
        library = library.rename(libraries / "libgraphblas-3c4d.so.7")
        package = self.folder / "suitesparse_graphblas"
        package.mkdir()
        (package / "__init__.py").write_text("")
        module = self.compile("extension", "int GrB_init(int); int use(void) { return GrB_init(0); }\n", "-shared", "-fPIC",
                              "-Wl,--no-as-needed", library, f"-Wl,-rpath-link,{libraries}", f"-Wl,-rpath,{libraries}",
                              "-Wl,--disable-new-dtags")
        module.rename(package / "_graphblas.so")
        found = self.outlook(sys.executable, CUGRB_DEVICE="emulated", PYTHONPATH=str(self.folder))
        self.assertEqual(found["graphblas"]["path"], str(library))
        self.assertTrue(found["offloaded"], found)

    def test_a_trace_is_written_to_the_file(self):
        program = self.compile("program", PROGRAM, "-lgraphblas")
        if program is None:
            self.skipTest("no C compiler with GraphBLAS here")
        trace = self.folder / "trace.json"
        result = self.run_cugrb("exec", f"--trace={trace}", "--device", "emulated", "--offload", "always", "--", program)
        self.assert_works(result, "3")
        events = json.loads(trace.read_text())
        events = events["traceEvents"] if isinstance(events, dict) else events
        self.assertTrue(any(e.get("name", "").startswith("GrB_") for e in events))
        text = self.run_cugrb("exec", "--trace", "--device", "emulated", "--offload", "always", "--", program)
        self.assert_works(text, "3")
        self.assertIn("cugrb: GrB_", text.stderr)
        self.assertIn(" on emulated ", text.stderr)
        self.assertNotIn(" on gpu ", text.stderr)

    def test_the_trace_says_why_a_kernel_cache_is_not_used(self):
        program = self.compile("program", PROGRAM, "-lgraphblas")
        if program is None:
            self.skipTest("no C compiler with GraphBLAS here")
        cache = self.folder / "open_to_all"
        cache.mkdir()
        cache.chmod(0o777)
        for place, why in ((cache, "others can write to it"), (self.file("file", "") / "cache", "cannot be written")):
            result = self.run_cugrb("exec", "--trace", "--cache", place, "--device", "emulated", "--offload", "always", "--", program)
            self.assert_works(result, "3")
            lines = [line for line in result.stderr.splitlines() if str(place) in line]
            self.assertEqual(len(lines), 1, result.stderr)
            self.assertIn(why, lines[0])
            self.assertIn("CUGRB_OFFLOAD=always", lines[0])
        self.assertEqual(list(cache.iterdir()), [])
        result = self.run_cugrb("info", "--json", environment={"CUGRB_CACHE_LIMIT": "20M"})
        self.assertEqual(json.loads(result.stdout)["cache"]["limit_bytes"], 20 << 20)


PROGRAM = """
#include <GraphBLAS.h>
#include <stdio.h>
int main(void) {
  GrB_Vector v; float sum = 0;
  GrB_init(GrB_NONBLOCKING);
  GrB_Vector_new(&v, GrB_FP32, 3);
  GrB_Vector_assign_FP32(v, NULL, NULL, 1, GrB_ALL, 3, NULL);
  GrB_Vector_reduce_FP32(&sum, NULL, GrB_PLUS_MONOID_FP32, v, NULL);
  printf("%g\\n", sum);
  GrB_Vector_free(&v);
  return GrB_finalize();
}
"""

# The sum of -1, -1 - 2 and -1 - 2 - 3, with an element that the host sets before each.
SEVERAL_CALLS = """
#include <GraphBLAS.h>
#include <stdio.h>
int main(void) {
  GrB_Vector v, w; float sum = 0, all = 0;
  GrB_init(GrB_NONBLOCKING);
  GrB_Vector_new(&v, GrB_FP32, 3);
  GrB_Vector_new(&w, GrB_FP32, 3);
  for (int i = 0; i < 3; ++i) {
    GrB_Vector_setElement_FP32(v, i + 1, i);
    GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP32, v, NULL);
    GrB_Vector_reduce_FP32(&sum, NULL, GrB_PLUS_MONOID_FP32, w, NULL);
    all += sum;
  }
  printf("%g\\n", all);
  GrB_Vector_free(&v);
  GrB_Vector_free(&w);
  return GrB_finalize();
}
"""

# To be preloaded: no program whose name ends in ++ can be run.
NO_COMPILER = """
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int access(const char* path, int mode) {
  const size_t length = strlen(path);
  if (length > 2 && strcmp(path + length - 2, "++") == 0) return -1;
  return faccessat(AT_FDCWD, path, mode, 0);
}
"""


class Precompile(CommandTest):
    def test_without_a_device_it_says_why(self):
        self.assert_fails(self.run_cugrb("precompile", "--device", "none"), 1, "precompile compiles for the device that is here")

    def test_a_list_is_compiled_once(self):
        if not OPTIONS.library:
            self.skipTest("no libcugrb.so in this build")
        requests, cache = self.folder / "requests", self.folder / "fresh"
        self.assert_works(self.run_cugrb("run", "bfs", "rmat:3:2", "--backend", "emulated", "--cache", cache,
                                         environment={"CUGRB_REQUESTS": str(requests)}))
        count = len(set(requests.read_text().splitlines()))
        self.assertGreater(count, 0)
        again = ["precompile", "--list", requests, "--architecture", "host", "--device", "emulated", "--cache", cache]
        self.assert_works(self.run_cugrb(*again), f"0 of {count} kernels compiled for host", f"{count} were there")
        times = self.folder / "times.json"
        two = self.file("two", "\n".join(sorted(set(requests.read_text().splitlines()))[:2]))
        self.assert_works(self.run_cugrb("precompile", "--list", two, "--architecture", "host", "--device", "emulated", "--cache",
                                         self.folder / "another", "--times", times), "2 of 2 kernels compiled for host")
        [kernel] = json.loads(times.read_text())["kernels"]  # the first one opens the compiler
        self.assertEqual(kernel["specialisations"], 1)
        self.assertTrue(0 < kernel["median_seconds"] <= kernel["worst_seconds"], kernel)
        self.assert_fails(self.run_cugrb("precompile", "--times", times), 2, "--times needs --list")
        broken = self.file("broken", "{}\n")
        self.assert_fails(self.run_cugrb("precompile", "--device", "emulated", "--list", broken), 1, "broken:1: expected a kernel request")
        self.assert_fails(self.run_cugrb("precompile", "--architecture", "sm_90"), 2, "--architecture needs --list")

    def test_without_a_cache_there_is_nothing_to_fill(self):
        self.assert_fails(self.run_cugrb("precompile", "--device", "emulated", "--cache", "off"), 2, "the kernel cache is off")


def main(module="__main__"):
    """For every file of tests of the command; `module`: whose tests are run."""
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cugrb", required=True)
    parser.add_argument("--library", default="")
    parser.add_argument("--data", required=True)
    parser.add_argument("--compiler", default="cc")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(module, argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
