#!/usr/bin/env python3
"""Two builds of cuGrB beside each other on one GPU, in turns: does a change of the inside cost time?

    bench/before_after.py products --bench bench_spmv --before FOLDER --after FOLDER --names bench/results/spmv_candidates.json
                                   [--data FOLDER] [--semiring NAME]... [--chunk N] --json FILE
    bench/before_after.py programs --gap-bench FILE --before FOLDER --after FOLDER [--graph rmat:20:16] [--rounds N] --json FILE
    bench/before_after.py calls    --forwarding FILE --before FOLDER --after FOLDER [--rounds N] --json FILE

Each takes --seconds S, behind which nothing new is begun. A FOLDER is a build, or its bench/ and lib/ alone. `products` measures the free choice of every matrix that the result file names, some
matrices a process, and the two builds take turns in going first. Pairs that came out below --again are measured in further rounds while
--seconds last; of every pair all its rounds count, by their medians, and the first round is kept beside. `programs` runs LAGraph's
algorithms with each library preloaded. `calls` runs one bench_forwarding with each. A ratio is the time before over the time after:
below 1 the change has cost time. Exit status 1 when a bar is missed.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "reporting"))
import parts  # noqa: E402

SIDES = ("before", "after")
ALGORITHMS = "pr,bfs,bc,cc,sssp,tc"


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def ratio_of(row, of_rounds):
    return of_rounds(row["before"]) / of_rounds(row["after"]) if row["before"] and row["after"] else None


class Builds:
    """Where the two builds are, a kernel cache for each, and the time that is left."""

    def __init__(self, options, scratch):
        self.folder = {"before": options.before, "after": options.after}
        self.scratch = scratch
        self.order = list(SIDES)
        self.end = time.monotonic() + options.seconds

    def over(self):
        return time.monotonic() > self.end

    def in_turn(self):
        """Both, the other one first from one time to the next."""
        self.order.reverse()
        return list(self.order)

    def run(self, side, command, preload=False, **variables):
        environment = dict(os.environ, CUGRB_CACHE=f"{self.scratch}/cache_{side}", CUGRB_JIT="wait", **variables)
        if preload:
            environment["LD_PRELOAD"] = str(self.folder[side] / "lib/libcugrb.so")
        done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            print(f"{side}: {command[0]} ended with {done.returncode}: {done.stderr[-600:]}", flush=True)
        return done


class Pairs:
    """Times of every pair (matrix, semiring) by build, a number a round."""

    def __init__(self):
        self.rows = {}
        self.runs = {}

    def take(self, side, result):
        self.runs[side] = {key: result.get(key) for key in ("commit", "device", "driver", "copy_bytes_per_second")}
        for record in result[parts.records_of(result)]:
            for row in record["results"]:
                if row["kernel"] != "choice" or "median_seconds" not in row:
                    continue
                key = (record["name"], row["semiring"])
                pair = self.rows.setdefault(key, {"name": key[0], "semiring": key[1], "before": [], "after": [], "chosen": {}})
                pair[side].append(row["median_seconds"])
                pair["chosen"][side] = row.get("chosen")

    def ratios(self, times):
        """Time before over time after, of the pairs that both builds have done."""
        ratios = {key: ratio_of(pair, times) for key, pair in self.rows.items()}
        return {key: ratio for key, ratio in ratios.items() if ratio is not None}


def words_of(names, data):
    """What a benchmark is asked for, by the name of its record: a file of the folder, or the generated graph's name."""
    files = {path.name.split(".")[0]: path for path in data.iterdir()} if data else {}

    def word(name):
        kind = "square:" if name.startswith("square:") else ""
        graph = name[len(kind):]
        return f"{kind}{files[graph]}" if graph in files else name
    return {name: word(name) for name in names}


def measure_chunk(builds, options, words, pairs):
    for side in builds.in_turn():
        output = f"{builds.scratch}/part_{side}.json"
        command = [builds.folder[side] / "bench" / options.bench, *words, "--choice", "--no-cusparse", "--limit", options.limit,
                   "--commit", side, "--json", output]
        for semiring in options.semiring:
            command += ["--semiring", semiring]
        builds.run(side, command)
        if pathlib.Path(output).exists():
            pairs.take(side, parts.read(output))
            pathlib.Path(output).unlink()


def products(options, builds):
    results = parts.read(options.names)
    records = results[parts.records_of(results)]
    if options.with_cusparse:
        records = [record for record in records if any(row["library"] == "cusparse" and "median_seconds" in row
                                                       for row in record["results"])]
    words = words_of([record["name"] for record in records], options.data)
    names, pairs, start = list(words), Pairs(), time.monotonic()
    for at in range(0, len(names), options.chunk):
        if builds.over():
            break
        measure_chunk(builds, options, [words[name] for name in names[at : at + options.chunk]], pairs)
        print(f"{min(at + options.chunk, len(names))} of {len(names)}, {time.monotonic() - start:.0f} s", flush=True)
    first = pairs.ratios(lambda times: times[0])
    while not builds.over():
        low = [name for name in names if any(ratio < options.again for key, ratio in pairs.ratios(options.of_rounds).items() if key[0] == name)]
        if not low:
            break
        for at in range(0, len(low), options.chunk):
            if not builds.over():
                measure_chunk(builds, options, [words[name] for name in low[at : at + options.chunk]], pairs)
    ratios = pairs.ratios(options.of_rounds)
    rows = [dict(pair, ratio=ratios.get(key), first_ratio=first.get(key)) for key, pair in sorted(pairs.rows.items())]
    return {"benchmark": options.bench, "runs": pairs.runs, "names": len(names), "rows": rows}, \
        {f"{row['name']} {row['semiring']}": row["ratio"] for row in rows if row["ratio"]}, \
        {"first_geometric_mean": geometric_mean(list(first.values())), "first_worst": min(first.values(), default=None)}


def programs(options, builds):
    rows = {name: {"name": name, "before": [], "after": [], "same": True} for name in options.algorithms.split(",")}
    sums = {}
    for _ in range(options.rounds):
        if builds.over():
            break
        for side in builds.in_turn():
            with tempfile.NamedTemporaryFile(suffix=".json") as file:
                builds.run(side, [options.gap_bench, options.graph, "--algorithms", options.algorithms, "--repeat", "15",
                                  "--seconds", options.each_seconds, "--json", file.name], preload=True)
                text = pathlib.Path(file.name).read_text()
            for name, result in (json.loads(text)["algorithms"] if text else {}).items():
                rows[name][side].append(statistics.median(result["warm_seconds"]))
                expected = sums.setdefault(name, result["checksums"])
                rows[name]["same"] &= all(abs(a - b) <= 1e-4 * abs(a) for a, b in zip(expected, result["checksums"]))
    for row in rows.values():
        row["ratio"] = ratio_of(row, options.of_rounds)
    return {"graph": options.graph, "rows": list(rows.values())}, {row["name"]: row["ratio"] for row in rows.values() if row["ratio"]}, {}


def calls(options, builds):
    modes = {"forwarded": {"CUGRB_OFFLOAD": "never"}, "small, left to the CPU": {"CUGRB_OFFLOAD": "auto"},
             "on the device": {"CUGRB_OFFLOAD": "always"}}
    rows = {}
    for _ in range(options.rounds):
        if builds.over():
            break
        for mode, variables in modes.items():
            for side in builds.in_turn():
                done = builds.run(side, [options.forwarding], preload=True, **variables)
                for call in json.loads(done.stdout) if done.returncode == 0 else []:
                    row = rows.setdefault((mode, call["call"]), {"mode": mode, "call": call["call"], "before": [], "after": []})
                    row[side].append(call["interposed_ns"])
    for row in rows.values():
        row["ratio"] = ratio_of(row, options.of_rounds)
    return {"rows": list(rows.values())}, {f"{mode}: {call}": row["ratio"] for (mode, call), row in rows.items() if row["ratio"]}, {}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(name, function, mean, worst):
        sub = commands.add_parser(name)
        sub.add_argument("--before", type=lambda p: pathlib.Path(p).resolve(), required=True)
        sub.add_argument("--after", type=lambda p: pathlib.Path(p).resolve(), required=True)
        sub.add_argument("--json", type=pathlib.Path, required=True)
        sub.add_argument("--seconds", type=float, default=1e9)
        sub.add_argument("--best", dest="of_rounds", action="store_const", const=min, default=statistics.median)
        sub.add_argument("--mean", type=float, default=mean, help="bar of the geometric mean; default: %(default)s")
        sub.add_argument("--worst", type=float, default=worst, help="bar of the worst; default: %(default)s")
        sub.set_defaults(function=function)
        return sub

    sub = command("products", products, 0.99, 0.95)
    sub.add_argument("--bench", required=True)
    sub.add_argument("--names", type=pathlib.Path, required=True, help="a result file: its matrices or cases")
    sub.add_argument("--with-cusparse", action="store_true", help="only those that cuSPARSE has done there, too")
    sub.add_argument("--data", type=pathlib.Path)
    sub.add_argument("--semiring", action="append", default=[])
    sub.add_argument("--chunk", type=int, default=8, help="matrices a process; default: %(default)s")
    sub.add_argument("--limit", type=float, default=0.15, help="seconds for a product's samples; default: %(default)s")
    sub.add_argument("--again", type=float, default=0.98, help="pairs below are measured again; default: %(default)s")
    sub = command("programs", programs, 0.97, 0.97)
    sub.add_argument("--gap-bench", type=pathlib.Path, required=True)
    sub.add_argument("--graph", default="rmat:20:16")
    sub.add_argument("--algorithms", default=ALGORITHMS)
    sub.add_argument("--rounds", type=int, default=3)
    sub.add_argument("--each-seconds", type=float, default=1)
    sub = command("calls", calls, 0.97, 0.9)
    sub.add_argument("--forwarding", type=pathlib.Path, required=True)
    sub.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        result, ratios, more = options.function(options, Builds(options, scratch))
    worst = sorted(ratios.items(), key=lambda item: item[1])
    result["summary"] = {"pairs": len(ratios), "geometric_mean": geometric_mean(list(ratios.values())), "mean_bar": options.mean,
                         "worst_bar": options.worst, "below": dict(item for item in worst if item[1] < options.worst), **more}
    options.json.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result["summary"], indent=1))
    for name, ratio in worst[:12]:
        print(f"{ratio:.3f}  {name}")
    return 0 if ratios and result["summary"]["geometric_mean"] >= options.mean and worst[0][1] >= options.worst else 1


if __name__ == "__main__":
    sys.exit(main())
