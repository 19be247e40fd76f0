"""Python packages from PyPI in an environment of their own, which is kept between runs."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def python_with(name, *packages):
    """A Python that has some packages. Returns its path, or None and why there is none."""
    build = ROOT / ".build"
    around = build if build.is_dir() else pathlib.Path(tempfile.gettempdir())
    home = around / f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    python = home / "bin/python"
    if (home / "ready").exists():
        return str(python), None
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
           "--timeout", "20", "--retries", "1"]
    for command in ([sys.executable, "-m", "venv", "--clear", str(home)], [*pip, *packages]):
        try:
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=600,
                stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, str(error)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no word"]
            return None, lines[-1]
    (home / "ready").touch()
    return str(python), None
