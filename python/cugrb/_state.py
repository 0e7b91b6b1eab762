"""What is in force, and what has happened so far."""

import ctypes
import os
from typing import Dict, Optional, TypedDict

from . import _library

#: cugrb_device_kind of include/cugrb/cugrb.h
_KINDS = ("none", "gpu", "emulated")


class Device(TypedDict):
    """The device that calls run on, or why there is none."""

    kind: str  #: "gpu", "emulated", or "none"
    name: str  #: "NVIDIA H100 80GB HBM3"; of kind "none" the reason


class GraphBLAS(TypedDict):
    """The SuiteSparse:GraphBLAS behind cuGrB."""

    path: str
    version: str  #: "7.4.0"; "" before GrB_init
    passed_on: str  #: why every call is only passed on to it; "" where it is not so


class Info(TypedDict):
    """What info() returns."""

    version: str  #: of libcugrb.so
    library: str  #: its path
    how: str  #: how it came in front of GraphBLAS: "import", "preloaded"; "too late": it is not
    device: Optional[Device]  #: None where cuGrB is not in front
    graphblas: Optional[GraphBLAS]  #: None before the first GraphBLAS call
    settings: Dict[str, str]  #: the CUGRB_* variables of the environment


class Statistics(TypedDict):
    """What statistics() returns: counts since GrB_init, or since reset_statistics()."""

    calls_gpu: int  #: calls that take a matrix or a vector and ran on the device
    calls_cpu: int  #: ... that SuiteSparse ran
    bytes_up: int  #: copied to the device
    bytes_down: int  #: copied back
    uploads: int  #: objects copied to the device
    downloads: int  #: objects copied back
    hits: int  #: uses that found the device copy valid
    resident: int  #: objects with a device copy now
    resident_bytes: int  #: and their size
    peak_bytes: int  #: the most device memory in use at once


def is_active() -> bool:
    """Whether cuGrB stands in front of GraphBLAS in this process."""
    return _library.load().functions is not None


def _device(library: ctypes.CDLL) -> Device:
    text = ctypes.create_string_buffer(4096)
    kind = library.cugrb_device(text, len(text))
    return {"kind": _KINDS[kind], "name": text.value.decode("utf-8", "replace")}


def _graphblas(library: ctypes.CDLL) -> Optional[GraphBLAS]:
    # The answers look for the library, which has to wait until the program has loaded its own.
    if not library.cugrb_is_started():
        return None
    return {"path": os.fsdecode(library.cugrb_graphblas_path()),
            "version": library.cugrb_graphblas_version().decode(),
            "passed_on": library.cugrb_forward_only_reason().decode("utf-8", "replace")}


def info() -> Info:
    """The version, the device (chosen now, if no call has needed one yet), the library behind, the settings."""
    from . import __version__

    loaded = _library.load()
    functions = loaded.functions
    return {"version": functions.cugrb_version().decode() if functions else __version__,
            "library": loaded.path,
            "how": loaded.how,
            "device": _device(functions) if functions else None,
            "graphblas": _graphblas(functions) if functions else None,
            "settings": {name: value for name, value in sorted(os.environ.items()) if name.startswith("CUGRB_")}}


def statistics() -> Statistics:
    """What has happened since the program began, or since reset_statistics(), in all threads.

    Raises InactiveError where cuGrB is not in front of GraphBLAS.
    """
    counts = _library.Statistics()
    _library.active().cugrb_get_statistics(ctypes.byref(counts))
    return {name: getattr(counts, name) for name in Statistics.__annotations__}  # type: ignore[return-value]


def reset_statistics() -> None:
    """Starts the counts of calls, bytes, uploads, downloads and hits at zero; what is resident stays."""
    _library.active().cugrb_reset_statistics()
