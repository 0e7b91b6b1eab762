#!/usr/bin/env python3
"""Algorithms on 1 ... P devices: strong scaling of graphs, weak scaling of R-MAT. See README.md beside this file."""
import argparse
import datetime
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ALGORITHMS = ["pagerank", "hits", "bfs", "components", "sssp", "triangles"]


def weak_graph(graph, devices):
    """The R-MAT graph with so many times the vertices: rmat:22:16 on two devices is rmat:23:16."""
    kind, scale, *rest = graph.split(":")
    doublings = math.log2(devices)
    if kind != "rmat" or doublings != int(doublings):
        raise SystemExit(f"--weak {graph}: R-MAT grows by doubling, {devices} devices are no power of two")
    return ":".join([kind, str(int(scale) + int(doublings)), *rest])


def command_of(options, algorithm, graph, devices, how, out):
    rest = [algorithm, graph, "--repeat", str(options.repeat), "--json", out]
    if how == "one process":
        return [options.cugrb, "run", *rest, "--backend", options.backend]
    return options.mpi.format(devices=devices).split() + rest


def environment_of(devices, how):
    environment = dict(os.environ)
    if how == "one process" and devices > 1:
        environment["CUGRB_DEVICES"] = ",".join(str(n) for n in range(devices))
    return environment


def run(options, algorithm, graph, devices, how):
    """One process's (or mpirun's) report as a row."""
    row = {"algorithm": algorithm, "graph": graph, "devices": devices, "how": how}
    with tempfile.TemporaryDirectory() as folder:
        out = str(pathlib.Path(folder) / "report.json")
        try:
            done = subprocess.run(command_of(options, algorithm, graph, devices, how, out), text=True, capture_output=True,
                                  env=environment_of(devices, how), timeout=options.timeout)
        except subprocess.TimeoutExpired:
            return {**row, "failed": f"no answer within {options.timeout} s"}
        if done.returncode != 0:
            return {**row, "failed": done.stderr.strip()[-500:]}
        report = json.loads(pathlib.Path(out).read_text())
    return {**row, **figures_of(report[0] if isinstance(report, list) else report)}


def figures_of(report):
    """What a row has of a program's report."""
    seconds = report["seconds"]
    device = report["device"]["name"] if "device" in report else report.get("places", ["CPU"])[0]  # of one process; of ranks
    figures = {"entries": report["graph"]["entries"], "cold_seconds": seconds[0], "seconds": seconds,
               "median_seconds": statistics.median(seconds[len(seconds) // 2:]), "device": device, "result": report["result"]}
    if isinstance(report["result"].get("iterations"), int):
        figures["entries_per_second"] = figures["entries"] * report["result"]["iterations"] / figures["median_seconds"]
    return figures


def text_of(row, alone):
    head = f"{row['algorithm']:<12} {row['graph']:<16} {row['how']:<12} {row['devices']:>2} devices"
    if "failed" in row:
        return f"{head}  failed: {(row['failed'].splitlines() or ['?'])[-1]}"
    line = f"{head}  {row['median_seconds'] * 1e3:10.3f} ms"
    if alone:
        line += f", {alone / row['median_seconds']:5.2f} times the first"
    if "entries_per_second" in row:
        line += f", {row['entries_per_second'] * 1e-9:7.1f} GE/s"
    return line


def measure(options, scaling, graph, algorithm, how, rows):
    alone = None
    for devices in options.devices:
        named = weak_graph(graph, devices) if scaling == "weak" else graph
        row = {"scaling": scaling, **run(options, algorithm, named, devices, how)}
        if "failed" not in row:
            alone = alone or row["median_seconds"]
            row["over_first"] = alone / row["median_seconds"]
        rows.append(row)
        print(f"{scaling:<7}{text_of(row, alone)}", flush=True)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cugrb", required=True, help="the command")
    parser.add_argument("--mpi", help="how processes are started, {devices} of them: 'mpirun -n {devices} cugrb-mpi run'")
    parser.add_argument("--devices", default="1,2", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--graph", action="append", default=[], help="strong scaling of this one (repeatable)")
    parser.add_argument("--weak", action="append", default=[], help="weak scaling from this R-MAT graph (repeatable)")
    parser.add_argument("--algorithm", action="append", choices=ALGORITHMS, help="repeatable; all when left out")
    parser.add_argument("--backend", default="gpu")
    parser.add_argument("--repeat", type=int, default=6)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one process")
    parser.add_argument("--commit", default="")
    parser.add_argument("--json")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    rows = []
    for how in ["one process"] + (["processes"] if options.mpi else []):
        for scaling, graphs in (("strong", options.graph), ("weak", options.weak)):
            for graph in graphs:
                for algorithm in options.algorithm or ALGORITHMS:
                    measure(options, scaling, graph, algorithm, how, rows)
    result = {"benchmark": "devices_algorithms", "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "commit": options.commit, "repeat": options.repeat,
              "device": next((row["device"] for row in rows if "device" in row), None), "rows": rows}
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    return 1 if any("failed" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
