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
from checklib.tailscaled import ADDRESSES, NAME, Daemon, Plan, RawDaemon, encoded, status
from checklib.tally import Tally
from checklib.tool import Run

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
IP_DESTINATIONS = [(ADDRESSES[0], "tailscale-ipv4"), (ADDRESSES[1], "tailscale-ipv6")]
ALL = [(NAME, "tailscale-name"), *IP_DESTINATIONS]
NONE = "nothing is known of Tailscale: "
GUI = ("The Tailscale GUI failed to start: The operation couldn’t be completed. "
       "(Tailscale.CLIError error 3.)")
READER = """
import json, tslocal
with tslocal.Client() as client:
    status = client.status_without_peers()
    own = status.self_
    print(json.dumps([status.backend_state, own.dns_name, own.tailscale_ips, len(status.peer or {})]))
"""


def not_running(state):
    return f"Tailscale is not running (its state is '{state}')"


class Case:
    """What stands where Tailscale would, and what `discover` is to say then."""

    def __init__(self, name, daemon=None, command=None, wanted=(), warnings=(), readable=False,
                 as_nobody=False, asks_daemon=None):
        self.name, self.daemon, self.command = name, daemon, command
        self.wanted, self.warnings = list(wanted), list(warnings)
        # Whether Tailscale's own kind of client can read the daemon too.
        self.readable, self.as_nobody, self.asks_daemon = readable, as_nobody, asks_daemon


def prints(value, code=0):
    """A command that prints a status, or a text."""
    data = encoded(value) if isinstance(value, dict) else value.encode()
    return f"cat <<'END'\n{data.decode()}END\nexit {code}"


def state_cases():
    """(name, status, destinations, warnings) of each state that a daemon can be in."""
    yield "running", status(), ALL, []
    yield "running without MagicDNS", status(magic_dns=False), IP_DESTINATIONS, []
    yield "running and not online", {**status(), "Self": {**status()["Self"], "Online": False}}, ALL, []
    for state, has_map in (("Stopped", True), ("Starting", True), ("Starting", False),
                           ("NeedsLogin", False), ("NeedsMachineAuth", True), ("NoState", False),
                           ("InUseOtherUser", False)):
        name = f"{state}, {'the last map still there' if has_map else 'never on a tailnet'}"
        yield name, status(state, has_map=has_map), [], [not_running(state)]


def daemon_cases():
    for name, value, wanted, warnings in state_cases():
        yield Case(name, lambda value=value: Daemon(Plan(value)), wanted=wanted, warnings=warnings,
                   readable=True)
    for framing in ("length", "chunks", "end"):
        yield Case(f"2000 peers that are not asked for, framed by {framing}",
                   lambda framing=framing: Daemon(Plan(peers=2000, framing=framing)), wanted=ALL,
                   readable=True)
        yield Case(f"2500 peers, some 3 MB, whatever is asked for, framed by {framing}",
                   lambda framing=framing: Daemon(
                       Plan(peers=2500, heeds_peers=False, framing=framing)),
                   wanted=ALL, readable=True)
    yield Case("20 MB", lambda: Daemon(Plan({**status(), "Padding": "x" * (20 << 20)})),
               warnings=[NONE + "the answer of Tailscale's daemon has more than"])
    yield Case("20 MB in chunks",
               lambda: Daemon(Plan({**status(), "Padding": "x" * (20 << 20)}, framing="chunks")),
               warnings=[NONE + "the answer of Tailscale's daemon has more than"])
    yield Case("an answer after a second", lambda: Daemon(Plan(delay=1)), wanted=ALL, readable=True)
    in_time = [NONE + "Tailscale's daemon does not answer in time"]
    yield Case("an answer after a minute", lambda: Daemon(Plan(delay=60)), warnings=in_time)
    yield Case("an answer after a minute, and a command that is not run then",
               lambda: Daemon(Plan(delay=60)), prints(status()), warnings=in_time)
    yield Case("it accepts and says nothing", lambda: RawDaemon(), warnings=in_time)
    yield Case("it never accepts", lambda: RawDaemon(accepts=False), warnings=in_time)
    yield Case("it never accepts, and a command that is not run then",
               lambda: RawDaemon(accepts=False), prints(status()), warnings=in_time)
    yield Case("half an answer", lambda: RawDaemon(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"),
               warnings=[NONE + "the answer of Tailscale's daemon ends 98 bytes too early"])
    yield Case("it hangs up", lambda: RawDaemon(b""),
               warnings=[NONE + "the answer of Tailscale's daemon is cut short"])
    yield Case("garbage", lambda: RawDaemon(bytes(range(256)) * 10),
               warnings=[NONE + "the answer of Tailscale's daemon has a line that ends without"])
    yield Case("JSON without HTTP", lambda: RawDaemon(encoded(status())),
               warnings=[NONE + "the answer of Tailscale's daemon has a line that ends without"])
    yield Case("a page", lambda: Daemon(Plan(body=b"<!DOCTYPE html>\n<html></html>\n",
                                             content_type="text/html")),
               warnings=[NONE + "Tailscale's daemon gives no JSON but '<!DOCTYPE html>'"])
    yield Case("an empty body", lambda: Daemon(Plan(body=b"")),
               warnings=[NONE + "Tailscale's daemon gives an empty answer"])
    yield Case("JSON cut short", lambda: Daemon(Plan(body=encoded(status())[:300])),
               warnings=[NONE + "the Tailscale status: not JSON"])
    for name, body, said in (("a list", b"[]", "the document is of the wrong type"),
                             ("another object", b"{}", "the Tailscale status lacks 'BackendState'"),
                             ("a number for the state", b'{"BackendState": 6}',
                              "BackendState is of the wrong type")):
        yield Case(f"JSON of another shape: {name}", lambda body=body: Daemon(Plan(body=body)),
                   warnings=[said])
    yield Case("addresses that are none", lambda: Daemon(Plan(
        {**status(), "Self": {**status()["Self"], "TailscaleIPs": ["phone", ADDRESSES[0]]}})),
        wanted=[ALL[0], ALL[1]], warnings=["Tailscale gives 'phone', which is no address"])


def refusal_cases():
    denied = "Tailscale's daemon answers with status 403 and says 'status access denied'"
    yield Case("reading is not permitted", lambda: Daemon(Plan(permits_reading=False)),
               warnings=[NONE + denied])
    yield Case("reading is not permitted, the command knows more",
               lambda: Daemon(Plan(permits_reading=False)), prints(status()), wanted=ALL)
    yield Case("reading is permitted to neither", lambda: Daemon(Plan(permits_reading=False)),
               "echo 'Access denied: status access denied' >&2; exit 1",
               warnings=[NONE + denied + ", and 'tailscale status' ends with status 1: "
                         "'Access denied: status access denied'"])
    yield Case("the daemon is another user's", lambda: Daemon(Plan(refuses_identity="in use")),
               warnings=[NONE + "Tailscale's daemon answers with status 401 and says 'in use'"])
    yield Case("the daemon is another user's, the command knows more",
               lambda: Daemon(Plan(refuses_identity="in use")), prints(status()), wanted=ALL)
    yield Case("no permission for the socket", lambda: Daemon(Plan(), mode=0o600), as_nobody=True,
               warnings=[NONE + "Tailscale's daemon cannot be asked: Permission denied"],
               asks_daemon=False)
    yield Case("no permission for the socket, the command knows more",
               lambda: Daemon(Plan(), mode=0o600), prints(status()), as_nobody=True, wanted=ALL,
               asks_daemon=False)
    yield Case("no permission for the socket, and a command that fails",
               lambda: Daemon(Plan(), mode=0o600), "echo no >&2; exit 1", as_nobody=True,
               warnings=[NONE + "Tailscale's daemon cannot be asked: Permission denied, "
                         "and 'tailscale status' ends with status 1: 'no'"], asks_daemon=False)
    yield Case("any user may ask", lambda: Daemon(Plan()), as_nobody=True, wanted=ALL)


def command_cases():
    yield Case("neither a daemon nor a command")
    for name, value, wanted, warnings in state_cases():
        yield Case(f"command: {name}", command=prints(value), wanted=wanted, warnings=warnings)
    yield Case("command: before the daemon has no say", lambda: Daemon(Plan(status("Stopped"))),
               prints(status()), warnings=[not_running("Stopped")])
    gives = NONE + "'tailscale status' gives "
    ends = NONE + "'tailscale status' ends with status "
    yield Case("command: the app's word", command=prints(GUI + "\n"),
               warnings=[gives + "no JSON but 'The Tailscale GUI failed to start: "])
    yield Case("command: the app's word and a status", command=prints(GUI + "\n", 1),
               warnings=[ends + "1: 'The Tailscale GUI failed to start: "])
    yield Case("command: a page", command=prints("<html>\n"), warnings=[gives + "no JSON but '<html>'"])
    yield Case("command: nothing", command="exit 0", warnings=[gives + "an empty answer"])
    yield Case("command: the daemon does not run",
               command="echo \"failed to connect to local tailscaled; it doesn't appear to be "
                       "running\" >&2; exit 1",
               warnings=[ends + "1: 'failed to connect to local tailscaled; it doesn't appear"])
    yield Case("command: an escape sequence", command="printf '\\033]0;x\\007'; exit 0",
               warnings=[gives + "no JSON but '\\u{1b}]0;x\\u{7}'"])
    yield Case("command: it is killed", command="kill -9 $$",
               warnings=[NONE + "'tailscale status' is ended by signal 9"])
    hangs = [NONE + "'tailscale status' does not end in time"]
    yield Case("command: it hangs", command="sleep 90", warnings=hangs)
    yield Case("command: it hangs and wants no signal", command="trap '' TERM INT HUP; sleep 90; sleep 90",
               warnings=hangs)
    yield Case("command: it prints a status and hangs",
               command=prints(status()).replace("exit 0", "sleep 90"), warnings=hangs)
    yield Case("command: it closes its output and hangs", command="exec >&- 2>&-; sleep 90",
               warnings=hangs)
    yield Case("command: it leaves a process that keeps its output open",
               command="sleep 20 &\n" + prints(status()), wanted=ALL)
    yield Case("command: it prints without end", command="exec cat /dev/zero",
               warnings=[NONE + "'tailscale status' prints more than"])
    yield Case("command: its errors are without end",
               command="head -c 3000000 /dev/zero >&2\n" + prints(status()), wanted=ALL)
    yield Case("command: 3 MB with peers",
               command=prints(status(peers=[tailscaled.peer(n) for n in range(2500)])), wanted=ALL)
    yield Case("command: it gets its arguments",
               command='[ "$*" = "status --json --peers=false" ] || exit 9\n'
                       '[ "$TAILSCALE_BE_CLI" = 1 ] || exit 8\n' + prints(status()), wanted=ALL)


class Checks:
    def __init__(self, binary, work, tally, client):
        self.tally, self.work, self.client = tally, work, client
        # Another user must be able to run it.
        self.binary = shutil.copy(binary, os.path.join(work, "ipa-inject"))
        os.chmod(self.binary, 0o755)
        self.commands = os.path.join(work, "bin")
        os.mkdir(self.commands)
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
            [self.binary, *given], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
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
        odd = Case("", warnings=[NONE + "'tailscale' does not start: Exec format error"])
        self.tally.check("command: no program", self.problems(self.run("discover", "--json"), odd))
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
        os.mkdir(captured)
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
        problems = self.problems(run, Case("", wanted=ALL))
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
        process.communicate(timeout=LIMIT)
        if process.returncode != 128 + number:
            problems.append(f"exit status {process.returncode}")
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
