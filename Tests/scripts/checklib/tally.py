"""Counts checks, prints the failed ones and the closing line."""


class Tally:
    def __init__(self, listing=False):
        self.passed = self.failed = 0
        self._listing = listing

    def check(self, name, problems):
        """One check: passed if `problems` is empty. Returns whether it passed."""
        if not problems:
            self.passed += 1
            if self._listing:
                print(f"ok {name}")
            return True
        self.failed += 1
        shown = "; ".join(problems[:5])
        more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
        print(f"FAIL {name}: {shown}{more}", flush=True)
        return False

    def note(self, text):
        """A word that is neither: a check that could not run here, or a figure."""
        print(text, flush=True)

    def close(self):
        """Prints the closing line; returns the exit status: 1 on a failure or when nothing ran."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
