"""Runs commands for a process that is large itself, and says how long each took and its peak.

The kernel counts the peak of the process that starts a command as the command's own; this one stays
small. It reads one JSON request a line and answers with one.
"""

import json
import os
import signal
import subprocess
import sys
import time


def _run(request):
    begin = time.monotonic()
    with open(request["out"], "wb") as out, open(request["err"], "wb") as err:
        process = subprocess.Popen(
            request["command"], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            cwd=request["folder"], env=request["environment"])
        signal.signal(signal.SIGALRM, lambda *_: process.kill())
        signal.alarm(request["limit"])
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return {"status": process.returncode, "seconds": time.monotonic() - begin,
            "kilobytes": usage.ru_maxrss}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_run(json.loads(line))), flush=True)
