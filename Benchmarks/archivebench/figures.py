"""What is made of samples: medians, least values, ratios, and whether a bar is met."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Cell:
    """One way on one archive: its times in seconds and its peak of memory in bytes."""

    archive: str
    way: str
    seconds: list = field(default_factory=list)
    memory: int | None = None
    skipped: str | None = None

    @property
    def median(self):
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def least(self):
        return min(self.seconds, default=None)


@dataclass
class Bar:
    """`measured` at most `limit`, or at least where `at_least`."""

    name: str
    measured: float | None
    limit: float
    unit: str = "×"
    at_least: bool = False

    @property
    def is_met(self):
        if self.measured is None:
            return None
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


class Cells:
    """All cells of a run, in the order in which they came."""

    def __init__(self):
        self._cells = {}

    def cell(self, archive, way):
        return self._cells.setdefault((archive, way), Cell(archive, way))

    def __iter__(self):
        return iter(self._cells.values())

    def ratio(self, archive, way, to_way, to_archive=None):
        """The quotient of two medians, None where one was not measured."""
        above = self._cells.get((archive, way))
        below = self._cells.get((to_archive or archive, to_way))
        if above is None or below is None or above.median is None or not below.median:
            return None
        return above.median / below.median

    def megabytes(self, archive, ways):
        """The highest peak of memory of some ways, in 10^6 bytes."""
        peaks = [
            cell.memory for cell in self if cell.archive == archive and cell.way in ways
            and cell.memory is not None
        ]
        return max(peaks) / 1e6 if peaks else None
