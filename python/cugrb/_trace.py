"""The records of GraphBLAS calls: where each ran, and why there."""

import contextlib
import html
import json
from typing import Any, Dict, Iterator, List, Optional, Tuple, TypedDict

from ._library import active, text_of


class Record(TypedDict, total=False):
    """One GraphBLAS call. Texts and predictions that a call does not have are left out."""

    function: str  #: "GrB_mxv"
    place: str  #: "gpu", "emulated" or "cpu"
    milliseconds: float  #: by the host's clock; a call on a GPU may return when its work is queued
    start_milliseconds: float  #: when it began, since the process began
    bytes_up: int  #: copied to the device during the call
    bytes_down: int  #: copied from it
    up_because_of: str  #: the earlier calls that had changed on the host what went up, with the bytes of each
    reason: str  #: why there, and why this kernel; or why the device could not do it
    warning: str
    sizes: str  #: of the operands
    basis: str  #: what predictions rest on
    operation: str  #: semiring or operator
    kernel: str
    format: str  #: of the matrix
    predicted_milliseconds: float  #: of the kernel
    gpu_predicted_milliseconds: float  #: of the whole call on the GPU, with what it would copy
    cpu_predicted_milliseconds: float  #: on the CPU
    compiled: int  #: kernels compiled during the call
    thread: int
    process: int


_TEXTS = ("up_because_of", "reason", "warning", "sizes", "basis", "operation", "kernel", "format")
_PREDICTIONS = ("predicted", "gpu_predicted", "cpu_predicted")


def _record(event: Dict[str, Any]) -> Record:
    """A record from an event of the Chrome trace, which counts in microseconds."""
    arguments = event["args"]
    record: Record = {"function": event["name"], "place": arguments["place"], "milliseconds": event["dur"] / 1000,
                      "start_milliseconds": event["ts"] / 1000, "bytes_up": arguments["bytes_up"],
                      "bytes_down": arguments["bytes_down"], "thread": event["tid"], "process": event["pid"]}
    for name in (*_TEXTS, "compiled"):
        if name in arguments:
            record[name] = arguments[name]  # type: ignore[literal-required]
    for name in _PREDICTIONS:
        if name + "_us" in arguments:
            record[name + "_milliseconds"] = arguments[name + "_us"] / 1000  # type: ignore[literal-required]
    return record


def _size(count: int) -> str:
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} B" if count else ""


class Trace(List[Record]):
    """The records of the calls within ``with cugrb.trace()``, in the order in which they ended.

    A list of dicts (see :class:`Record`); empty until the ``with`` ends. Prints as a table, and is one in a notebook.
    """

    _columns = ("function", "on", "ms", "up", "down", "operation", "kernel", "why")

    def _rows(self) -> Iterator[Tuple[str, ...]]:
        for record in self:
            yield (record["function"], record["place"], f"{record['milliseconds']:.3f}", _size(record["bytes_up"]),
                   _size(record["bytes_down"]), record.get("operation", ""), record.get("kernel", ""),
                   record.get("reason", ""))

    def __str__(self) -> str:
        rows = [self._columns, *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self._columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        def line(cells: Tuple[str, ...], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line(row, "td") for row in self._rows())
        return f"<table><thead>{line(self._columns, 'th')}</thead><tbody>{body}</tbody></table>"


@contextlib.contextmanager
def trace() -> Iterator[Trace]:
    """Records the GraphBLAS calls of all threads within the ``with``, about 400 bytes each.

    Traces may be nested, and run beside ``CUGRB_TRACE``. Where calls are only passed on there are no records but that of
    ``GrB_init``. Raises InactiveError where cuGrB is not in front of GraphBLAS.

    >>> with cugrb.trace() as calls:
    ...     y << A.mxv(x)
    >>> print(calls[0]["function"], calls[0]["place"], calls[0]["reason"])
    """
    library = active()
    recording: Optional[int] = library.cugrb_recording_start()
    if recording is None:
        raise MemoryError("there is no memory for a trace")
    records = Trace()
    try:
        yield records
    finally:
        library.cugrb_recording_stop(recording)
        try:
            records.extend(map(_record, json.loads(text_of(library.cugrb_recording_text, recording))))
        finally:
            library.cugrb_recording_free(recording)
