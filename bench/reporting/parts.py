"""Results in parts: what several runs of a benchmark wrote, as one."""
import json


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def records_of(result):
    """The key of a result's records."""
    return "cases" if result["benchmark"] == "spgemm" else "matrices"


def differing(record):
    """The candidates of a record whose result is another than the first one's."""
    return [r["kernel"] for r in record["results"] if r.get("same_result") is False]


def merge(results):
    """One result of several of the same benchmark: the first one's run, every record once (a complete one before one that is in part, a
    later one before an earlier one), accounts added. ValueError when they are of different benchmarks, devices or commits."""
    merged = dict(results[0])
    key = records_of(merged)
    found, account = {}, {}
    for result in results:
        for field in ("benchmark", "device", "commit"):
            if result.get(field) != merged.get(field):
                raise ValueError(f"{field}: {result.get(field)} in one part, {merged.get(field)} in another")
        for record in result[key]:
            known = found.get(record["name"])
            if known is None or record.get("complete", True) or not known.get("complete", True):
                found[record["name"]] = record
        for phase, seconds in result.get("account", {}).items():
            account[phase] = account.get(phase, 0) + seconds
    merged[key] = list(found.values())
    if account:
        merged["account"] = account
    merged["complete"] = results[-1].get("complete", False) and all(r.get("complete", True) for r in merged[key])
    return merged


def write(result, path):
    """A line a record, as the benchmarks do."""
    key = records_of(result)
    fields = [f"{json.dumps(k)}:{json.dumps(v)}" for k, v in result.items() if k != key]
    fields.append(f'{json.dumps(key)}:[\n' + ",\n".join(json.dumps(r, separators=(",", ":")) for r in result[key]) + "]")
    with open(path, "w", encoding="utf-8") as file:
        file.write("{" + ",\n".join(fields) + "}\n")
