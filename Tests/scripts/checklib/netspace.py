"""Network namespaces of a check's own, what `ip` says in them, and what a host on their other end sends."""

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections import namedtuple

# What `ip` prints: addresses, links with details, routes of the main table of each family.
State = namedtuple("State", "addresses links routes4 routes6")
QUESTIONS = "ip -j addr; ip -j -d link; ip -j -4 route; ip -j -6 route"


def obtain_rights():
    """Goes on as root, in a user namespace where need be; says why where there is no way."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    missing = [name for name in ("ip", "unshare", "nsenter") if shutil.which(name) is None]
    if missing:
        return f"there is no {missing[0]}"
    if succeeds(["unshare", "--net", "true"]):
        return None
    prefix = ["unshare", "--map-root-user", "--net"]
    if not succeeds([*prefix, "unshare", "--net", "true"]):
        return "no network namespace may be made here"
    os.execvp(prefix[0], [*prefix, sys.executable, *sys.argv])


def succeeds(command):
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def wait(condition, seconds):
    """Whether a condition comes true within so many seconds."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


class Namespace:
    """Lives until the block ends, or `end` is called: a network, with `kinds` also other namespaces, in
    which the shell runs `setup` first."""

    def __init__(self, settings=(), kinds=("--net",), setup="true"):
        self._holder = subprocess.Popen(
            ["unshare", *kinds, *(["--propagation=private"] if "--mount" in kinds else []),
             "sh", "-c", f"{setup} && echo ready && exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        if self._holder.stdout.readline() != b"ready\n":
            raise OSError(f"no namespaces {' '.join(kinds)}")
        self.process = self._holder.pid
        # Without its root, a mount namespace made in a chroot would be entered above that.
        root = ["--root"] if "--mount" in kinds else []
        self.prefix = ["nsenter", f"--target={self.process}", *kinds, *root, "--"]
        if settings:
            self.set(*settings)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self._holder.communicate()

    def run(self, command, limit=30, **more):
        """Runs a command to its end; subprocess.TimeoutExpired where it does not."""
        return subprocess.run(
            [*self.prefix, *command], check=False, capture_output=True, timeout=limit, **more
        )

    def ip(self, *lines, force=False):
        """Runs lines of `ip`. Returns what it refused: that is an error only without `force`."""
        text = "".join(f"{line}\n" for line in lines)
        done = self.run(
            ["ip", *(["-force"] if force else []), "-batch", "-"], input=text.encode()
        )
        if done.returncode != 0 and not force:
            raise OSError(f"ip: {done.stderr.decode().strip()}")
        return done.stderr.decode()

    def set(self, *settings):
        """Settings below /proc/sys/net, as in `ipv6/conf/default/accept_dad=0`."""
        writes = []
        for setting in settings:
            name, _, value = setting.partition("=")
            writes.append(f"echo {value} >/proc/sys/net/{name}")
        done = self.run(["sh", "-ec", "\n".join(writes)])
        if done.returncode != 0:
            raise OSError(f"{' '.join(settings)}: {done.stderr.decode().strip()}")

    def grants(self, *lines):
        """Whether the kernel makes an interface in this way."""
        return not self.ip(*lines, force=True)

    def state(self):
        text = self.run(["sh", "-c", QUESTIONS]).stdout.decode()
        found, decoder = [], json.JSONDecoder()
        while text.strip():
            value, end = decoder.raw_decode(text.lstrip())
            found.append(value)
            text = text.lstrip()[end:]
        state = State(*found)
        for link in state.links:
            # The rest has timers, which never stand still.
            link["linkinfo"] = {"info_kind": link.get("linkinfo", {}).get("info_kind")}
        return state

    def wait(self, is_reached, seconds=6):
        """Waits until what `ip` says is as wanted; False where it never is."""
        return wait(lambda: is_reached(self.state()), seconds)


def address_info(state):
    """Each address with the interface's name."""
    for link in state.addresses:
        for address in link.get("addr_info", []):
            # `ip -j` prints an empty object for what it leaves out.
            if address.get("local"):
                yield link["ifname"], address


def is_settled(state):
    """Whether no address is being probed for; one found to be another's stays tentative for good."""
    return not any(
        item.get("tentative") and not item.get("dadfailed") for _, item in address_info(state)
    )


def advertise(interface, prefix):
    """Sends a router advertisement for a /64 prefix (RFC 4861, 4.2 and 4.6.2); run inside a namespace."""
    option = struct.pack("!BBBBIII", 3, 4, 64, 0xC0, 86400, 14400, 0)
    option += socket.inet_pton(socket.AF_INET6, prefix)
    message = struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, 1800, 0, 0) + option
    with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as sender:
        sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        index = socket.if_nametoindex(interface)
        sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        sender.sendto(message, ("ff02::1", 0, 0, index))


def advertise_in(namespace, interface, prefix):
    """The same from a process in that namespace."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = "import sys; from checklib import netspace; netspace.advertise(*sys.argv[1:])"
    done = namespace.run([sys.executable, "-c", code, interface, prefix], cwd=here)
    if done.returncode != 0:
        raise OSError(done.stderr.decode().strip().splitlines()[-1])
