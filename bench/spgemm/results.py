"""What bench_spgemm wrote, read back."""
import parts

FP32, FP64 = "PLUS_TIMES_FP32", "PLUS_TIMES_FP64"
CHOICE = "choice"


class Case:
    """One product of a bench_spgemm file."""

    def __init__(self, record, copy):
        self.record, self.copy = record, copy
        self.name, self.kind, self.what = record["name"], record["kind"], record["what"]
        self.graph = self.name[len(self.kind) + 1:]
        self.products = record.get("products")
        self.results = [r for r in record["results"] if "median_seconds" in r]
        self.differing = parts.differing(record)

    def semirings(self):
        return sorted({r["semiring"] for r in self.results})

    def rows(self, semiring, library):
        return [r for r in self.results if (r["semiring"], r["library"]) == (semiring, library)]

    def row(self, semiring, kernel, library="cugrb"):
        return next((r for r in self.rows(semiring, library) if r["kernel"] == kernel), None)

    def seconds(self, semiring, kernel, library="cugrb"):
        row = self.row(semiring, kernel, library)
        return row["median_seconds"] if row else None

    def best(self, semiring, library="cugrb"):
        """The fastest forced kernel (algorithm, program), or None."""
        found = [r for r in self.rows(semiring, library) if r["kernel"] != CHOICE]
        return min(found, key=lambda r: r["median_seconds"]) if found else None


def load(paths):
    """(cases, SimRank's runs, the run)."""
    runs = [parts.read(path) for path in paths]
    products = [run for run in runs if run["benchmark"] == "spgemm"]
    simrank = [row for run in runs if run["benchmark"] == "mining" for row in run["runs"] if "skipped" not in row]
    run = parts.merge(products) if products else runs[0]
    cases = [Case(record, run.get("copy_bytes_per_second")) for record in run.get("cases", [])]
    return cases, simrank, {k: v for k, v in run.items() if k not in ("cases", "runs")}
