#!/usr/bin/env python3
"""Tests of what the cugrb command makes of command lines that are wrong, and of the programs that exec starts.

    manners_test.py --cugrb BUILD/bin/cugrb [--library BUILD/lib/libcugrb.so] --data tests/data [--compiler cc] [unittest arguments]
"""
import os
import re
import shutil
import signal
import subprocess

import command_test
from command_test import CommandTest


class Words(CommandTest):
    def test_an_unknown_subcommand_is_named_with_the_choices_at_every_level(self):
        self.assert_fails(self.run_cugrb("foo"), 2, "cugrb has no subcommand 'foo'; expected one of exec, run, explain,")
        self.assert_fails(self.run_cugrb("run", "colouring", "x"), 2,
                          "cugrb run has no subcommand 'colouring'; expected one of pagerank, hits, rwr, simrank, triangles,")
        self.assert_fails(self.run_cugrb("run", "foo", "rmat:4", "--backend", "cpu"), 2, "cugrb run has no subcommand 'foo'")
        self.assert_fails(self.run_cugrb("generate", "rmatt", "4", "-o", "/nonexistent/x"), 2, "cugrb generate has no subcommand 'rmatt' (did you mean 'rmat'?)")
        self.assert_fails(self.run_cugrb("run", "rmat:4"), 2, "'rmat:4'")

    def test_the_nearest_choice_is_suggested(self):
        for words, nearest in ((["infp"], "info"), (["EXEC", "true"], "exec"), (["run", "pagernak", "g"], "pagerank"),
                               (["run", "page", "g"], "pagerank"), (["run", "BFS", "g"], "bfs"), (["generate", "poison2d", "3"], "poisson2d"),
                               (["run", "bfs", "rmat:4", "--bakend", "cpu"], "--backend")):
            self.assert_fails(self.run_cugrb(*words), 2, f"did you mean '{nearest}'?")
        self.assertNotIn("did you mean", self.run_cugrb("run", "colouring", "x").stderr)

    def test_a_missing_subcommand_is_asked_for_with_the_choices(self):
        self.assert_fails(self.run_cugrb(), 2, "cugrb needs a subcommand: one of exec, run,")
        self.assert_fails(self.run_cugrb("run"), 2, "cugrb run needs a subcommand: one of pagerank,")
        self.assert_fails(self.run_cugrb("generate"), 2, "cugrb generate needs a subcommand: one of rmat,")
        self.assert_fails(self.run_cugrb("--backend", "cpu", "run", "bfs", "g"), 2, "cugrb has no option '--backend'")
        self.assert_fails(self.run_cugrb("run", "--backend", "cpu", "bfs", "g"), 2, "cugrb run has no option '--backend'")

    def test_words_that_are_too_much_are_named(self):
        self.assert_fails(self.run_cugrb("run", "bfs", "rmat:4", "more"), 2, "cugrb run bfs does not expect 'more'")
        self.assert_fails(self.run_cugrb("info", "x"), 2, "cugrb info does not expect 'x'")

    def test_control_characters_of_the_command_line_do_not_reach_the_terminal(self):
        for words in (["\x1b[31mfoo"], ["run", "\x1b[31mfoo"], ["run", "bfs", "\x1b[31m.txt"], ["run", "bfs", "g", "--top", "\x1b"],
                      ["exec", "\x1b[31m"], ["info", "\x1b"], ["generate", "rmat", "3", "-o", "/none\x1b/x"]):
            result = self.run_cugrb(*words)
            self.assertNotEqual(result.returncode, 0)
            self.assertNotIn("\x1b", result.stderr + result.stdout)
            self.assertIn("\\e", result.stderr)


class Numbers(CommandTest):
    # Options with numbers: a command line, and what the message says of the range.
    OPTIONS = [(["run", "pagerank", "rmat:4", "--iterations"], "from 1 to 2147483647"),
               (["run", "pagerank", "rmat:4", "--repeat"], "from 1 to 1000000"),
               (["run", "bfs", "rmat:4", "--repeat"], "from 1 to 1000000"),
               (["run", "rwr", "rmat:4", "--queries"], "from 1 to 1000000"),
               (["explain", "rmat:4", "--uses"], "from 1 to 1073741824"),
               (["explain", "rmat:4", "--repeat"], "from 1 to 1000000"),
               (["run", "pagerank", "rmat:4", "--damping"], "from 1e-09 to 0.999999999"),
               (["run", "simrank", "rmat:4", "--decay"], "from 1e-09 to 0.999999999"),
               (["run", "ktruss", "rmat:4", "--k"], "from 3 to 4294967295"),
               (["run", "communities", "rmat:4", "--iterations"], "from 1 to 2147483647"),
               (["run", "forest", "rmat:4", "--random-weights"], "from 1 to 4294967295"),
               (["run", "sssp", "rmat:4", "--delta"], "above 0"),
               (["calibrate", "--seconds"], "above 0"),
               (["generate", "chung_lu", "youtube", "-o", "/nonexistent/x", "--scale"], "from 1e-09 to 100"),
               (["generate", "chung_lu", "-o", "/nonexistent/x", "--vertices"], "from 1 to 4294967295"),
               (["generate", "chung_lu", "-o", "/nonexistent/x", "--exponent"], "above 1.05"),
               (["generate", "poisson2d", "-o", "/nonexistent/x"], "from 1 to 4294967295")]
    ZERO_IS_FINE = [(["run", "pagerank", "rmat:4", "--top"], "from 0 to 4294967295"),
                    (["run", "pagerank", "rmat:4", "--tolerance"], "of at least 0"),
                    (["run", "simrank", "rmat:4", "--threshold"], "of at least 0 and below 1"),
                    (["run", "betweenness", "rmat:4", "--sources"], "from 0 to 1000000"),
                    (["run", "mis", "rmat:4", "--seed"], "below 2^64"),
                    (["generate", "rmat", "-o", "/nonexistent/x"], "from 0 to 31"),
                    (["generate", "rmat", "3", "-o", "/nonexistent/x", "--seed"], "below 2^64"),
                    (["generate", "chung_lu", "-o", "/nonexistent/x", "--deviation"], "of at least 0"),
                    (["generate", "chung_lu", "-o", "/nonexistent/x", "--longest"], "below 2^64"),
                    (["generate", "uniform", "-o", "/nonexistent/x"], "from 0 to 4294967295")]

    def refused(self, words, value, text):
        option, words = words[-1], words[:-1] + [f"{words[-1]}={value}" if words[-1].startswith("--") else words[-1]]
        result = self.run_cugrb(*words, *([] if option.startswith("--") else [value]))
        self.assert_fails(result, 2, text)
        self.assertIsNone(re.search(r"\d{12}", result.stderr.replace(value, "")), result.stderr)

    def test_a_number_outside_its_range_is_refused_with_the_range(self):
        for words, text in self.OPTIONS:
            with self.subTest(words=words):
                for value in ("0", "none", "nan", "1e999", "99999999999999999999999"):
                    if value == "99999999999999999999999" and text.startswith("above"):
                        continue
                    self.refused(words, value, text)
        for words, text in self.ZERO_IS_FINE:
            with self.subTest(words=words):
                for value in ("none", "nan", "inf", "1e999") + (() if text == "of at least 0" else ("99999999999999999999999",)):
                    self.refused(words, value, text)

    def test_negative_numbers_are_refused_with_the_range(self):
        for words, text in self.OPTIONS + self.ZERO_IS_FINE:
            if words[-1].startswith("--"):
                with self.subTest(words=words):
                    self.refused(words, "-1", text)


class Exec(CommandTest):
    def setUp(self):
        super().setUp()
        if not command_test.OPTIONS.library:
            self.skipTest("no libcugrb.so in this build")

    def executable(self, name, text):
        path = self.file(name, text)
        path.chmod(0o755)
        return path

    def test_the_program_needs_no_separator_and_keeps_its_own_options(self):
        program = self.executable("program", '#!/bin/sh\necho "$CUGRB_OFFLOAD:$CUGRB_TRACE:$#:$*"\n')
        self.assert_works(self.run_cugrb("exec", program, "--trace", "--offload", "always", "x"), "::4:--trace --offload always x")
        self.assert_works(self.run_cugrb("exec", "--offload", "never", program, "--help"), "never::1:--help")
        self.assert_works(self.run_cugrb("exec", "--offload=never", program, "--", "a b"), "never::2:-- a b")
        self.assert_works(self.run_cugrb("exec", "--offload", "never", "--trace", program), "never:1:0:")
        self.assert_works(self.run_cugrb("exec", "--trace", "--offload", "never", "--", program, "--"), "never:1:1:--")
        self.assert_works(self.run_cugrb("exec", "--verify", "--cache", "off", program, "-v"), "::1:-v")
        self.assert_fails(self.run_cugrb("exec", "--trace", "trace.json", program), 2, "the file of --trace stands behind '='")
        self.assert_fails(self.run_cugrb("exec", "--ofload", "never", program), 2, "does not expect '--ofload' (did you mean '--offload'?)")

    def test_what_cannot_be_run_is_named(self):
        run = lambda *words: self.run_cugrb("exec", *words)
        self.assert_fails(run("--", self.folder), 126, f"{self.folder} is a directory")
        self.assert_fails(run(self.folder), 126, "is a directory")
        self.assert_fails(run(self.file("text", "hello")), 126, "text is not executable")
        self.assert_fails(run(self.folder / "none"), 127, "none' is not there")
        self.assert_fails(run(self.folder / "text" / "x"), 127, "is not there")
        os.mkfifo(self.folder / "pipe", 0o755)
        self.assert_fails(run(self.folder / "pipe"), 126, "pipe is no regular file")
        self.assert_fails(run(self.executable("script", "#!/no/such/interpreter -x\n")), 126, "its interpreter /no/such/interpreter is not there")
        self.assert_fails(run(self.executable("folder", f"#!{self.folder}\n")), 126, f"its interpreter {self.folder} is a directory")
        self.assert_fails(run(self.executable("plain", "echo hello\n")), 126, "neither an ELF program nor a script")
        self.assert_fails(run(self.executable("empty", "")), 126, "neither an ELF program nor a script")
        self.assert_fails(run(self.executable("blank", "#!\n")), 126, "no interpreter stands behind #!")
        loop = self.executable("loop", f"#!{self.folder / 'loop'}\n")
        self.assert_fails(run(loop), 126, "a script of a script")
        self.assert_fails(run(""), 127, "the program '' is not there")

    def test_a_folder_that_cannot_be_entered_is_named(self):
        if os.geteuid() == 0:
            self.skipTest("root enters every folder")
        closed = self.folder / "closed"
        closed.mkdir(mode=0)
        self.addCleanup(closed.chmod, 0o700)
        self.assert_fails(self.run_cugrb("exec", closed / "x"), 126, "cannot be reached: Permission denied")

    def test_path_is_searched_past_folders_and_files_that_cannot_run(self):
        for name in ("a", "b", "c"):
            (self.folder / name).mkdir()
        (self.folder / "a" / "tool").mkdir()
        (self.folder / "b" / "tool").write_text("hello")
        self.executable("c/tool", "#!/bin/sh\necho found\n")
        path = lambda *names: {"PATH": ":".join([str(self.folder / name) for name in names])}
        self.assert_works(self.run_cugrb("exec", "tool", environment=path("a", "b", "c")), "found")
        self.assert_fails(self.run_cugrb("exec", "tool", environment=path("a", "b")), 126, "b/tool is not executable")
        self.assert_fails(self.run_cugrb("exec", "tool", environment=path("a")), 127, "'tool' is not there (looked in PATH)")

    def test_ignored_signals_are_not_handed_on(self):
        for name in ("PIPE", "XFSZ"):
            result = self.run_cugrb("exec", "sh", "-c", f"kill -{name} $$; echo survived")
            self.assertEqual((result.returncode, result.stdout), (-getattr(signal, "SIG" + name), ""))

    def test_without_proc_the_message_names_it(self):
        away = ["unshare", "--mount", "--map-root-user", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if subprocess.run([*away, "true"], capture_output=True).returncode != 0:
            self.skipTest("/proc cannot be taken away here")
        for words in (["exec", "true"], ["run", "bfs", "rmat:4", "--backend", "cpu"], ["explain", "rmat:4"]):
            result = subprocess.run([*away, command_test.OPTIONS.cugrb, *words], capture_output=True, text=True, timeout=300)
            self.assert_fails(result, 1, "/proc/self/exe cannot be read (No such file or directory)", "is /proc mounted?")

    def sanitized(self, compiler, *flags):
        """A program with a sanitizer that calls GraphBLAS, and what it prints when all is well; None where it cannot be built."""
        source = self.file("program.c", command_test.PROGRAM)
        program = self.folder / "sanitized"
        if shutil.which(compiler) is None:
            return None
        build = subprocess.run([compiler, "-g", source, "-o", program, "-lgraphblas", *flags], capture_output=True, text=True)
        alone = subprocess.run([program], capture_output=True, text=True) if build.returncode == 0 else build
        return program if alone.returncode == 0 and alone.stdout == "3\n" else None

    def check_sanitized(self, program):
        if program is None:
            self.skipTest("this compiler has no such sanitizer here, or no GraphBLAS")
        for device in ({}, {"CUGRB_OFFLOAD": "always", "CUGRB_DEVICE": "emulated"}):
            result = self.run_cugrb("exec", "--summary", program, environment=device)
            self.assertEqual((result.returncode, result.stdout), (0, "3\n"), result.stderr)
            self.assertNotIn("does not come first", result.stderr)
        self.assertRegex(result.stderr, r"GrB_Vector_assign_FP32 +emulated|GrB_Vector_reduce_FP32 +emulated")

    def test_programs_with_address_sanitizer_run(self):
        self.check_sanitized(self.sanitized(command_test.OPTIONS.compiler, "-fsanitize=address"))

    def test_programs_with_undefined_behaviour_sanitizer_run(self):
        self.check_sanitized(self.sanitized(command_test.OPTIONS.compiler, "-fsanitize=undefined"))

    def test_programs_with_address_and_undefined_behaviour_sanitizer_run(self):
        self.check_sanitized(self.sanitized(command_test.OPTIONS.compiler, "-fsanitize=undefined,address"))

    def test_programs_with_a_sanitizer_inside_run(self):
        self.check_sanitized(self.sanitized("clang", "-fsanitize=address"))
        self.check_sanitized(self.sanitized(command_test.OPTIONS.compiler, "-fsanitize=address", "-static-libasan"))


if __name__ == "__main__":
    command_test.main(__name__)
