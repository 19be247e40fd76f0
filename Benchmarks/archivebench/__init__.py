"""The parts of `archive-benchmark`: inputs, running, figures, and the report."""
