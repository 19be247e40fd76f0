"""How `batch` over many archives scales from one job to two."""

import os
import shutil

from . import ways
from .figures import Bar
from .running import Failed, first_line

COUNT, MANY_RUNS = 200, 5
WAYS = {1: "1 job", 2: "2 jobs"}


def command(binary, inputs, folder, jobs, *more):
    inject = ways.inject(binary, "--", [])
    # Of the single command's line: its options, without the word and the input.
    options = inject[3:]
    return [binary, "batch", "inject", *options, "--output-dir", folder, "--jobs", str(jobs),
            *more, *inputs]


def measure(bench):
    if not bench.wants("batch", "batch"):
        return
    binary = bench.options.binary
    if first_line([binary, "batch", "--help"], "Usage") is None:
        bench.notes.append("batch: skipped, this ipa-inject has no such command")
        return
    if (os.cpu_count() or 1) < 2:
        bench.notes.append("batch: skipped, one core")
        return
    inputs = bench.inputs.batch(COUNT)
    folder = os.path.join(bench.place.folder, "batch-output")
    kinds = {"--no-sync": ["--no-sync"], "fsync": []}
    for number in range(min(bench.options.runs, MANY_RUNS)):
        bench.say(f"batch, round {number + 1}")
        for kind, more in kinds.items():
            for jobs in ((1, 2), (2, 1))[number % 2]:
                cell = bench.cells.cell(f"batch {kind}", WAYS[jobs])
                if cell.skipped is None:
                    run(bench, cell, command(binary, inputs, folder, jobs, *more), folder)


def run(bench, cell, line, folder):
    os.makedirs(folder)
    try:
        cell.seconds.append(bench.runner.seconds(line))
        if len(os.listdir(folder)) != COUNT:
            raise Failed(f"{len(os.listdir(folder))} outputs, not {COUNT}")
    except Failed as error:
        cell.skipped = str(error)
    finally:
        shutil.rmtree(folder)


def bars(bench):
    return [
        Bar(f"batch {kind}: 1 job to 2", bench.cells.ratio(f"batch {kind}", WAYS[1], WAYS[2]),
            1.7, at_least=True)
        for kind in ("--no-sync", "fsync")
    ]
