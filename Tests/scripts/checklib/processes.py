"""Watches processes that the tool starts and must not leave behind (Linux)."""

import time


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)


def alive(path):
    """Problems where one of the processes in a file still runs."""
    if not path.exists():
        return ["it did not start"]

    def runs(number):
        try:
            with open(f"/proc/{number}/stat", encoding="ascii") as file:
                return " Z " not in file.read()
        except OSError:
            return False

    numbers = [int(each) for each in path.read_text().split()]
    wait_for(lambda: not any(map(runs, numbers)), 10)
    return [f"process {number} still runs" for number in numbers if runs(number)]
