#!/usr/bin/env python3
"""Watches with strace which sockets each command opens and which programs it starts.

    check-sockets.py BINARY [--list]

Commands that need no network open no socket at all. Discovery may ask the kernel for its tables and
connect to the sockets of D-Bus, Avahi and Tailscale on this machine; the one program that it may start is
`tailscale`. Skipped, with a word and status 0, where strace is missing or may not trace. Closes with
'N passed, N failed'.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

from checklib.tally import Tally
from checklib.tool import Tool

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CALLS = "trace=%network,execve,execveat"
# Where the daemons of this machine listen; all of them are files.
PATHS = [
    re.compile(pattern) for pattern in (
        r"(/var)?/run/dbus/system_bus_socket", r"(/var)?/run/avahi-daemon/socket",
        r"(/var)?/run/tailscale/tailscaled\.sock",
    )
]
LISTENERS = ("dbus/system_bus_socket", "avahi-daemon/socket", "tailscale/tailscaled.sock")
# What works on a socket that is there already; where to is said by `connect`, `bind` or the call itself.
HARMLESS = {
    "getsockname", "getpeername", "getsockopt", "setsockopt", "recv", "recvfrom", "recvmsg", "recvmmsg",
    "shutdown",
}
CONNECTION = re.compile(r'connect\(\d+, \{sa_family=AF_UNIX, sun_path="([^"]*)"')
LINE = re.compile(r"(?:\d+ +)?(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)")


def violations(lines, uses_daemons):
    """What a trace has that is not allowed. The first program is the one that was asked for."""
    problems = []
    for line in lines[1:]:
        match = LINE.match(line)
        if match is None:
            continue  # A signal, or the end of a process.
        call, rest = match.groups()
        is_allowed = call in HARMLESS or "resumed>" in line[:60]
        if call in ("execve", "execveat"):
            path = re.match(r'"([^"]*)"', rest)
            is_allowed = uses_daemons and path is not None and os.path.basename(path[1]) == "tailscale"
        elif call == "socket":
            is_allowed = uses_daemons and rest.startswith(("AF_UNIX, SOCK_STREAM", "AF_NETLINK, ")) and (
                "AF_NETLINK" not in rest or "NETLINK_ROUTE" in rest
            )
        elif call == "connect":
            path = re.search(r'\{sa_family=AF_UNIX, sun_path="([^"]*)"\}', rest)
            is_allowed = uses_daemons and path is not None and any(each.fullmatch(path[1]) for each in PATHS)
        elif call == "bind":
            is_allowed = uses_daemons and "{sa_family=AF_NETLINK" in rest
        elif call in ("sendto", "sendmsg", "sendmmsg"):
            is_allowed = is_allowed or uses_daemons and not re.search(r"sa_family=AF_(?!NETLINK)", rest)
        if not is_allowed:
            problems.append(line[:200])
    return problems


class Watch:
    def __init__(self, tool, work):
        self.tool, self._trace = tool, os.path.join(work, "trace")
        self.connections = set()
        # It may say that the bus is elsewhere.
        self.tool.environment.pop("DBUS_SYSTEM_BUS_ADDRESS", None)

    def run(self, command, prefix=(), **more):
        done = subprocess.run(
            [*prefix, "strace", "-f", "-qq", "-s", "4096", "-e", CALLS, "-o", self._trace, *command], check=False,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, **more
        )
        with open(self._trace, encoding="utf-8", errors="replace") as file:
            return done, file.read().splitlines()


# Programs that do what is not allowed; a watcher that sees nothing would pass everything.
OFFENDERS = {
    "a datagram socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a stream socket of IPv6": "import socket; socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
    "a packet socket": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM)",
    "another daemon's socket": "import socket; socket.socket(socket.AF_UNIX).connect('/run/nscd/socket')",
    "an abstract socket": "import socket; socket.socket(socket.AF_UNIX).connect(chr(0) + 'other')",
    "a listener": "import socket; socket.socket(socket.AF_UNIX).bind('listener')",
    "a pair of sockets": "import socket; socket.socketpair()",
    "a log daemon's socket": "import syslog; syslog.syslog('word')",
    "another program": "import subprocess; subprocess.run(['/bin/true'])",
    "another kind of netlink": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9)",
}


def check_watcher(watch, tally, work):
    """Returns whether traces show anything at all here."""
    _, lines = watch.run([sys.executable, "-c", OFFENDERS["a datagram socket"]], cwd=work)
    if not any("socket(" in line for line in lines):
        return False
    for name, code in OFFENDERS.items():
        _, lines = watch.run([sys.executable, "-c", code], cwd=work)
        tally.check(f"the watcher sees {name}", [] if violations(lines, True) else ["it does not"])
    allowed = "import socket; socket.socket(socket.AF_UNIX).connect('/run/dbus/system_bus_socket')"
    _, lines = watch.run([sys.executable, "-c", allowed], cwd=work)
    tally.check("the watcher lets D-Bus's socket pass", violations(lines, True))
    tally.check(
        "the watcher sees it where no daemon is to be asked",
        [] if violations(lines, False) else ["it does not"],
    )
    return True


def serve_and_run(command):
    """On a machine whose daemons all take a question and hang up: runs a command, gives its status.

    Run as a program of its own in a mount namespace, whose /run is made empty.
    """
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    for name in LISTENERS:
        os.makedirs(os.path.dirname(f"/run/{name}"))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"/run/{name}")
        listener.listen(16)
        threading.Thread(target=hang_up, args=[listener], daemon=True).start()
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode


def hang_up(listener):
    while True:
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)


def stand_in(work, text):
    """A folder for PATH whose `tailscale` prints a text."""
    folder = tempfile.mkdtemp(dir=work)
    path = os.path.join(folder, "tailscale")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nprintf '%s\\n' '{text}'\n")
    os.chmod(path, 0o755)
    return folder


def main():
    if sys.argv[1:2] == ["--beside-daemons"]:
        return serve_and_run(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="check-sockets.py")
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true", help="print every check")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")
    if shutil.which("strace") is None:
        print("skipped: there is no strace")
        return 0
    tally = Tally(options.list)
    with tempfile.TemporaryDirectory() as work:
        tool = Tool(options.binary, work)
        watch = Watch(tool, work)
        if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False, capture_output=True).returncode:
            print("skipped: strace may not trace here")
            return 0
        if not check_watcher(watch, tally, work):
            print("skipped: strace does not show sockets here")
            return 0
        subprocess.run(
            [sys.executable, os.path.join(ROOT, "Samples/make-samples"), f"{work}/apps"], check=True,
            stdout=subprocess.DEVNULL,
        )
        check_commands(watch, tally, work)
    return tally.close()


def check_commands(watch, tally, work):
    app, ready = f"{work}/apps/Harbor.ipa", f"{work}/ready.ipa"
    interfaces = f"{work}/captured/interfaces.json"
    os.mkdir(f"{work}/captured")
    inject = ["inject", app, "--source", "gh:example/demo", "-o"]
    # The highest exit status beside the command: where no address can be reached it is 69, and an app
    # that is not signed has findings.
    asking = {
        "discover": (69, ["discover"]),
        "discover --json --all": (69, ["discover", "--json", "--all"]),
        "discover, bound to a name": (69, ["discover", "--bind", "my-mac.local"]),
        "discover --capture": (69, ["discover", "--capture", f"{work}/captured"]),
        "inject": (69, [*inject, f"{work}/other.ipa"]),
    }
    silent = {
        "inject --destination": (0, [
            *inject, ready, "--destination", "my-mac.local", "--destination", "192.168.1.10",
        ]),
        "inspect": (0, ["inspect", ready, "--json"]),
        "verify": (1, ["verify", ready, "--unsigned", "--json"]),
        "discover from files": (69, [
            "discover", "--interfaces-from", interfaces, "--tailscale-from", "none", "--host-name", "my-mac",
        ]),
        "inject from files": (69, [
            *inject, f"{work}/third.ipa", "--interfaces-from", interfaces, "--tailscale-from", "none",
            "--host-name", "my-mac",
        ]),
    }
    paths = {
        "": os.environ.get("PATH", "/usr/bin:/bin"),
        " beside a tailscale that prints nonsense": stand_in(work, "nonsense") + ":/usr/bin:/bin",
    }
    beside = ["unshare", "--mount", sys.executable, os.path.abspath(__file__), "--beside-daemons"]
    if subprocess.run([*beside, "true"], check=False, capture_output=True).returncode == 0:
        paths[" beside daemons that hang up"] = os.environ.get("PATH", "/usr/bin:/bin")
    else:
        tally.note("beside daemons that hang up: skipped, nothing can be mounted over /run")
    for suffix, path in paths.items():
        prefix = beside if "daemons" in suffix else []
        for commands, uses_daemons in ((asking, True), (silent, False)):
            for name, (highest, arguments) in commands.items():
                check_command(
                    watch, tally, name + suffix, prefix, arguments, highest, uses_daemons, path
                )
        for file in (ready, f"{work}/other.ipa", f"{work}/third.ipa"):
            if os.path.exists(file):
                os.remove(file)
    if watch.connections:
        tally.note(f"connected to {', '.join(sorted(watch.connections))}")


def check_command(watch, tally, name, prefix, arguments, highest, uses_daemons, path):
    environment = {**watch.tool.environment, "PATH": path}
    done, lines = watch.run([watch.tool.binary, *arguments], prefix, env=environment)
    problems = violations(lines, uses_daemons)
    if not 0 <= done.returncode <= highest:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        problems.append(f"exit status {done.returncode}: {''.join(said)}")
    if uses_daemons and not any("AF_NETLINK" in line for line in lines):
        problems.append("the trace does not show that the kernel was asked")
    if prefix and uses_daemons:
        watch.connections.update(CONNECTION.findall("\n".join(lines)))
    tally.check(name, problems)


if __name__ == "__main__":
    sys.exit(main())
