"""The report: Markdown for people, JSON with every sample for programs."""

import os
import platform
import subprocess

from .running import first_line

SCHEMA = "ipa-inject/bench-archive/1"
TITLES = {
    "first": "{size} MB, Info.plist first", "middle": "{size} MB, Info.plist in the middle",
    "last": "{size} MB, Info.plist last", "many": "139 MB of 60,000 members",
    "tenth": "a tenth of the size with as many members",
    "xfs": "{size} MB on XFS with reflink", "btrfs": "{size} MB on Btrfs",
}
# What a table's ways are held against, where that is not cp.
BASES = {"tenth": "unzip -l", "batch --no-sync": "1 job", "batch fsync": "1 job"}


def versions(options):
    here = os.path.dirname(os.path.abspath(__file__))
    found = {
        "checkout": first_line(["git", "-C", here, "describe", "--always", "--dirty"]),
        "ipa-inject": first_line([options.binary, "--version"]),
        "libzip": first_line([options.rewriter, "--version"]),
        "zip": first_line(["zip", "-v"], "This is Zip"),
        "unzip": first_line(["unzip", "-v"], "UnZip"),
        "python": platform.python_version(),
        "cp": first_line(["cp", "--version"], "cp"),
    }
    return {name: text for name, text in found.items() if text}


def machine(folder):
    """What the figures depend on."""
    processor = platform.processor()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            named = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        processor = named[0] if named else processor
    except OSError:
        pass
    kind = None
    if platform.system() == "Linux":
        kind = subprocess.run(
            ["stat", "-f", "-c", "%T", folder], check=False, capture_output=True, text=True
        ).stdout.strip()
    return {
        "system": f"{platform.system()} {platform.release()}", "processor": processor,
        "cores": os.cpu_count(), "fileSystem": kind,
    }


def seconds(value):
    if value is None:
        return "–"
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.3f} s"


def bar_line(bar):
    sign = "≥" if bar.at_least else "≤"
    measured = "not measured" if bar.measured is None else f"{bar.measured:.3g} {bar.unit}"
    verdict = {True: "met", False: "**missed**", None: "–"}[bar.is_met]
    return f"| {bar.name} | {measured} | {sign} {bar.limit} {bar.unit} | {verdict} |"


def table(archive, cells, size, ratio):
    title = TITLES.get(archive, archive).format(size=size)
    base = BASES.get(archive, "cp")
    lines = [
        f"### {title}", "", f"| way | runs | median | least | to {base} | peak memory |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        if cell.skipped:
            lines.append(f"| {cell.way} | – | {cell.skipped} | | | |")
            continue
        quotient = ratio(archive, cell.way, base)
        times = "–" if quotient is None else f"{quotient:.3g}"
        memory = "" if cell.memory is None else f"{cell.memory / 1e6:.1f} MB"
        lines.append(
            f"| {cell.way} | {len(cell.seconds)} | {seconds(cell.median)} | {seconds(cell.least)} "
            f"| {times} | {memory} |"
        )
    return "\n".join(lines)


def markdown(bench, bars, about):
    groups = {}
    for cell in bench.cells:
        groups.setdefault(cell.archive, []).append(cell)
    if bench.options.only:
        bars = [bar for bar in bars if bar.measured is not None]
    lines = ["| bar | measured | limit | |", "|---|--:|--:|---|", *map(bar_line, bars)]
    load = " to ".join(f"{value:.1f}" for value in about["load"])
    where = about["machine"]
    parts = [
        "## Archives",
        f"{about['date']}, {where['system']}, {where['processor']}, {where['cores']} cores, "
        f"{where['fileSystem']}, load {load}",
        *(table(archive, cells, bench.options.size, bench.cells.ratio)
          for archive, cells in groups.items()),
        "### Bars", "\n".join(lines), *bench.notes,
    ]
    return "\n\n".join(parts) + "\n"


def document(bench, bars, about):
    return {
        "schema": SCHEMA, **about,
        "options": {"size": bench.options.size, "runs": bench.options.runs,
                    "only": bench.options.only},
        "cells": [
            {"archive": cell.archive, "way": cell.way, "seconds": cell.seconds,
             "median": cell.median, "least": cell.least, "peakBytes": cell.memory,
             "skipped": cell.skipped}
            for cell in bench.cells
        ],
        "bars": [
            {"name": bar.name, "measured": bar.measured, "limit": bar.limit, "unit": bar.unit,
             "bound": "at least" if bar.at_least else "at most", "isMet": bar.is_met}
            for bar in bars
        ],
        "notes": bench.notes,
    }
