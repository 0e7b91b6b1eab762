"""Runs of benchmark programs in processes of their own, and the comparison of what they compute."""
import json
import os
import subprocess
import tempfile

# PageRank ends at a tolerance of 1e-4 in single precision; the sums of betweenness are in double; the rest are integers, of which norms in
# double are taken here and there.
TOLERANCE = {"pr": 1e-4, "bc": 1e-9, "cc": 1e-12, "sssp": 1e-12}


def run(program, graph, algorithms, environment, repeat, seconds):
    """The result of one process of gap_bench or algorithms_bench."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [program, graph, "--repeat", str(repeat), "--seconds", str(seconds), "--algorithms", algorithms, "--json", file.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, **environment))
        return json.load(open(file.name))


def agree(algorithm, one, other):
    """Whether the checksums of two runs are the same, for the trials that both have done."""
    allowed = TOLERANCE.get(algorithm, 0)
    return all(abs(a - b) <= allowed * max(abs(a), abs(b)) for a, b in zip(one["checksums"], other["checksums"]))


def device():
    """Name and driver of the first NVIDIA GPU, as nvidia-smi says them; None twice where there is none."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "--id=0"]
    try:
        answer = subprocess.run(query, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None, None
    name, driver = [part.strip() for part in answer.split(",")]
    return name, driver
