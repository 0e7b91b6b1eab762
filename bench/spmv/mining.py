#!/usr/bin/env python3
"""PageRank, HITS and random walks with restart on the graphs of PVLDB 2011, one kernel after another: its Tables 1, 4 and 5. SimRank, when
it is asked for, is CIKM 2015's: bench/spgemm/README.md.

    bench/spmv/mining.py --cugrb build/release/bin/cugrb [--backend gpu] [--scale 1] [--kernels mxv_coo,mxv_hyb,...] [--no-cpu]
                         [--algorithms pagerank,hits,rwr,rwr_together,simrank] [--graphs flickr,...] [--repeat 9] [--queries 25] [--budget SECONDS] [--resume FILE] [--commit TEXT] --json FILE

Each run is a process of `cugrb run` with CUGRB_FORCE; its time is the median of all repetitions but the first (of three on the CPU, and of SimRank). "cpu" is
SuiteSparse on all cores, "choice" the selector's free choice. "rwr" is one query, whose products are matrix times vector; "rwr_together" is
that of all queries together, a matrix-matrix product with no choice among those kernels, divided by their number. The graphs are Chung-Lu graphs with the papers' statistics (docs/algorithms.md), for random walks with every edge in both directions.
"""
import argparse
import datetime
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ALGORITHMS = ["pagerank", "hits", "rwr", "rwr_together"]
GRAPHS = ["flickr", "livejournal", "wikipedia", "youtube"]
KERNELS = ["choice", "mxv_coo", "mxv_hyb", "mxv_tile_coo", "mxv_tile_composite"]


def measure(options, algorithm, graph, kernel):
    """One process; a row, or one with `skipped`."""
    row = {"algorithm": algorithm, "preset": graph, "scale": options.scale, "kernel": kernel}
    together = algorithm == "rwr_together"
    name = f"chung_lu:{graph}:{options.scale:g}" + (":undirected" if algorithm.startswith("rwr") else "")
    backend = "cpu" if kernel == "cpu" else options.backend
    queries = options.queries if together else 1
    repeat = min(options.repeat, 3) if kernel == "cpu" or algorithm == "simrank" else options.repeat
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [options.cugrb, "run", algorithm.split("_")[0], name, "--backend", backend, "--repeat", str(repeat), "--top", "0", "--json", file.name]
        if together:
            command += ["--queries", str(queries)]
        environment = dict(os.environ)
        if kernel not in ("cpu", "choice"):
            environment["CUGRB_FORCE"] = kernel
        if backend != "cpu":
            environment.setdefault("CUGRB_OFFLOAD", "always")
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines()
            return dict(row, skipped=lines[-1] if lines else f"exit code {done.returncode}"), None
        report = json.load(open(file.name, encoding="utf-8"))[0]
    warm = report["seconds"][1:] or report["seconds"]
    device = (report.get("device") or {}).get("name")
    return dict(row, seconds=statistics.median(warm) / queries, iterations=report["result"]["iterations"] / queries,
                entries=report["graph"]["entries"]), device


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cugrb", required=True)
    parser.add_argument("--backend", default="gpu", choices=["gpu", "emulated"])
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--no-cpu", action="store_true")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--queries", type=int, default=25)
    parser.add_argument("--budget", type=float, default=0, help="end after so many seconds, between two runs")
    parser.add_argument("--resume", help="take over what this result holds, measure the rest")
    parser.add_argument("--commit", default="")
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    result = {"benchmark": "mining", "device": None, "commit": options.commit, "cores": os.cpu_count(), "repeat": options.repeat,
              "queries": options.queries, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
              "complete": False, "runs": []}
    if options.resume:
        earlier = json.load(open(options.resume, encoding="utf-8"))
        if earlier["commit"] != options.commit:
            parser.error(f"--resume {options.resume}: its commit is {earlier['commit']}")
        result.update(device=earlier["device"], runs=earlier["runs"])
    result["complete"] = measure_all(options, result)
    write(result, options.json)


def measure_all(options, result):
    """Adds the runs that are not there yet; whether all were made."""
    kernels = options.kernels.split(",") + ([] if options.no_cpu else ["cpu"])
    known = {(row["algorithm"], row["preset"], row["kernel"]) for row in result["runs"]}
    start = time.monotonic()
    for graph, algorithm, kernel in itertools.product(options.graphs.split(","), options.algorithms.split(","), kernels):
        if (algorithm, graph, kernel) in known or (algorithm == "rwr_together" and kernel not in ("choice", "cpu")):
            continue
        if options.budget and time.monotonic() - start > options.budget:
            print("the budget is spent")
            return False
        row, device = measure(options, algorithm, graph, kernel)
        result["device"] = result["device"] or device
        print(f"{algorithm:9} {graph:12} {kernel:20}", f"skipped: {row['skipped']}" if "skipped" in row else
              f"{row['seconds'] * 1e3:10.3f} ms  {row['iterations']:.0f} iterations", flush=True)
        result["runs"].append(row)
        write(result, options.json)
    return True


def write(result, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
