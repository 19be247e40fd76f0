#!/usr/bin/env python3
"""Holds the .local name that `discover` finds to what a real Avahi answers for on a network of two.

    check-mdns.py BINARY [--list]

Two machines are made of Linux namespaces, each with its own D-Bus and Avahi daemon. Needs root, and
avahi-daemon, avahi-utils and dbus; skipped with a word and status 0 where one is missing. Nothing that
it starts outlives it. Closes with 'N passed, N failed'.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile

from checklib import lan
from checklib.tally import Tally
from checklib.tool import Tool

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <auth>EXTERNAL</auth>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  {policy}
</busconfig>
"""
POLICIES = ("/usr/share/dbus-1/system.d/avahi-dbus.conf", "/etc/dbus-1/system.d/avahi-dbus.conf")
AVAHI_OPTIONS = ("--no-drop-root", "--no-rlimits", "--no-chroot", "--no-proc-title")
ADDRESSES = {"one": "192.168.7.10", "other": "192.168.7.20"}
# The bound on a hang, far above what any run takes.
LIMIT = 10


def skip(why):
    print(f"skipped: {why}")
    sys.exit(0)


class Network:
    """Two machines on one network."""

    def __init__(self, folder, names):
        self.folder = folder
        self.one, self.other = (lan.Machine(name) for name in names)
        lan.join(self.one, self.other)
        lan.address(self.one, ADDRESSES["one"] + "/24", "fd07::10/64")
        lan.address(self.other, ADDRESSES["other"] + "/24", "fd07::20/64")

    def start_bus(self, machine, has_policy=True):
        policy = next(path for path in POLICIES if os.path.exists(path))
        path = os.path.join(self.folder, f"bus{machine.process}.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(BUS.format(policy=f"<include>{policy}</include>" if has_policy else ""))
        return machine.start(
            "dbus-daemon", f"--config-file={path}", "--nofork", "--nopidfile",
            ready=lambda: machine.run("test", "-S", "/run/dbus/system_bus_socket").returncode == 0)

    def start_avahi(self, machine, settings="", bus=True, publish=""):
        path = os.path.join(self.folder, f"avahi{machine.process}.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"[server]\nenable-dbus={'yes' if bus else 'no'}\n{settings}\n"
                       f"[publish]\n{publish}\n")
        return machine.start(
            lan.find("avahi-daemon"), "-f", path, *AVAHI_OPTIONS,
            ready=lambda: machine.run("test", "-S", "/run/avahi-daemon/socket").returncode == 0)

    def resolve(self, machine, name):
        """The IPv4 address that avahi-resolve gives for a name; None where there is none."""
        done = machine.run("avahi-resolve", "-4", "-n", name, limit=LIMIT + 10)
        words = done.stdout.decode("utf-8", "replace").split()
        return words[1] if len(words) == 2 and words[0] == name else None

    def settled(self, machine, name):
        """Waits until Avahi is sure of a name."""
        return lan.wait(lambda: said(machine, "GetState") == "int32 2"
                        and said(machine, "GetHostNameFqdn") == name, 15)

    def end(self):
        self.one.end()
        self.other.end()


def said(machine, method):
    """What Avahi says to dbus-send."""
    done = machine.run(
        "dbus-send", "--system", "--print-reply=literal", "--dest=org.freedesktop.Avahi", "/",
        f"org.freedesktop.Avahi.Server.{method}")
    return done.stdout.decode("utf-8", "replace").strip()


class Checks:
    def __init__(self, tool, tally, folder):
        self.tool, self.tally, self.folder = tool, tally, folder

    @contextlib.contextmanager
    def network(self, one="my-mac", other="my-phone"):
        network = Network(self.folder, (one, other))
        try:
            yield network
        finally:
            network.end()

    def discover(self, machine, *options, prefix=(), **variables):
        """What `discover` says, as (names, excluded, addresses, warnings), or None and problems."""
        words = [*prefix, self.tool.binary, "discover", "--json", "--tailscale-from", "none", *options]
        try:
            done = machine.run(*words, limit=LIMIT, env={**self.tool.environment, **variables})
        except subprocess.TimeoutExpired:
            return None, [f"no end within {LIMIT} s"]
        try:
            report = json.loads(done.stdout)
            return Found(report, done.stderr.decode("utf-8", "replace")), []
        except (ValueError, KeyError) as error:
            return None, [f"exit status {done.returncode}, no report ({error!r}): {done.stderr!r}"]

    def expect(self, title, machine, *options, name=None, reason=None, warning=None, **more):
        """One run: the .local names, the reason that one is excluded for, a part of a warning."""
        found, problems = self.discover(machine, *options, **more)
        if found:
            problems = found.problems(name, reason, warning)
        self.tally.check(title, problems)

    def expect_name(self, title, network, name):
        """The name is found, and both machines' Avahi lead it to this machine's address."""
        self.expect(title, network.one, name=name)
        for place, machine in (("itself", network.one), ("the other", network.other)):
            answer = network.resolve(machine, name)
            wanted = ADDRESSES["one"]
            self.tally.check(
                f"{title}, resolved by {place}",
                [] if answer == wanted else [f"{name} leads to {answer}, not {wanted}"])


class Found:
    def __init__(self, report, stderr):
        self.names = [item["host"] for item in report["destinations"]
                      if item["kind"] == "local-name"]
        self.hosts = [item["host"] for item in report["destinations"]]
        self.reasons = [item["reason"] for item in report["excluded"]
                        if item["address"].endswith(".local")]
        self.stderr = stderr

    def problems(self, name, reason, warning):
        problems = []
        if self.names != ([name] if name else []):
            problems.append(f"the .local names are {self.names}")
        if self.reasons != ([reason] if reason else []):
            problems.append(f"excluded for {self.reasons}")
        for host in (ADDRESSES["one"], "fd07::10"):
            if host not in self.hosts:
                problems.append(f"{host} is not among {self.hosts}")
        if warning is None and self.stderr:
            problems.append(f"standard error says {self.stderr!r}")
        if warning is not None and warning not in self.stderr:
            problems.append(f"standard error does not say {warning!r}: {self.stderr!r}")
        return problems


def over_bus(checks):
    with checks.network() as network:
        for machine in (network.one, network.other):
            network.start_bus(machine)
        first = network.start_avahi(network.one)
        found, problems = checks.discover(network.one)
        # It takes Avahi some 0.8 s to be sure, and the tool waits for 1 s.
        if found and "Avahi is not yet sure" not in found.stderr:
            problems = found.problems("my-mac.local", None, None)
        checks.tally.check("while Avahi starts", problems)
        network.start_avahi(network.other)
        network.settled(network.one, "my-mac.local")
        network.settled(network.other, "my-phone.local")
        checks.expect_name("over the bus", network, "my-mac.local")
        checks.expect("another name is given", network.one, "--host-name", "other-mac",
                      name="other-mac.local")
        checks.expect("no host name is wanted", network.one, "--host-name", "none")
        checks.expect("no .local name is wanted", network.one, "--no-local-name")
        first.send_signal(signal.SIGSTOP)
        checks.expect("no .local name is wanted of a frozen Avahi", network.one, "--no-local-name")
        checks.expect("Avahi is frozen", network.one, warning="no .local name: Avahi does not answer")
        first.send_signal(signal.SIGCONT)
        checks.expect("Avahi goes on", network.one, name="my-mac.local")
        first.terminate()
        first.wait()
        checks.expect("Avahi has stopped", network.one, reason="no-responder")


def conflict(checks):
    with checks.network(other="my-mac") as network:
        network.start_bus(network.other)
        network.start_avahi(network.other)
        network.settled(network.other, "my-mac.local")
        network.start_bus(network.one)
        network.start_avahi(network.one)
        network.settled(network.one, "my-mac-2.local")
        checks.expect_name("after a conflict", network, "my-mac-2.local")


def over_socket(checks):
    with checks.network(other="my-mac") as network:
        network.start_bus(network.one)
        network.start_bus(network.other)
        # The machine must ask Avahi by the socket, for which a name is only found once it is sure.
        first = network.start_avahi(network.one, bus=False)
        lan.wait(lambda: checks.discover(network.one)[0].names, 10)
        checks.expect("by Avahi's own socket", network.one, name="my-mac.local")
        first.terminate()
        first.wait()
        checks.expect("its own socket gone", network.one, reason="no-responder")
        network.start_avahi(network.other)
        network.settled(network.other, "my-mac.local")
        first = network.start_avahi(network.one, bus=False)
        lan.wait(lambda: checks.discover(network.one)[0].names, 10)
        checks.expect("by the socket after a conflict", network.one, name="my-mac-2.local")
        checks.tally.check(
            "that name, resolved by the other",
            [] if network.resolve(network.other, "my-mac-2.local") == ADDRESSES["one"]
            else ["it does not lead to this machine"])
        first.send_signal(signal.SIGSTOP)
        checks.expect("Avahi without a bus is frozen", network.one,
                      warning="no .local name: Avahi does not answer")


def bus_alone(checks):
    with checks.network() as network:
        checks.expect("no bus and no Avahi", network.one, reason="no-responder")
        bus = network.start_bus(network.one)
        checks.expect("a bus without Avahi", network.one, reason="no-responder")
        bus.send_signal(signal.SIGSTOP)
        checks.expect("a frozen bus", network.one, warning="no .local name: the system bus does not")
        network.start_avahi(network.one, bus=False)
        lan.wait(lambda: checks.discover(network.one)[0].names, 10)
        checks.expect("a frozen bus, and Avahi's own socket", network.one, name="my-mac.local")


def closed_bus(checks):
    with checks.network() as network:
        network.start_bus(network.one)
        network.start_avahi(network.one)
        network.settled(network.one, "my-mac.local")
        network.one.must("chmod", "0600", "/run/dbus/system_bus_socket")
        user = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
        checks.expect("a bus without permission, Avahi's own socket", network.one,
                      prefix=user, name="my-mac.local")
        network.one.must("chmod", "0600", "/run/avahi-daemon/socket")
        checks.expect("neither with permission", network.one, prefix=user,
                      warning="no .local name: Avahi cannot be asked: permission denied")


def without_policy(checks):
    with checks.network() as network:
        # Avahi may not take its name on such a bus, and stays off it.
        network.start_bus(network.one, has_policy=False)
        checks.expect("a bus that lets nobody own a name", network.one, reason="no-responder")


def settings(checks):
    with checks.network() as network:
        network.start_bus(network.one)
        avahi = network.start_avahi(network.one, settings="domain-name=lan")
        network.settled(network.one, "my-mac.lan")
        checks.expect("another domain", network.one, warning="Avahi answers for 'my-mac.lan'")
        avahi.terminate()
        avahi.wait()
        network.start_avahi(network.one, settings="host-name=Harbor")
        network.settled(network.one, "Harbor.local")
        checks.expect("a name from avahi-daemon.conf", network.one, name="harbor.local")
        checks.expect("a bus that an address names", network.one, name="harbor.local",
                      DBUS_SYSTEM_BUS_ADDRESS="tcp:host=192.168.7.20,port=1;"
                                              "unix:path=/run/dbus/system%5fbus_socket,guid=00")
        checks.expect("an address where nothing is", network.one, name="harbor.local",
                      DBUS_SYSTEM_BUS_ADDRESS="unix:path=/run/nothing")


def unpublished(checks):
    with checks.network() as network:
        network.start_bus(network.one)
        path = network.start_avahi(network.one, publish="publish-addresses=no").args[-5]
        network.settled(network.one, "my-mac.local")
        network.one.must("mount", "--bind", path, "/etc/avahi/avahi-daemon.conf")
        checks.expect("a name that is not published", network.one,
                      warning="Avahi does not answer for 'my-mac.local'")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true", help="also print the checks that passed")
    if not sys.platform.startswith("linux"):
        skip("there is no Linux")
    for program in ("avahi-daemon", "avahi-resolve", "dbus-daemon", "dbus-send"):
        if not lan.find(program):
            skip(f"there is no {program}")
    if not any(map(os.path.exists, POLICIES)):
        skip("D-Bus has no policy for Avahi")
    lan.inside(skip)
    arguments = parser.parse_args()
    tally = Tally(arguments.list)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        tool = Tool(arguments.binary, folder)
        checks = Checks(tool, tally, folder)
        for group in (over_bus, conflict, over_socket, bus_alone, closed_bus, without_policy, settings,
                      unpublished):
            try:
                group(checks)
            except (RuntimeError, subprocess.SubprocessError) as error:
                tally.check(group.__name__, [str(error)])
    sys.exit(tally.close())


if __name__ == "__main__":
    main()
