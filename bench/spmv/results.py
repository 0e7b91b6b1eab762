"""What bench_spmv wrote, read back: matrices, their classes, and the times of each candidate."""
import parts

FP32, FP64, PATTERN = "PLUS_TIMES_FP32", "PLUS_TIMES_FP64", "PLUS_SECOND_FP32"
CHOICE = "choice"


class Matrix:
    """One matrix of a bench_spmv file."""

    def __init__(self, record, copy):
        self.record, self.copy = record, copy
        self.name = record["name"]
        self.rows, self.entries = record["rows"], record["entries"]
        self.results = [r for r in record["results"] if "median_seconds" in r]
        self.differing = parts.differing(record)

    @property
    def preset(self):
        """The name of a Chung-Lu preset at its full size, else None."""
        parts = self.name.split(":")
        return parts[1] if parts[0] == "chung_lu" and parts[2:] in ([], ["1"]) and not parts[1].isdigit() else None

    @property
    def kind(self):
        """power-law, regular or other. Files by how lengths spread: a deviation above the mean is a power law's."""
        family = self.record["family"]
        if family in ("rmat", "chung_lu"):
            return "power-law"
        if family in ("poisson2d", "poisson3d", "banded"):
            return "regular"
        if family == "file":
            return "power-law" if self.record["deviation"] > self.record["mean"] else "regular"
        return "other"

    def row(self, semiring, kernel, library="cugrb"):
        """The result of one candidate, or None."""
        found = [r for r in self.results if (r["semiring"], r["library"], r["kernel"]) == (semiring, library, kernel)]
        return found[0] if found else None

    def seconds(self, semiring, kernel, library="cugrb"):
        row = self.row(semiring, kernel, library)
        return row["median_seconds"] if row else None

    def kernels(self, semiring):
        """Every kernel that the selector could take, with its seconds."""
        return {r["kernel"]: r["median_seconds"] for r in self.results
                if r["semiring"] == semiring and r["library"] == "cugrb" and r["kernel"].startswith(("mxv_", "vxm_"))}

    def best(self, semiring):
        """(kernel, seconds) of the fastest kernel, or None."""
        kernels = self.kernels(semiring)
        return min(kernels.items(), key=lambda item: item[1]) if kernels else None

    def cusparse(self, semiring):
        """(algorithm, seconds) of cuSPARSE's best, or None."""
        found = [(r["kernel"], r["median_seconds"]) for r in self.results
                 if r["semiring"] == semiring and r["library"] == "cusparse"]
        return min(found, key=lambda item: item[1]) if found else None

    def choice_beside_cusparse(self, semiring):
        """Seconds of the choice to compare with cusparse(semiring): of a small product the chosen kernel's in the same rounds."""
        beside = {r["median_seconds"]: r["choice_seconds"] for r in self.results
                  if r["semiring"] == semiring and r["library"] == "cusparse" and "choice_seconds" in r}
        return beside[min(beside)] if beside else self.seconds(semiring, CHOICE)

    def csr_bytes(self, value_bytes):
        return self.record["stored_bytes"] + self.entries * value_bytes


def load(paths):
    """(matrices, runs of the mining benchmark, the run of the first file, with its parts' accounts)."""
    mining, products, runs = [], [], []
    for path in paths:
        data = parts.read(path)
        runs.append(data)
        if data["benchmark"] == "mining":
            mining += [r for r in data["runs"] if "skipped" not in r]
        else:
            products.append(data)
    if products:
        runs[0] = parts.merge(products)
    copy = runs[0].get("copy_bytes_per_second")
    matrices = [Matrix(record, copy) for record in runs[0].get("matrices", [])]
    return matrices, mining, {k: v for k, v in runs[0].items() if k not in ("matrices", "runs")}
