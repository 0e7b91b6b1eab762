"""libcugrb.so in this process: put in front of GraphBLAS where that is still possible."""

import ctypes
import functools
import os
import pathlib
import sys
import warnings
from typing import Callable, NamedTuple, Optional

FOLDER = pathlib.Path(__file__).resolve().parent
LIBRARY = FOLDER / "lib" / "libcugrb.so"


class TooLateWarning(RuntimeWarning):
    """cuGrB was imported when GraphBLAS was loaded already; its calls do not reach the GPU."""


class InactiveError(RuntimeError):
    """What was asked for needs cuGrB in front of GraphBLAS, and it is not."""


class Loaded(NamedTuple):
    """libcugrb.so as it stands in this process."""

    functions: Optional[ctypes.CDLL]  #: its functions; None where it is not in front of GraphBLAS
    how: str  #: "import", "preloaded" or "too late"
    path: str


class Statistics(ctypes.Structure):
    """``cugrb_statistics`` of include/cugrb/cugrb.h."""

    _fields_ = [(name, ctypes.c_uint64) for name in (
        "calls_gpu", "calls_cpu", "bytes_up", "bytes_down", "uploads", "downloads", "hits", "resident",
        "resident_bytes", "peak_bytes")]


_TEXT = [ctypes.c_char_p, ctypes.c_size_t]
#: name: (result, arguments), as include/cugrb/cugrb.h declares them.
_PROTOTYPES = {
    "cugrb_version": (ctypes.c_char_p, []),
    "cugrb_graphblas_path": (ctypes.c_char_p, []),
    "cugrb_graphblas_version": (ctypes.c_char_p, []),
    "cugrb_forward_only_reason": (ctypes.c_char_p, []),
    "cugrb_is_started": (ctypes.c_int, []),
    "cugrb_device": (ctypes.c_int, _TEXT),
    "cugrb_get_statistics": (None, [ctypes.POINTER(Statistics)]),
    "cugrb_reset_statistics": (None, []),
    "cugrb_recording_start": (ctypes.c_void_p, []),
    "cugrb_recording_stop": (None, [ctypes.c_void_p]),
    "cugrb_recording_text": (ctypes.c_size_t, [ctypes.c_void_p, *_TEXT]),
    "cugrb_recording_free": (None, [ctypes.c_void_p]),
    "cugrb_set_offload": (ctypes.c_int, [ctypes.c_int]),
    "cugrb_set_notice": (None, [ctypes.c_int]),
}


class _Symbol(ctypes.Structure):
    """``Dl_info``."""

    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, arguments) in _PROTOTYPES.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"{_path_of(library)} has no function {name}: it is of another version than this package")
        function.restype, function.argtypes = result, arguments
    return library


def _path_of(library: ctypes.CDLL) -> str:
    """The file that holds its functions."""
    symbol = _Symbol()
    find = ctypes.CDLL(None).dladdr
    find.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Symbol)]
    address = ctypes.cast(library.cugrb_version, ctypes.c_void_p)
    return os.fsdecode(symbol.file) if find(address, ctypes.byref(symbol)) and symbol.file else str(LIBRARY)


def _loaded_graphblas() -> Optional[str]:
    """The path of a GraphBLAS library that this process has loaded."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")[2]
            if os.path.basename(path).startswith("libgraphblas"):
                return "/" + path
    return None


def _already_in_front(graphblas: Optional[str]) -> Optional[ctypes.CDLL]:
    """libcugrb.so, when something else has put it in front: LD_PRELOAD, a link, the drop-in folder."""
    process = ctypes.CDLL(None)
    if hasattr(process, "cugrb_version"):
        return process
    if graphblas is not None and os.path.exists(graphblas):
        drop_in = ctypes.CDLL(graphblas, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        if hasattr(drop_in, "cugrb_version"):
            return drop_in
    return None


def _warn_too_late(graphblas: str) -> None:
    warnings.warn(
        f"cugrb was imported after GraphBLAS had been loaded ({graphblas}): nothing is changed and every call runs on "
        "the CPU. Import cugrb first, or start the program by: python -m cugrb " + (sys.argv[0] or "script.py"),
        TooLateWarning, stacklevel=2)


@functools.lru_cache(maxsize=None)
def load() -> Loaded:
    """Puts libcugrb.so in front of GraphBLAS, once a process; says so where it is too late."""
    graphblas = _loaded_graphblas()
    there = _already_in_front(graphblas)
    if there is not None:
        return Loaded(_declare(there), "preloaded", _path_of(there))
    if graphblas is not None:
        _warn_too_late(graphblas)
        return Loaded(None, "too late", str(LIBRARY))
    # The loader looks for the functions of an extension module in what is global first.
    functions = _declare(ctypes.CDLL(str(LIBRARY), mode=ctypes.RTLD_GLOBAL))
    functions.cugrb_set_notice(os.environ.get("CUGRB_NOTICE") != "0")
    return Loaded(functions, "import", str(LIBRARY))


def active() -> ctypes.CDLL:
    """The library's functions; InactiveError where it is not in front of GraphBLAS."""
    functions = load().functions
    if functions is None:
        raise InactiveError("cugrb was imported after GraphBLAS, so that it is not in front of it; import cugrb first, "
                            "or start the program by: python -m cugrb")
    return functions


def text_of(function: Callable[..., int], *arguments: object) -> str:
    """The text of a function that copies it into a buffer and returns its length."""
    size = function(*arguments, None, 0)
    while True:
        buffer = ctypes.create_string_buffer(size + 1)
        length = function(*arguments, buffer, len(buffer))
        if length <= size:
            return buffer.value.decode("utf-8", "replace")
        size = length
