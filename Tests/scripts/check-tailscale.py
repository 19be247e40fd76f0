#!/usr/bin/env python3
"""Runs `discover` beside stand-ins for Tailscale: its daemon at the real path, and its command.

    check-tailscale.py BINARY [--list] [--only TEXT]

The daemon's path lies in a mount namespace of its own, with an empty /run; skipped, with status 0, where
no such namespace is granted. For each case the destinations of Tailscale, the others and the warnings
are checked, and that the run ends at all. PyPI's `tslocal`, a port of Tailscale's own client, reads the
stand-in too and must see the same; it is fetched into .build and passed over, with a word, where that
fails. No times are checked but that a run ends. Closes with 'N passed, N failed'.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from checklib import tailscaled
from checklib.tailcases import (
    ALL, NONE, Case, command_cases, daemon_cases, prints, refusal_cases)
from checklib.tailscaled import ADDRESSES, NAME, Daemon, Plan, encoded, status
from checklib.tally import Tally
from checklib.tool import Run, hear_interrupts

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INSIDE = "CHECK_TAILSCALE_INSIDE"
CLIENT_PACKAGES = ("tslocal==1.1.0", "msgspec==0.23.0")
# A run is bounded by two seconds; this is far beyond, for a machine that does much else.
LIMIT = 10
NOBODY = 65534
OTHERS = [("my-mac.local", "local-name"), ("192.168.1.10", "ipv4"), ("fd00::10", "ipv6")]
INTERFACES = [
    {"name": "lo", "flags": ["UP", "LOOPBACK", "RUNNING"], "addresses": ["127.0.0.1", "::1"]},
    {"name": "eth0", "flags": ["UP", "RUNNING", "BROADCAST", "MULTICAST"],
     "addresses": ["192.168.1.10", "fd00::10"]},
]
READER = """
import json, tslocal
with tslocal.Client() as client:
    status = client.status_without_peers()
    own = status.self_
    print(json.dumps([status.backend_state, own.dns_name, own.tailscale_ips, len(status.peer or {})]))
"""


class Checks:
    def __init__(self, binary, work, tally, client):
        self.tally, self.work, self.client = tally, work, client
        # Another user must be able to run it.
        self.binary = shutil.copy(binary, os.path.join(work, "ipa-inject"))
        os.chmod(self.binary, 0o755)
        self.commands = os.path.join(work, "bin")
        os.mkdir(self.commands)
        # A standard input that gives nothing and does not end.
        self.silence, self._unused = os.pipe()
        self.interfaces = os.path.join(work, "interfaces.json")
        with open(self.interfaces, "w", encoding="utf-8") as file:
            json.dump(INTERFACES, file)

    def environment(self):
        return {"HOME": self.work, "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
                "PATH": f".:{self.commands}::/usr/bin:/bin"}

    def place(self, text):
        """Puts a command on the path, or takes it away."""
        path = os.path.join(self.commands, "tailscale")
        if os.path.isdir(path):
            os.rmdir(path)
        elif os.path.exists(path):
            os.unlink(path)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + text + "\n")
            os.chmod(path, 0o755)
        return path

    def start(self, command, *arguments, as_nobody=False):
        given = [command, "--interfaces-from", self.interfaces, "--host-name", "my-mac", *arguments]
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if as_nobody else {}
        return subprocess.Popen(
            [self.binary, *given], stdin=self.silence, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self.work, env=self.environment(), **other)

    def run(self, *arguments, as_nobody=False):
        process = self.start(*arguments, as_nobody=as_nobody)
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Run(None, b"", b"")
        return Run(process.returncode, out, err)

    def problems(self, run, case):
        if run.status is None:
            return ["it does not end"]
        if run.status != 0:
            return [f"exit status {run.status}: {run.err.decode()[:300]}"]
        found = [(item["host"], item["kind"]) for item in json.loads(run.out)["destinations"]]
        problems = []
        if found != OTHERS + case.wanted:
            problems.append(f"the destinations are {found}")
        lines = run.err.decode().splitlines()
        if len(lines) != len(case.warnings) or any(
                said not in line for line, said in zip(lines, case.warnings)):
            problems.append(f"it says {lines}")
        problems += [f"it tells of {word!r}" for word in tailscaled.PRIVATE
                     if word in run.err.decode() and "phone" not in " ".join(case.warnings)]
        return problems

    def case(self, case):
        if case.as_nobody and not can_be_nobody():
            self.tally.note(f"skipped: {case.name}: no other user can be taken on here")
            return
        self.place(case.command)
        arguments = ("discover", "--json")
        if case.daemon is None:
            self.tally.check(case.name, self.problems(self.run(*arguments), case))
            return
        with case.daemon() as daemon:
            problems = self.problems(self.run(*arguments, as_nobody=case.as_nobody), case)
            if case.asks_daemon is False and daemon.requests:
                problems.append("the daemon was asked")
            problems += [f"the request is {path}" for path, _ in daemon.requests
                         if path != "/localapi/v0/status?peers=false"]
            if len(daemon.requests) > 1:
                problems.append(f"{len(daemon.requests)} requests")
            self.tally.check(case.name, problems)
            if case.readable and self.client:
                self.tally.check(f"tslocal sees the same: {case.name}", self.client_problems(case))

    def client_problems(self, case):
        """What PyPI's client reads from the same daemon."""
        done = subprocess.run(
            [sys.executable, "-c", READER], capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, "PYTHONPATH": self.client})
        if done.returncode != 0:
            return [f"it cannot read it: {(done.stderr.strip().splitlines() or ['?'])[-1]}"]
        state, name, addresses, _ = json.loads(done.stdout)
        problems = []
        if (state == "Running") != (not case.warnings):
            problems.append(f"the state is {state}")
        if state != "Running":
            return problems if state in case.warnings[0] else [f"the state is {state}"]
        wanted = [host for host, _ in case.wanted]
        if [host for host, kind in case.wanted if kind != "tailscale-name"] != addresses:
            problems.append(f"the addresses are {addresses}")
        if wanted[0] == NAME and name != NAME + ".":
            problems.append(f"the name is {name}")
        return problems

    def odd_commands(self):
        """What is on the path under the command's name and cannot be run."""
        nothing = Case("")
        path = self.place("echo no")
        os.chmod(path, 0o644)
        self.tally.check("command: not executable", self.problems(self.run("discover", "--json"), nothing))
        os.unlink(path)
        os.mkdir(path)
        self.tally.check("command: a folder", self.problems(self.run("discover", "--json"), nothing))
        os.rmdir(path)
        with open(path, "wb") as file:
            file.write(b"\0\1\2\3")
        os.chmod(path, 0o755)
        odd = Case("", warnings=[NONE + "'tailscale' does not start: exec format error"])
        self.tally.check("command: no program", self.problems(self.run("discover", "--json"), odd))
        self.place("cat\n" + prints(status()))
        case = Case("", wanted=ALL)
        self.tally.check("command: it reads", self.problems(self.run("discover", "--json"), case))
        self.place(None)
        for name, folder in (("the working folder", self.work), ("bin", self.commands)):
            path = os.path.join(folder, "tailscale")
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + prints(status()) + "\n")
            os.chmod(path, 0o755)
            case = Case("", wanted=ALL if folder == self.commands else [])
            self.tally.check(f"command: in {name}", self.problems(self.run("discover", "--json"), case))
            os.unlink(path)

    def options(self):
        """No daemon and no command is asked where an option says what they would."""
        captured = os.path.join(self.work, "captured")
        none = Case("")
        marker = os.path.join(self.work, "asked")
        self.place(f"touch {marker}; exit 1")
        given = os.path.join(self.work, "given.json")
        with open(given, "wb") as file:
            file.write(encoded(status()))
        with Daemon(Plan()) as daemon:
            for name, arguments, case in (
                    ("--no-tailscale", ("--no-tailscale",), none),
                    ("--tailscale-from none", ("--tailscale-from", "none"), none),
                    ("--tailscale-from FILE", ("--tailscale-from", given), Case("", wanted=ALL))):
                problems = self.problems(self.run("discover", "--json", *arguments), case)
                if daemon.requests or os.path.exists(marker):
                    problems.append("Tailscale was asked")
                self.tally.check(name, problems)
            run = self.run("discover", "--bind", ADDRESSES[0], "--json")
            hosts = [item["host"] for item in json.loads(run.out or b"{}").get("destinations", [])]
            self.tally.check("a listener at Tailscale's address",
                             [] if hosts == [NAME, ADDRESSES[0]] else [f"{hosts} {run.err}"])
            plist = os.path.join(self.work, "Info.plist")
            with open(plist, "w", encoding="utf-8") as file:
                file.write('<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>'
                           '<key>CFBundleIdentifier</key><string>a.b</string></dict></plist>\n')
            run = self.run("inject", plist, "--dry-run", "--json", "--source", "gh:example/demo")
            hosts = [item["host"] for item in json.loads(run.out or b"{}").get("destinations", [])]
            self.tally.check("inject takes the same", [] if hosts == [
                host for host, _ in OTHERS + ALL] else [f"{hosts} {run.err}"])
        self.place(None)
        with Daemon(Plan(peers=50, heeds_peers=False)):
            run = self.run("discover", "--json", "--capture", captured)
        written = [f"{name}.json is written" for name in ("interfaces", "tailscale")]
        problems = self.problems(run, Case("", wanted=ALL, warnings=written))
        kept = os.path.join(captured, "tailscale.json")
        if not os.path.exists(kept):
            problems.append("no tailscale.json")
        else:
            with open(kept, encoding="utf-8") as file:
                text = file.read()
            problems += [f"it holds {word!r}" for word in tailscaled.PRIVATE if word in text]
            again = self.run("discover", "--json", "--tailscale-from", kept)
            problems += self.problems(again, Case("", wanted=ALL))
        self.tally.check("--capture keeps what is read and tells of nobody", problems)

    def interrupted(self, number):
        """The command that is being run ends with the run."""
        pids = os.path.join(self.work, "pids")
        self.place(f"trap '' TERM INT HUP; echo $$ >{pids}~; mv {pids}~ {pids}; sleep 90; sleep 90")
        process = self.start("discover")
        problems = []
        for _ in range(300):
            if os.path.exists(pids) or process.poll() is not None:
                break
            time.sleep(0.01)
        else:
            problems.append("the command was not run")
        process.send_signal(number)
        said = process.communicate(timeout=LIMIT)[1]
        if process.returncode != 128 + number:
            problems.append(f"exit status {process.returncode}")
        if said:
            problems.append(f"it says {said!r}")
        if os.path.exists(pids):
            with open(pids, encoding="utf-8") as file:
                problems += group_problems(int(file.read()))
            os.unlink(pids)
        self.tally.check(f"a command ends with the run: {signal.Signals(number).name}", problems)
        self.place(None)

    def strictness(self):
        """The stand-in refuses what the daemon refuses."""
        for name, plan, fields, wanted in (
                ("the daemon's own client", Plan(), {"Host": tailscaled.HOST}, b"200"),
                ("an empty host", Plan(), {"Host": ""}, b"200"),
                ("another host", Plan(), {"Host": "localhost"}, b"403"),
                ("an origin", Plan(), {"Host": tailscaled.HOST, "Origin": "http://a"}, b"403"),
                ("a referer", Plan(), {"Host": tailscaled.HOST, "Referer": "http://a"}, b"403"),
                ("no right to read", Plan(permits_reading=False), {"Host": tailscaled.HOST}, b"403"),
                ("another user", Plan(refuses_identity="in use"), {"Host": tailscaled.HOST}, b"401")):
            with Daemon(plan), socket.socket(socket.AF_UNIX) as client:
                client.settimeout(LIMIT)
                client.connect(tailscaled.PATH)
                lines = "".join(f"{key}: {value}\r\n" for key, value in fields.items())
                client.sendall(f"GET /localapi/v0/status HTTP/1.1\r\n{lines}\r\n".encode())
                answer = client.recv(65536)
            self.tally.check(f"the stand-in, {name}",
                             [] if answer.split()[1] == wanted else [answer[:60].decode()])


def group_problems(group):
    for _ in range(300):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return []
        if all_zombies(group):
            return []
        time.sleep(0.01)
    os.killpg(group, signal.SIGKILL)
    return ["the command lives on"]


def all_zombies(group):
    """Whether nobody but the system's first process, which may be slow, has to look at a group."""
    listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=False)
    states = [line.split()[1] for line in listed.stdout.splitlines() if line.split()[0] == str(group)]
    return bool(states) and all(state.startswith("Z") for state in states)


def can_be_nobody():
    done = subprocess.run(["true"], user=NOBODY, group=NOBODY, extra_groups=[], check=False) \
        if os.geteuid() == 0 and maps_all_users() else None
    return done is not None and done.returncode == 0


def maps_all_users():
    with open("/proc/self/uid_map", encoding="ascii") as file:
        return any(int(line.split()[2]) > NOBODY for line in file)


def fetch_client():
    """The folder with PyPI's client, None where it cannot be had."""
    folder = os.path.join(ROOT, ".build", "tslocal")
    mark = os.path.join(folder, "+".join(CLIENT_PACKAGES))
    if not os.path.exists(mark):
        if INSIDE in os.environ:
            return None
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-input", "--only-binary", ":all:", "--target", folder, "--upgrade",
             *CLIENT_PACKAGES],
            capture_output=True, check=False)
        if done.returncode != 0:
            return None
        with open(mark, "wb"):
            pass
    return folder


def enter_namespace(arguments):
    """Runs this again where /run is its own; does not return where that is granted."""
    for options in (["-m"], ["-r", "-m"]):
        command = ["unshare", *options]
        trial = [*command, "mount", "-t", "tmpfs", "tmpfs", "/run"]
        if subprocess.run(trial, capture_output=True, check=False).returncode == 0:
            environment = {**os.environ, INSIDE: "1"}
            os.execvpe("unshare", [*command, sys.executable, *arguments], environment)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true", help="name each check that passes")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name holds TEXT")
    options = parser.parse_args()
    hear_interrupts()
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} cannot be run")
    client = fetch_client()
    if INSIDE not in os.environ:
        if not shutil.which("unshare") or os.path.realpath("/var/run") != "/run":
            print("skipped: there is no unshare, or /var/run is not /run")
            return 0
        if client is None:
            print("skipped: tslocal cannot be fetched, so the stand-in has no second reader")
        enter_namespace(sys.argv)
        print("skipped: a mount namespace is not granted here")
        return 0
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    tally = Tally(options.list)
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o777)
        checks = Checks(options.binary, work, tally, client)
        for cases in (daemon_cases, refusal_cases, command_cases):
            for case in cases():
                if options.only in case.name:
                    checks.case(case)
        checks.place(None)
        if not options.only:
            checks.odd_commands()
            checks.options()
            checks.strictness()
            for number in (signal.SIGINT, signal.SIGTERM):
                checks.interrupted(number)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
