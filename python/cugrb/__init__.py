"""Runs GraphBLAS programs on an NVIDIA GPU, unchanged.

``import cugrb`` before ``import graphblas`` puts cuGrB in front of SuiteSparse:GraphBLAS for this process;
``python -m cugrb script.py`` and ``cugrb exec -- python script.py`` do it for a script that knows nothing of cuGrB.
Imported later than GraphBLAS it warns (:class:`TooLateWarning`) and changes nothing.

Where no GPU can be used, every call is passed on to SuiteSparse:GraphBLAS, and one line on standard error says so
(``CUGRB_NOTICE=0`` keeps it quiet).
"""

from importlib.metadata import version as _version

from ._library import InactiveError, TooLateWarning, load as _load
from ._offload import offload
from ._state import Info, Statistics, info, is_active, reset_statistics, statistics
from ._trace import Record, Trace, trace

__version__ = _version("cugrb")
__all__ = ["InactiveError", "Info", "Record", "Statistics", "TooLateWarning", "Trace", "info", "is_active", "offload",
           "reset_statistics", "statistics", "trace"]

_load()
