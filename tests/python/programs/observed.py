"""Everything that the package offers, in one program; asserts what it gives. Runs on the emulated device, which is to
be used for every call that it can do."""

import threading

import cugrb

before = cugrb.info()
assert before["how"] == "import" and before["graphblas"] is None, before
assert cugrb.statistics()["calls_cpu"] == 0

import graphblas as gb  # noqa: E402
from graphblas import Matrix, semiring  # noqa: E402

cugrb.reset_statistics()
A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.5, 2.0, 3.0], nrows=3, ncols=3)


def product():
    result = A.mxm(A, semiring.plus_times).new()
    result.wait()
    return result


def places(calls):
    return {call["place"] for call in calls if call["function"] == "GrB_mxm"}


# Statistics.
product()
counts = cugrb.statistics()
assert counts["calls_gpu"] >= 1 and counts["bytes_up"] > 0, counts
assert counts["resident_bytes"] > 0 and counts["peak_bytes"] >= counts["resident_bytes"], counts
cugrb.reset_statistics()
assert cugrb.statistics()["calls_gpu"] == 0

# A trace, and one within it.
with cugrb.trace() as outer:
    product()
    with cugrb.trace() as inner:
        product()
    assert outer == []
assert places(outer) == places(inner) == {"emulated"}, outer
assert sum(call["function"] == "GrB_mxm" for call in outer) == 2, outer
assert sum(call["function"] == "GrB_mxm" for call in inner) == 1, inner
call = next(call for call in inner if call["function"] == "GrB_mxm")
assert call["operation"] == "PLUS_TIMES_FP64" and call["reason"].startswith("CUGRB_OFFLOAD=always"), call
assert call["milliseconds"] > 0 and call["bytes_up"] >= 0 and "kernel" in call, call
assert "3x3" in call["sizes"], call
table = inner._repr_html_()
assert table.startswith("<table>") and "<td>GrB_mxm</td><td>emulated</td>" in table, table
assert "GrB_mxm" in str(inner) and str(inner).splitlines()[0].split() == [
    "function", "on", "ms", "up", "down", "operation", "kernel", "why"], str(inner)
product()
assert len(places(inner)) == 1 and sum(call["function"] == "GrB_mxm" for call in outer) == 2, "a trace has ended"

# Offload, nested, in this thread only, and put back after an error.
other = []
with cugrb.trace() as calls:
    with cugrb.offload("never"):
        product()
        with cugrb.offload("always"):
            product()
        product()
        with cugrb.trace() as elsewhere:
            thread = threading.Thread(target=lambda: other.append(product()))
            thread.start()
            thread.join()
    try:
        with cugrb.offload("never"):
            raise KeyError
    except KeyError:
        product()
    with cugrb.offload("auto"):
        product()
found = [call for call in calls if call["function"] == "GrB_mxm"]
assert [call["place"] for call in found] == ["cpu", "emulated", "cpu", "emulated", "emulated", "cpu"], found
assert found[0]["reason"] == "the program asked for offload never", found[0]
assert found[1]["reason"].startswith("the program asked for offload always"), found[1]
assert places(elsewhere) == {"emulated"} and found[3]["thread"] != found[2]["thread"]
assert other[0].isequal(A.mxm(A).new())
try:
    with cugrb.offload("sometimes"):
        raise AssertionError("a wrong mode was taken")
except ValueError as error:
    assert "'auto', 'always', 'never'" in str(error), error

after = cugrb.info()
assert after["device"] == {"kind": "emulated", "name": after["device"]["name"]} and after["device"]["name"], after
assert after["graphblas"]["version"] == ".".join(map(str, gb.ss.about["library_version"])), after["graphblas"]
assert after["graphblas"]["passed_on"] == "" and "libgraphblas" in after["graphblas"]["path"], after
assert after["settings"]["CUGRB_DEVICE"] == "emulated", after
print("all as it should be")
