"""The parts of the benchmark that need nothing but a folder: large archives, and listing them."""

import sys

from . import inputs, ways
from .figures import Bar
from .running import Failed

LARGE, SLOW_SHARE = "large", 5
OURS = ("inject", "inject+fsync", "in-place", "in-place+fsync")


class Bench:
    """What all parts share."""

    def __init__(self, options, files, place, runner, cells):
        self.options, self.inputs, self.place = options, files, place
        self.runner, self.cells = runner, cells
        self.notes, self.has_failed = [], False

    def wants(self, part, way):
        return not self.options.only or bool({part, way} & set(self.options.only))

    def say(self, text):
        print(text, file=sys.stderr, flush=True)

    def interleave(self, entries, runs):
        """Entries are (archive, path, way). Each round begins with another one."""
        for archive, path, way in entries:
            self._warm(archive, path, way)
        for number in range(runs):
            self.say(f"round {number + 1} of {runs}, {len(entries)} cells")
            first = number % len(entries) if entries else 0
            for archive, path, way in entries[first:] + entries[:first]:
                share = max(1, runs // SLOW_SHARE) if way.is_slow else runs
                if number < share:
                    self._measure(archive, path, way, is_first=number == 0)

    def _warm(self, archive, path, way):
        """An untimed run of ours, for its memory."""
        cell = self.cells.cell(archive, way.name)
        if not way.is_ours:
            return
        way.prepare(path, self.place)
        try:
            cell.memory = self.runner.memory(way.command(path, self.place))
        except (Failed, OSError) as error:
            cell.skipped = str(error)

    def _measure(self, archive, path, way, is_first):
        cell = self.cells.cell(archive, way.name)
        if cell.skipped:
            return
        try:
            way.prepare(path, self.place)
            cell.seconds.append(self.runner.seconds(way.command(path, self.place)))
            if is_first:
                way.check(path, self.place)
        except (Failed, OSError) as error:
            cell.skipped = str(error)
            self.say(f"{archive}, {way.name}: {error}")
        finally:
            self.place.clear()


def measure_large(bench):
    """One large archive three times, and one of many small members."""
    options, entries = bench.options, []
    sets = {
        "middle": ways.copies() + ways.ours(options.binary) + ways.peers(options.rewriter),
        "first": ways.copies() + ways.ours(options.binary)[:2],
        "last": ways.copies() + ways.ours(options.binary)[:2],
    }
    for position in inputs.PLACES:
        chosen = [way for way in sets[position] if bench.wants(LARGE, way.name)]
        if chosen:
            path = bench.inputs.placed(position)
            entries += [(position, path, way) for way in chosen]
    several = ways.copies() + ways.ours(options.binary)[:2] + ways.peers(options.rewriter)[:1]
    chosen = [way for way in several if bench.wants("many", way.name)]
    if chosen:
        path = bench.inputs.many()
        entries += [("many", path, way) for way in chosen]
    bench.interleave(entries, options.runs)


def large_bars(bench):
    cells, bars = bench.cells, []
    for position in inputs.PLACES:
        bars += [
            Bar(f"{position}: inject to cp", cells.ratio(position, "inject", "cp"), 1.10),
            Bar(f"{position}: inject+fsync to cp+fsync",
                cells.ratio(position, "inject+fsync", "cp+fsync"), 1.15),
        ]
    peaks = [peak for position in inputs.PLACES
             if (peak := cells.megabytes(position, OURS)) is not None]
    return [
        *bars,
        Bar("middle: inject to libzip", cells.ratio("middle", "inject", "libzip"), 0.15),
        Bar("large: peak memory", max(peaks, default=None), 30, "MB"),
        Bar("many: inject to cp", cells.ratio("many", "inject", "cp"), 1.3),
        Bar("many: inject+fsync to cp+fsync",
            cells.ratio("many", "inject+fsync", "cp+fsync"), 1.3),
        Bar("many: peak memory", cells.megabytes("many", OURS), 60, "MB"),
    ]


def measure_lists(bench):
    """Listing the large archive, and one of a tenth of its size with as many members."""
    chosen = [
        way for way in ways.listings(bench.options.binary) if bench.wants("list", way.name)
    ]
    if not chosen:
        return
    entries = [
        (archive, path, way)
        for archive, path in (("middle", bench.inputs.placed("middle")),
                              ("tenth", bench.inputs.tenth()))
        for way in chosen
    ]
    bench.interleave(entries, bench.options.runs * 3)


def list_bars(bench):
    cells = bench.cells
    return [
        Bar("inspect to unzip -l", cells.ratio("middle", "inspect", "unzip -l"), 2),
        Bar("inspect to inspect of a tenth of the size",
            cells.ratio("middle", "inspect", "inspect", to_archive="tenth"), 1.25),
    ]
