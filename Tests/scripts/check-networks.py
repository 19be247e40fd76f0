#!/usr/bin/env python3
"""Puts machines of every kind into network namespaces and compares `discover` in them with a model.

    check-networks.py BINARY [--random N] [--seed N] [--only NAME] [--list]

The model works on what `ip` prints and shares no code with the tool. Skipped, with a word and status 0,
where no namespace can be made; kinds of interfaces that the kernel does not grant are skipped by name.
Closes with 'N passed, N failed'.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from checklib import netmodel, netscenes
from checklib.netspace import Namespace, address_info, advertise_in, is_settled, obtain_rights
from checklib.tally import Tally
from checklib.tool import Run, Tool

OFFLINE = ["--tailscale-from", "none", "--host-name", "none"]
# Addresses are this machine's at once, without being probed for.
AT_ONCE = tuple(f"ipv6/conf/{name}/accept_dad=0" for name in ("default", "all"))


class Checks:
    def __init__(self, tool, tally, work):
        self.tool, self.tally, self.work = tool, tally, work

    def run(self, namespace, arguments):
        try:
            done = subprocess.run(
                [*namespace.prefix, self.tool.binary, *arguments], check=False, timeout=10,
                stdin=subprocess.DEVNULL, capture_output=True, env=self.tool.environment, cwd=self.work,
            )
        except subprocess.TimeoutExpired:
            return Run(None, b"", b"")
        return Run(done.returncode, done.stdout, done.stderr)

    def discover(self, namespace, bind, *more):
        return self.run(namespace, ["discover", "--json", "--all", "--bind", bind, *OFFLINE, *more])

    def steady(self, namespace, ask):
        """What `ask` gives while the machine's state is the same before and after."""
        for _ in range(40):
            before = namespace.state()
            answer = ask()
            if is_settled(before) and namespace.state() == before:
                return before, answer
            time.sleep(0.05)
        raise OSError("the machine's state does not settle")

    def compare(self, name, namespace):
        """All that is checked of one machine."""
        folder = tempfile.mkdtemp(dir=self.work)
        state, runs = self.steady(namespace, lambda: {
            "::": self.discover(namespace, "::", "--capture", folder),
            "0.0.0.0": self.discover(namespace, "0.0.0.0"),
        })
        model = netmodel.Model(state)
        for bind, run in runs.items():
            self.tally.check(f"{name}: bound to {bind}", problems(run, model.expected(bind)))
        with open(os.path.join(folder, "interfaces.json"), "rb") as file:
            self.tally.check(f"{name}: kinds and routes", netmodel.captured_problems(state, json.load(file)))
        again = self.tool.run([
            "discover", "--json", "--all", "--bind", "::", *OFFLINE, "--interfaces-from", f"{folder}/interfaces.json",
        ])
        first = runs["::"]
        same = (again.status, again.out, again.err) == (
            first.status, first.out, without_notes(first.err))
        self.tally.check(f"{name}: from the captured file", [] if same else ["it gives something else"])
        self.bound_to_one(name, namespace, model)
        return model

    def bound_to_one(self, name, namespace, model):
        addresses = sorted({str(address) for _, address, _ in model.entries}, key=len)
        chosen = random.Random(name).sample(addresses, min(2, len(addresses)))
        for bind in chosen:
            state, run = self.steady(namespace, lambda bind=bind: self.discover(namespace, bind))
            wanted = netmodel.Model(state).expected(bind)
            if wanted.destinations:
                found = problems(run, wanted)
            else:
                found = [] if run.status == 69 and b'"error"' in run.out else [said(run)]
            self.tally.check(f"{name}: bound to {bind}", found)


def without_notes(text):
    """What was said but for the names of files that were written."""
    return b"".join(line for line in text.splitlines(True) if b": note: " not in line)


def said(run):
    words = run.err.decode("utf-8", "replace").strip().splitlines() or ["(no message)"]
    return f"exit status {run.status}: {words[-1][:200]}"


def problems(run, wanted):
    """How what `discover` printed differs from what is expected."""
    if run.status != (0 if wanted.destinations else 69):
        return [said(run)]
    try:
        found = json.loads(run.out)
    except ValueError as error:
        return [f"the output is no JSON ({error})"]
    result = []
    listed = [(item["host"], item["kind"], item["interface"]) for item in found["destinations"]]
    if listed != wanted.destinations:
        result.append(f"destinations are {listed}, expected {wanted.destinations}")
    left_out = netmodel.Counter(
        (item["address"], item.get("interface"), item["reason"]) for item in found["excluded"]
    )
    if left_out != wanted.excluded:
        result.append(
            f"left out are {sorted(left_out - wanted.excluded, key=str)} too many, "
            f"{sorted(wanted.excluded - left_out, key=str)} too few"
        )
    return result


def granted_kinds(tally):
    with Namespace() as namespace:
        namespace.ip("link add base type veth peer name base2")
        granted = [
            kind for kind, line in netscenes.MAKERS.items() if namespace.grants(line.format(f"k-{kind}"))
        ]
    missing = sorted(netscenes.MAKERS.keys() - set(granted))
    if missing:
        tally.note(f"skipped, this kernel does not grant them: {', '.join(missing)}")
    return granted


def check_scene(checks, scene, force=False):
    with Namespace((*AT_ONCE, *scene.settings)) as namespace:
        # Some addresses and names are refused by some kernels; what is there counts.
        refused = namespace.ip(*scene.lines, force=True)
        if refused and not force:
            checks.tally.note(f"{scene.name}: ip refused something: {' '.join(refused.split())[:300]}")
        checks.compare(scene.name, namespace)


def has_link(state, name):
    return any(link["ifname"] == name and link["operstate"] == "UP" for link in state.links)


def check_probing(checks):
    """An address that is being probed for, and one that another host was found to have."""
    pair = "link add eth0 type veth peer name eth0 netns {}"
    with Namespace() as one, Namespace() as other:
        one.ip(pair.format(other.process), "link set eth0 up", "addr add fd00::1/64 dev eth0 nodad")
        other.ip("link set eth0 up", "addr add fd00::2/64 dev eth0 nodad")
        for host in (one, other):
            # The host that has the address answers as soon as its link is up.
            host.wait(lambda state: has_link(state, "eth0") and is_settled(state))
        other.ip("addr add fd00::1/64 dev eth0")
        if other.wait(lambda state: any(item.get("dadfailed") for _, item in address_info(state))):
            model = checks.compare("an address that another host has", other)
            reasons = {key[2] for key in model.expected().excluded}
            checks.tally.check(
                "an address that another host has: it is left out", [] if "tentative" in reasons else ["it is not"]
            )
        else:
            checks.tally.note("an address that another host has: skipped, the kernel does not find out")
    for name, more in (("an address being probed for", ""), ("an optimistic address", "optimistic")):
        with Namespace(("ipv6/conf/default/dad_transmits=200", "ipv6/conf/default/optimistic_dad=1")) as one:
            one.ip(*netscenes.veth("eth0"), *netscenes.add("eth0", "fd00::5/64", more=more))
            before, run = one.state(), checks.discover(one, "::")
            checks.tally.check(name, problems(run, netmodel.Model(before).expected()))
            tentative = [item for _, item in address_info(before) if item.get("tentative")]
            checks.tally.check(f"{name}: it is one", [] if tentative else ["it is not"])


def check_temporary(checks):
    """Addresses made up for privacy, by a router's advertisement and by an address that asks for them."""
    settings = ("ipv6/conf/default/use_tempaddr=2", "ipv6/conf/default/accept_ra=2", *AT_ONCE)

    def is_there(state):
        return any(item.get("temporary") for _, item in address_info(state))

    with Namespace(settings) as host, Namespace(AT_ONCE) as router:
        host.ip(f"link add eth0 type veth peer name eth0 netns {router.process}", "link set eth0 up")
        router.ip("link set eth0 up")
        router.wait(lambda state: any(True for _ in address_info(state)))
        for prefix in ("2600:5::", "fd05::"):
            advertise_in(router, "eth0", prefix)
        if host.wait(is_there):
            checks.compare("temporary addresses by a router's word", host)
        else:
            checks.tally.check("temporary addresses by a router's word", ["there are none"])
    with Namespace(settings) as host:
        host.ip(*netscenes.veth("eth0"), *netscenes.add("eth0", "fd06::6/64", more="mngtmpaddr"))
        if host.wait(is_there):
            checks.compare("temporary addresses beside a fixed one", host)
        else:
            checks.tally.note("temporary addresses beside a fixed one: skipped, the kernel makes none")


def check_many(checks):
    """5,000 addresses are neither too many nor slow; the bound is generous."""
    with Namespace(AT_ONCE) as namespace:
        namespace.ip(*netscenes.veth("eth0"), *[
            line for number in range(2500) for line in netscenes.add(
                "eth0", f"10.{number >> 8}.{number & 255}.1/32", f"fd07::{number:x}:1/128",
            )
        ])
        checks.compare("5,000 addresses", namespace)


def main():
    parser = argparse.ArgumentParser(prog="check-networks.py")
    parser.add_argument("binary")
    parser.add_argument("--random", type=int, default=200, metavar="N", help="random machines (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="the first of their seeds (default: 1)")
    parser.add_argument("--only", default="", metavar="NAME", help="situations whose names hold this, or random")
    parser.add_argument("--list", action="store_true", help="print every check")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    reason = obtain_rights()
    if reason:
        print(f"skipped: {reason}")
        return 0
    tally = Tally(options.list)
    with tempfile.TemporaryDirectory() as work:
        checks = Checks(Tool(options.binary, work), tally, work)
        granted = granted_kinds(tally)
        for scene in [*netscenes.SCENES, netscenes.kinds_scene(granted)]:
            if options.only in scene.name and not set(scene.needs) - set(granted):
                check_scene(checks, scene)
        for check in (check_probing, check_temporary, check_many):
            if options.only in check.__name__:
                check(checks)
        if options.only in ("", "random"):
            tally.note(f"random machines by the seeds {options.seed} to {options.seed + options.random - 1}")
            for seed in range(options.seed, options.seed + options.random):
                check_scene(checks, netscenes.random_scene(seed, granted), force=True)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
