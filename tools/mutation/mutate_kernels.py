#!/usr/bin/env python3
"""Does anything notice a fault in a kernel?

Plants one fault after the other in copies of cuda/kernels/*.h (mutants.py lists the kinds) and runs the tests on the
emulated device with that copy (CUGRB_KERNEL_SOURCES). A mutant is killed when a test fails, hangs, or a sanitizer
reports; it survives when all tests of all given builds pass. Mutants that do not compile do not count; mutants that
are known to change nothing are listed, with the reason, in equivalent.txt.

  mutate_kernels.py --build build/release --build build/sanitize-thread --per-file 40 --report mutation.json

Builds are tried in the order given, so name the fastest first. Needs the test programs in them to be built. Before the
first fault every test case of every --program runs once, which compiles its kernels: name the programs that use the
files (a minute for two of them, with BUILD/mutation_cache filled from a ctest run's kernel_cache). Quicker still: a whole run with the fastest build and --report, then one with the others, --survivors and another --report.
The report is written after every mutant; --resume goes on where an earlier run with the same report stopped.
  mutate_kernels.py --summarise release.json thread.json --results bench/results/kernel_mutation.json
puts reports together (a mutant is killed when any of them says so), a count for each file.
Exit status: 0 when the share of killed mutants reaches --minimum, in every file when summarising.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutants  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_KERNELS = {"base.h", "device_functions.h"}
PROGRAMS = ["test_mxv", "test_vector_operations", "test_csr", "test_vector", "test_length_distribution", "test_mxm", "test_mxm_parts",
            "test_matrix_elementwise", "test_matrix_assembly", "test_matrix_assign", "test_csr_update", "test_dcsr_update",
            "test_matrix_update", "test_mxv_parts", "test_ell", "test_gather_sample", "test_column_popularity", "test_coo", "test_hyb",
            "test_binned_csr", "test_dcsr", "test_tile_composite", "test_tile_coo", "test_blocked", "test_csb"]
EXCLUDED = "compile for (every architecture|GPUs)"
REFUSED = "the host compiler refused"
HANG = "hang"


class Case:
    """One Catch2 test case of one test program."""

    def __init__(self, program, name, index):
        self.program, self.name, self.index = program, name, index

    def run(self, sources, cache, timeout, requests=None):
        """(passed, output); a hang is a failure. `requests`: a file for the kernels that it asks for."""
        environment = dict(os.environ, CUGRB_DEVICE="emulated", CUGRB_CACHE=str(cache),
                           UBSAN_OPTIONS="halt_on_error=1", TSAN_OPTIONS="halt_on_error=1:exitcode=66",
                           ASAN_OPTIONS="detect_leaks=0")
        if sources is not None:
            environment["CUGRB_KERNEL_SOURCES"] = str(sources)
        if requests is not None:
            environment["CUGRB_REQUESTS"] = str(requests)
        pattern = self.name.replace("\\", "\\\\").replace(",", "\\,").replace("[", "\\[")
        # Processor time, so that a busy machine is not taken for a hang; compilers are processes of their own.
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(timeout), int(timeout) + 5))
        done = subprocess.run([str(self.program), pattern, "-a"], env=environment, preexec_fn=limit,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return False, HANG
        return done.returncode == 0, done.stdout


def cases_of(build, programs, exclude):
    found = []
    for program in programs:
        path = build / "tests" / program
        if not path.exists():
            sys.exit(f"{path} is not built")
        listing = subprocess.run([str(path), "--list-test-names-only"], stdout=subprocess.PIPE, text=True).stdout
        for name in filter(None, (line.strip() for line in listing.splitlines())):
            if exclude is None or not re.search(exclude, name):
                found.append(Case(path, name, len(found)))
    return found


def known_equivalents():
    """(path, line with the fault) of every entry of equivalent.txt: "path: line ## reason". Where a file has several such
    lines the entry says which: "path: line with the fault <- line without it ## reason"."""
    path = pathlib.Path(__file__).with_name("equivalent.txt")
    known = set()
    for entry in path.read_text().splitlines() if path.exists() else []:
        if entry and not entry.startswith("#"):
            file, _, rest = entry.partition(": ")
            known.add((file, rest.rsplit(" ## ", 1)[0].strip()))
    return known


class Record:
    """What a test case has done to a file's mutants so far."""

    def __init__(self):
        self.runs, self.kills, self.seconds = 0, 0, 0.0

    def worth(self):
        """Mutants killed a second, as far as known: the most worth goes first."""
        return (self.kills + 0.1) / (self.runs + 1) / ((self.seconds + 5) / (self.runs + 1) + 0.3)


@functools.lru_cache(maxsize=None)
def includes_of(path):
    """What the file itself includes."""
    return re.findall(r'^#include "([^"]+)"', (ROOT / path).read_text(), flags=re.M)


@functools.lru_cache(maxsize=None)
def included_by(path):
    """The file and what it includes, directly or not; two files may include each other."""
    found, waiting = {path}, [path]
    while waiting:
        fresh = set(includes_of(waiting.pop())) - found
        found |= fresh
        waiting += fresh
    return frozenset(found)


class Campaign:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="cugrb-mutation-"))
        self.builds = [(build, cases_of(build, options.program, options.exclude)) for build in options.build]
        self.records = {}  # (path, build, case) -> Record
        self.lock = threading.Lock()
        self.reached = {}
        self.learn()

    def learn(self):
        """Which test cases have killed mutants in earlier reports."""
        for report in self.options.learn:
            for r in filter(lambda r: r["fate"] == "killed", read_report(report)):
                for build, cases in self.builds:
                    for case in cases:
                        if ": " + case.name + ": " in r["how"]:
                            record = self.records.setdefault((r["mutant"].split(":")[0], build, case.index), Record())
                            record.runs, record.kills, record.seconds = record.runs + 1, record.kills + 1, record.seconds + 1

    def cache_of(self, build):
        return build / "mutation_cache"

    def write_source(self, name, path, text):
        directory = self.work / name
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return directory

    def prepare(self, paths):
        """The unmutated kernels pass, their objects are cached, and it is known which case uses which file."""
        def check(build, case):
            requests = self.work / f"requests-{build.name}-{case.index}"
            passed, output = case.run(None, self.cache_of(build), self.options.timeout * 10, requests)
            if not passed:
                raise SystemExit(f"{case.program} {case.name!r} fails without any fault:\n{output[-4000:]}")
            lines = requests.read_text().splitlines() if requests.exists() else []
            return set().union(*(included_by("cuda/kernels/" + json.loads(line)["header"]) for line in lines))

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for build, cases in self.builds:
                files = list(pool.map(lambda case: check(build, case), cases))
                for path in paths:
                    self.reached[path, build] = [c for c, used in zip(cases, files) if path in used]
                    print(f"{path}: {len(self.reached[path, build])} of {len(cases)} test cases use it", flush=True)

    def try_mutant(self, number, mutant):
        """("killed" | "survived" | "invalid", what noticed)."""
        text = (ROOT / mutant.path).read_text()
        name = f"mutant-{number}"
        sources = self.write_source(name, mutant.path, mutant.apply(text))
        try:
            for build, _ in self.builds:
                cache = self.work / f"cache-{number}-{build.name}"
                shutil.copytree(self.cache_of(build), cache, copy_function=os.link)
                record = lambda case: self.records.setdefault((mutant.path, build, case.index), Record())
                with self.lock:
                    order = sorted(self.reached[mutant.path, build], key=lambda c: -record(c).worth())
                try:
                    for case in order:
                        started = time.monotonic()
                        passed, output = case.run(sources, cache, self.options.timeout)
                        if not passed and REFUSED in output:
                            return "invalid", "does not compile"
                        with self.lock:
                            record(case).runs += 1
                            record(case).kills += not passed
                            record(case).seconds += time.monotonic() - started
                        if not passed:
                            return "killed", f"{build.name}: {case.name}: {verdict(output)}"
                finally:
                    shutil.rmtree(cache, ignore_errors=True)
            return "survived", ""
        finally:
            shutil.rmtree(sources, ignore_errors=True)


def verdict(output):
    """How the test noticed, in a word or two."""
    if output == HANG:
        return HANG
    for sign in ("data race", "heap-buffer-overflow", "heap-use-after-free", "AddressSanitizer", "runtime error", "livelock", "barrier",
                 "mask", "shared memory", "past the end", "before the begin"):
        if sign in output and (sign != "mask" or "lane" in output):
            return sign
    if "FAILED" in output:
        return "wrong result"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return "crash: " + (lines[-1] if lines else "no output")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--program", action="append", default=[], help="default: " + ", ".join(PROGRAMS))
    parser.add_argument("--file", action="append", default=[], help="kernel file names; default: all")
    parser.add_argument("--exclude", default=EXCLUDED,
                        help="leave out test cases whose name matches (slow ones that judge something else); default: %(default)r")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants, the same share of every file; 0: all")
    parser.add_argument("--per-file", type=int, default=0, help="at most so many mutants of each file; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, help="processor seconds for one test case; more is a hang")
    parser.add_argument("--seconds", type=float, default=0, help="stop starting mutants after so long; 0: never")
    parser.add_argument("--minimum", type=float, default=0.95)
    parser.add_argument("--report", type=pathlib.Path, help="JSON of every mutant and its fate")
    parser.add_argument("--resume", action="store_true", help="leave out the mutants that the report has already")
    parser.add_argument("--survivors", type=pathlib.Path, help="try only those that survived in this earlier report")
    parser.add_argument("--learn", type=pathlib.Path, action="append", default=[],
                        help="an earlier report: what killed much there is tried first")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument("--summarise", type=pathlib.Path, nargs="+", help="put these reports together and run nothing")
    parser.add_argument("--results", type=pathlib.Path, help="where --summarise writes its counts")
    options = parser.parse_args()
    options.program = options.program or PROGRAMS
    options.build = [build.resolve() for build in options.build]
    if not (options.build or options.list or options.summarise):
        parser.error("--build is needed")
    return options


def kernel_files(names):
    paths = sorted((ROOT / "cuda/kernels").glob("*.h"))
    return [str(p.relative_to(ROOT)) for p in paths if p.name not in NO_KERNELS and (not names or p.name in names)]


def all_mutants(path):
    """(those to plant, those known to change nothing) of a file."""
    known, text = known_equivalents(), (ROOT / path).read_text()
    every = mutants.mutants_of(path, text)
    names = lambda m: {(path, m.mutated_line(text)), (path, m.mutated_line(text) + " <- " + m.original_line(text))}
    equivalent = [m for m in every if names(m) & known]
    return [m for m in every if m not in equivalent], equivalent


def chosen(options):
    found = []
    for path in kernel_files(options.file):
        of_file = all_mutants(path)[0]
        # Shuffled inside each file, so that a part of the list is a sample; in its own order when nothing is left out.
        if options.sample or options.per_file:
            random.Random(f"{options.seed} {path.rsplit('/', 1)[1]}").shuffle(of_file)
        found += of_file[: options.per_file] if options.per_file else of_file
    if options.survivors:
        alive = {r["mutant"] for r in read_report(options.survivors) if r["fate"] == "survived"}
        found = [m for m in found if m.describe() in alive]
    if 0 < options.sample < len(found):
        # Every len/sample-th: each file gets its share.
        found = [found[i * len(found) // options.sample] for i in range(options.sample)]
    return found


def read_report(path):
    return json.loads(path.read_text())["mutants"]


def main():
    options = arguments()
    if options.summarise:
        return summarise(options)
    found = chosen(options)
    if options.list:
        print("\n".join(m.describe() for m in found))
        return 0
    results = read_report(options.report) if options.resume and options.report.exists() else []
    done = {r["mutant"] for r in results}
    found = [m for m in found if m.describe() not in done]
    campaign = Campaign(options)
    random.Random(options.seed).shuffle(found)
    started = time.monotonic()
    try:
        campaign.prepare(sorted({m.path for m in found}))

        def task(numbered):
            number, mutant = numbered
            if options.seconds and time.monotonic() - started > options.seconds:
                return
            fate, how = campaign.try_mutant(number, mutant)
            with campaign.lock:
                results.append({"mutant": mutant.describe(), "fate": fate, "how": how})
                write_report(options, results)
                print(f"[{len(results) - len(done)}/{len(found)}] {fate}: {mutant.describe()}{'  (' + how + ')' if how else ''}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(task, enumerate(found)))
    finally:
        shutil.rmtree(campaign.work, ignore_errors=True)
    return summary(options, results)


def write_report(options, results):
    if options.report:
        partial = options.report.with_suffix(".partial")
        partial.write_text(json.dumps({"mutants": results}, indent=1) + "\n")
        partial.replace(options.report)


def summary(options, results):
    count = lambda fate: sum(r["fate"] == fate for r in results)
    killed, survived, invalid = count("killed"), count("survived"), count("invalid")
    share = killed / max(1, killed + survived)
    print(f"{len(results)} mutants: {killed} killed, {survived} survived, {invalid} invalid: {100 * share:.1f} % killed")
    for r in results:
        if r["fate"] == "survived":
            print("survived: " + r["mutant"])
    return 0 if killed > 0 and share >= options.minimum else 1


def summarise(options):
    """Of each file: how many faults it can have, how many were planted, what became of them."""
    fates, order = {}, {"killed": 0, "invalid": 1, "survived": 2}
    for report in options.summarise:
        for r in read_report(report):
            fates[r["mutant"]] = min(fates.get(r["mutant"], r["fate"]), r["fate"], key=order.get)
    files, enough = {}, True
    for path in kernel_files(options.file):
        plantable, equivalent = all_mutants(path)
        seen = [(m.describe(), fates[m.describe()]) for m in plantable if m.describe() in fates]
        caught = sum(fate == "killed" for _, fate in seen)
        survivors = [mutant for mutant, fate in seen if fate == "survived"]
        invalid = sum(fate == "invalid" for _, fate in seen)
        files[path] = {"possible": len(plantable) + len(equivalent), "equivalent": len(equivalent), "do_not_compile": invalid,
                       "planted": caught + len(survivors), "caught": caught, "survivors": survivors}
        share = caught / max(1, caught + len(survivors))
        enough = enough and caught > 0 and share >= options.minimum
        print(f"{path:32} {caught:4} of {caught + len(survivors):4} caught ({100 * share:5.1f} %), {len(equivalent)} equivalent")
    total = {key: sum(f[key] for f in files.values()) for key in ("possible", "equivalent", "do_not_compile", "planted", "caught")}
    print(f"{total['caught']} of {total['planted']} caught")
    if options.results:
        options.results.write_text(json.dumps({"total": total, "files": files}, indent=1) + "\n")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
