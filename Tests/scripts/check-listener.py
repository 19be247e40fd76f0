#!/usr/bin/env python3
"""Runs `inject` with `--data-dir` from outside: what becomes of the file that holds the listener.

    check-listener.py BINARY [--rounds N] [--list]

Whatever a run meets, the file is the old one or the new one, with its mode and owner and with all that
it held beside host and port. Closes with 'N passed, N failed'.
"""

import argparse
import json
import os
import plistlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from checklib.subjects import tree
from checklib.tally import Tally
from checklib.tool import INSTALLATION_ID, SOURCE, Run, Tool, leaks, status_problems

NOBODY = 65534
OLD = b'\xef\xbb\xbf{\r\n\t"theme" : {"port":1.50, "host":[ ]},\r\n\t"port" : 1234\r\n}\r\n'
MACHINE = ("--tailscale-from", "none", "--host-name", "my-mac", "--interfaces-from")
INTERFACES = [
    {"name": "lo", "flags": ["UP", "LOOPBACK", "RUNNING"], "addresses": ["127.0.0.1", "::1"]},
    {"name": "en0", "flags": ["UP", "RUNNING", "MULTICAST"], "addresses": ["192.168.1.10"]},
]


class Place:
    """A folder with an app in it, `data/server/` and what a run leaves there."""

    def __init__(self, tool, work):
        self.tool = tool
        self.path = tempfile.mkdtemp(dir=work)
        os.chmod(self.path, 0o755)
        for name, platforms in (("Device", ["iPhoneOS"]), ("Simulator", ["iPhoneSimulator"])):
            with open(self.at(f"{name}.plist"), "wb") as file:
                plistlib.dump({
                    "CFBundleExecutable": "App", "CFBundleIdentifier": "com.example.listener",
                    "CFBundleVersion": "1", "CFBundleShortVersionString": "1.0",
                    "MinimumOSVersion": "17.0", "CFBundleSupportedPlatforms": platforms,
                }, file)
        with open(self.at("interfaces.json"), "w", encoding="ascii") as file:
            json.dump(INTERFACES, file)

    def at(self, name):
        return os.path.join(self.path, name)

    @property
    def config(self):
        return self.at("data/server/config.json")

    def put(self, content=OLD, mode=0o640):
        os.makedirs(os.path.dirname(self.config))
        with open(self.config, "wb") as file:
            file.write(content)
        os.chmod(self.config, mode)
        return self

    def arguments(self, *options, app="Device.plist", output="Out.plist"):
        return [
            "inject", self.at(app), "-o", self.at(output), "--source", SOURCE, "--installation-id",
            INSTALLATION_ID, *MACHINE, self.at("interfaces.json"), "--data-dir", self.at("data"),
            *options,
        ]

    def run(self, *options, **more):
        return self.tool.run(self.arguments(*options, **more))

    def run_as(self, user, *options):
        done = subprocess.run(
            [self.tool.binary, *self.arguments(*options)], check=False, capture_output=True,
            stdin=subprocess.DEVNULL, cwd="/", env=self.tool.environment, timeout=60, user=user,
            group=user, extra_groups=[],
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def saved(self):
        with open(self.config, "rb") as file:
            return file.read()

    def mode(self, path=None):
        return stat.S_IMODE(os.stat(path or self.config).st_mode)

    def names(self):
        return sorted(os.listdir(os.path.dirname(os.path.realpath(self.config))))


def different(what, got, wanted):
    return [] if got == wanted else [f"{what} is {got!r}, expected {wanted!r}"]


def with_port(port, host=None):
    """What the old file is to become."""
    new = OLD.replace(b": 1234", f": {port}".encode())
    return new if host is None else new.replace(b"\r\n}", f',\r\n\t"host" : "{host}"\r\n}}'.encode())


def check_bytes(place, _):
    place.put()
    if os.geteuid() == 0:
        os.chown(place.config, NOBODY, NOBODY)
    run = place.run("--port", "5000", "--bind", "192.168.1.10", "--json")
    problems = status_problems(run, 0) + leaks(run)
    problems += different("the file", place.saved(), with_port(5000, "192.168.1.10"))
    problems += different("its mode", oct(place.mode()), oct(0o640))
    if os.geteuid() == 0:
        owner = os.stat(place.config)
        problems += different("its owner", (owner.st_uid, owner.st_gid), (NOBODY, NOBODY))
    if not problems:
        listener = json.loads(run.out)["listener"]
        problems += different("the report", listener, {
            "host": "192.168.1.10", "port": 5000, "hostFrom": "option", "portFrom": "option",
            "saved": place.at("data") + "/server/config.json",
        })
    return problems + different("the folder", place.names(), ["config.json"])


def check_again(place, _):
    """A second run with the same settings touches nothing."""
    place.put(with_port(5000))
    before = os.stat(place.config)
    problems = status_problems(place.run("--port", "5000"), 0)
    after = os.stat(place.config)
    return problems + different("the inode", after.st_ino, before.st_ino) + different(
        "the time", after.st_mtime_ns, before.st_mtime_ns)


def check_new(place, _):
    problems = status_problems(place.run("--port", "5000"), 0)
    problems += different("the file", place.saved(), b'{\n  "port": 5000\n}\n')
    problems += different("its mode", oct(place.mode()), oct(0o600))
    for name in ("data", "data/server"):
        problems += different(f"the mode of {name}", oct(place.mode(place.at(name))), oct(0o700))
    return problems


def check_environment(place, _):
    place.tool.environment["IPA_HUB_PORT"] = "7000"
    try:
        run = place.run()
    finally:
        del place.tool.environment["IPA_HUB_PORT"]
    return status_problems(run, 0) + different("the port", json.loads(place.saved()), {"port": 7000})


def check_link(place, _):
    os.makedirs(place.at("data"))
    os.makedirs(place.at("real"))
    os.symlink("../real", place.at("data/server"))
    os.symlink("settings", place.at("real/config.json"))
    with open(place.at("real/settings"), "wb") as file:
        file.write(OLD)
    problems = status_problems(place.run("--port", "5000"), 0)
    problems += different("the links", (
        os.readlink(place.at("data/server")), os.readlink(place.at("real/config.json"))
    ), ("../real", "settings"))
    with open(place.at("real/settings"), "rb") as file:
        problems += different("the file", file.read(), with_port(5000))
    return problems + different("the folder", place.names(), ["config.json", "settings"])


def unchanged(place, status, act):
    """A run that must end with a status and leave all as it was."""
    before = tree(place.path)
    run = act()
    problems = status_problems(run, status) + leaks(run)
    return problems + ([] if tree(place.path) == before else ["something changed"])


def check_refusals(place, tally):
    """Runs that must be refused before anything is written, each by itself."""
    place.put()
    wrong = {
        "empty": b"", "no JSON": b"port: 5", "a list": b"[]", "a comma too many": b'{"port": 1,}',
        "the port twice": b'{"port": 1, "p\\u006frt": 2}', "a port that is none": b'{"port": 0}',
        "UTF-16": '{"port": 1}'.encode("utf-16"), "too deep": b'{"a":' + b"[" * 100_000,
    }
    for name, text in wrong.items():
        with open(place.config, "wb") as file:
            file.write(text)
        tally.check(f"refused: {name}", unchanged(place, 65, lambda: place.run("--port", "5")))
    with open(place.config, "wb") as file:
        file.write(OLD)
    tally.check("refused: a dry run of a wrong port", unchanged(
        place, 64, lambda: place.run("--port", "0", "--dry-run")))
    with open(place.at("Taken.plist"), "wb") as file:
        file.write(b"taken")
    tally.check("refused: the output is there", unchanged(
        place, 73, lambda: place.run("--port", "5", output="Taken.plist")))
    tally.check("refused: the output's folder is missing", unchanged(
        place, 73, lambda: place.run("--port", "5", output="none/Out.plist")))
    tally.check("refused: bound to loopback", unchanged(
        place, 69, lambda: place.run("--port", "5", "--bind", "::1")))
    for name, arguments in {
        "record": place.arguments("--port", "5", "--force", "--record", place.config),
        "output": place.arguments("--port", "5", "--force", output="data/server/config.json"),
    }.items():
        tally.check(f"refused: the file is the {name} too", unchanged(
            place, 73, lambda arguments=arguments: place.tool.run(arguments)))
    os.unlink(place.config)
    os.mkfifo(place.config)
    tally.check("refused: a pipe", status_problems(place.run("--port", "5"), 65))
    os.unlink(place.config)
    os.symlink("nowhere", place.config)
    tally.check("refused: a link that leads nowhere", unchanged(
        place, 73, lambda: place.run("--port", "5")))
    shutil.rmtree(place.at("data"))
    tally.check("refused: no folder above the data folder", unchanged(
        place, 73,
        lambda: place.tool.run([
            word if word != place.at("data") else place.at("none/data")
            for word in place.arguments("--port", "5")
        ])))
    return []


def check_rights(place, tally):
    """As another user, who may write the output but not the settings."""
    if os.geteuid() != 0:
        tally.note("rights: skipped, this is not root")
        return []
    place.put(mode=0o644)
    os.chmod(place.path, 0o777)
    act = lambda: place.run_as(NOBODY, "--port", "5")
    problems = unchanged(place, 73, act)
    os.chmod(os.path.dirname(place.config), 0o777)
    problems += [f"read-only file: {text}" for text in unchanged(place, 73, act)]
    os.chmod(place.config, 0o600)
    problems += [f"unreadable file: {text}" for text in unchanged(place, 66, act)]
    os.chmod(place.config, 0o666)
    problems += status_problems(act(), 0) + different("the file", place.saved(), with_port(5))
    return problems + different("its mode", oct(place.mode()), oct(0o666))


def check_unwritten(place, _):
    """What must leave the file alone, though it ends well."""
    place.put()
    before = tree(place.at("data"))
    url = f"http://my-mac.local:80/api/app/{INSTALLATION_ID}/update"
    urls = ["inject", place.at("Device.plist"), "-o", place.at("Url.plist"), "--source", SOURCE,
            "--update-url", url, "--data-dir", place.at("data"), "--port", "5"]
    runs = {
        "dry run": place.arguments("--port", "5", "--dry-run"),
        "port of its own": place.arguments("--port", "5", "--destination", "http://h.local:1"),
        "update URL": urls,
        "discover": ["discover", "--port", "5", *MACHINE, place.at("interfaces.json"), "--data-dir",
                     place.at("data")],
    }
    problems = []
    for name, arguments in runs.items():
        problems += [f"{name}: {text}" for text in status_problems(place.tool.run(arguments), 0)]
        if tree(place.at("data")) != before:
            problems.append(f"{name}: the file changed")
    return problems


def check_at_once(place, _):
    """Many runs at once: the last one wins, and the file is never torn."""
    place.put()
    ports = range(5001, 5025)
    processes = [
        subprocess.Popen(
            [place.tool.binary, *place.arguments("--port", str(port), output=f"{port}.plist")],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=place.tool.environment,
        ) for port in ports
    ]
    wanted = {with_port(port) for port in (1234, *ports)}
    torn = 0
    while any(process.poll() is None for process in processes):
        torn += place.saved() not in wanted
    problems = [f"{torn} torn files were seen"] if torn else []
    for port, process in zip(ports, processes):
        said = process.communicate()[1]
        problems += different(f"the status of {port}", (process.returncode, said), (0, b""))
    problems += [] if place.saved() in wanted - {OLD} else ["the file is of no run"]
    return problems + different("the folder", place.names(), ["config.json"])


def check_killed(place, tally, rounds):
    """SIGKILL at many moments."""
    source, seen = random.Random(1), set()
    start = time.monotonic()
    place.run("--port", "5000")
    length = time.monotonic() - start
    problems = []
    for number in range(rounds):
        shutil.rmtree(place.at("data"), ignore_errors=True)
        place.put()
        name = f"{number}.plist"
        process = subprocess.Popen(
            [place.tool.binary, *place.arguments("--port", "5000", output=name)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=place.tool.environment,
        )
        time.sleep(source.uniform(0, length))
        process.send_signal(signal.SIGKILL)
        process.wait()
        state = {OLD: "old", with_port(5000): "new"}.get(place.saved())
        seen.add(state)
        if state is None:
            problems.append(f"round {number} left a torn file")
        if os.path.exists(place.at(name)) and state != "new":
            problems.append(f"round {number} left an app without its settings")
        if place.mode() != 0o640:
            problems.append(f"round {number} left mode {place.mode():o}")
    tally.note(f"killed {rounds} times: the file was {' or '.join(sorted(map(str, seen)))}")
    return problems


def check_batch(place, _):
    """An app for devices and one for simulators, and a listener that loopback alone reaches."""
    run = place.tool.run([
        "batch", "inject", place.at("Device.plist"), place.at("Simulator.plist"), "--ordered",
        "--output-dir", place.at("out"), "--source", SOURCE, "--installation-id", INSTALLATION_ID,
        *MACHINE, place.at("interfaces.json"), "--data-dir", place.at("data"), "--bind", "127.0.0.1",
    ])
    lines = [json.loads(line) for line in run.out.splitlines()]
    problems = status_problems(run, 69)
    problems += different("the statuses", [line["status"] for line in lines], [69, 0])
    problems += different("the outputs", os.listdir(place.at("out")), ["Simulator.plist"])
    if problems:
        return problems
    report = lines[1]["report"]
    problems += different("the destination", [
        (item["host"], item["kind"], item["interface"]) for item in report["destinations"]
    ], [("localhost", "given", None)])
    problems += different("the notes", len(report["notes"]), 1)
    problems += different("the file", json.loads(place.saved()), {"host": "127.0.0.1", "port": 19464})
    verified = place.tool.run(["verify", place.at("out/Simulator.plist"), "--fail-on", "note"])
    return problems + status_problems(verified, 0)


def check_batch_of_many(place, _):
    """Many apps at once save one file."""
    place.put()
    inputs = []
    for number in range(40):
        inputs.append(place.at(f"{number}.plist"))
        shutil.copy(place.at("Device.plist"), inputs[-1])
    run = place.tool.run([
        "batch", "inject", *inputs, "--output-dir", place.at("out"), "--source", SOURCE, "--jobs", "8",
        *MACHINE, place.at("interfaces.json"), "--data-dir", place.at("data"), "--port", "5000",
    ])
    return status_problems(run, 0) + different("the file", place.saved(), with_port(5000)) + different(
        "the folder", place.names(), ["config.json"])


def check_hosts(place, tally):
    """A host name from the hosts file, in a mount namespace of its own."""
    hosts = place.at("hosts")
    with open(hosts, "w", encoding="ascii") as file:
        file.write("127.0.0.1 localhost\n127.0.1.1\tmyhost.lan myhost # Debian's\n")
    script = 'mount --bind "$1" /etc/hosts || exit 99; shift; exec "$@"'

    def discover(name):
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", hosts, place.tool.binary, "discover", "--bind",
             name, "--tailscale-from", "none", "--host-name", "none"],
            check=False, capture_output=True, stdin=subprocess.DEVNULL, env=place.tool.environment,
            timeout=60,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    if shutil.which("unshare") is None or discover("localhost").status != 69:
        tally.note("hosts file: skipped, no mount namespace can be made")
        return []
    run = discover("MyHost")
    problems = status_problems(run, 69)
    problems += [] if b"(127.0.1.1 in the hosts file)" in run.err else ["the address is not told"]
    run = discover("other.example")
    problems += status_problems(run, 0)
    return problems + ([] if b"hosts file alone" in run.err else ["no word on the hosts file"])


CHECKS = {
    "bytes, mode and owner stay": check_bytes, "nothing changes twice": check_again,
    "a new file": check_new, "the port of the environment": check_environment,
    "links are followed": check_link, "refusals": check_refusals, "rights": check_rights,
    "left alone": check_unwritten, "at once": check_at_once, "a batch of two": check_batch,
    "a batch of many": check_batch_of_many, "the hosts file": check_hosts,
}


def main():
    parser = argparse.ArgumentParser(description="Run inject with --data-dir from outside.")
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--rounds", type=int, default=60, metavar="N", help="how often to kill it")
    parser.add_argument("--list", action="store_true", help="also print what passed")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")
    tally = Tally(listing=options.list)
    with tempfile.TemporaryDirectory(prefix="check-listener.") as work:
        # Another user looks into it too.
        os.chmod(work, 0o755)
        tool = Tool(options.binary, work)
        for name, check in CHECKS.items():
            tally.check(name, check(Place(tool, work), tally))
        tally.check("killed", check_killed(Place(tool, work), tally, options.rounds))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
