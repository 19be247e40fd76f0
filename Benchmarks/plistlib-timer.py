#!/usr/bin/env python3
"""Times Python's plistlib for plist-benchmark, in a process of its own.

Reads one request a line, as JSON, and answers each with a line of JSON:

    {"operation": "parse|write|edit|convert", "format": "xml|binary", "file": PATH, "key": KEY,
     "repetitions": N}
      -> {"wall": NANOSECONDS, "processor": NANOSECONDS, "result": NUMBER}
    {"operation": "make-binary", "file": XML, "to": PATH}
      -> {"wall": 0, "processor": 0, "result": BYTES}

The times are for one repetition. The result is the number of entries for `parse`, else of bytes.
"""

import json
import plistlib
import sys
import time

FORMATS = {"xml": plistlib.FMT_XML, "binary": plistlib.FMT_BINARY}
OTHER = {"xml": "binary", "binary": "xml"}


def load(data, form):
    return plistlib.loads(data, fmt=FORMATS[form])


def dump(value, form):
    return plistlib.dumps(value, fmt=FORMATS[form], sort_keys=False)


def operation(request):
    """What is to be timed, with all that comes before it done."""
    name, form = request["operation"], request["format"]
    with open(request["file"], "rb") as file:
        data = file.read()
    if name == "parse":
        return lambda: len(load(data, form))
    if name == "write":
        value = load(data, form)
        return lambda: len(dump(value, form))
    if name == "convert":
        return lambda: len(dump(load(data, form), OTHER[form]))

    def edit():
        value = load(data, form)
        value[request["key"]] = "1043"
        return len(dump(value, form))

    return edit


def timing(run, repetitions):
    wall, processor = time.perf_counter_ns(), time.process_time_ns()
    for _ in range(repetitions):
        result = run()
    return {
        "wall": (time.perf_counter_ns() - wall) / repetitions,
        "processor": (time.process_time_ns() - processor) / repetitions,
        "result": result,
    }


def make_binary(source, target):
    with open(source, "rb") as file:
        data = dump(load(file.read(), "xml"), "binary")
    with open(target, "wb") as file:
        file.write(data)
    return {"wall": 0, "processor": 0, "result": len(data)}


def main():
    known = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["operation"] == "make-binary":
            answer = make_binary(request["file"], request["to"])
        else:
            if request != known:
                known, run = request, operation(request)
            answer = timing(run, request["repetitions"])
        print(json.dumps(answer), flush=True)


main()
