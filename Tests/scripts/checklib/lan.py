"""Machines on a network of their own: Linux namespaces, joined by pairs of virtual interfaces.

A script calls `inside` first: it starts itself anew in a process namespace, with whose first process
everything in it ends, however the script ends.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile

from checklib.netspace import Namespace, wait

INSIDE = "--inside-a-namespace"
KINDS = ("--net", "--mount", "--uts")


def inside(skip):
    """Returns in the script that runs in the namespace; the one outside ends with its status.

    `skip(why)` is called where namespaces are not to be had, or programs for them.
    """
    if INSIDE in sys.argv:
        sys.argv.remove(INSIDE)
        return
    for program in ("unshare", "nsenter", "ip", "mount"):
        if not find(program):
            skip(f"there is no {program}")
    # A user namespace has no other users, and daemons give their folders to users of their own.
    if os.geteuid() != 0:
        skip("only root may do this")
    unshare = ["unshare", *KINDS, "--propagation=private", "--pid", "--fork", "--kill-child", "--mount-proc"]
    probe = subprocess.run(
        [*unshare, "ip", "link", "add", "probe", "type", "veth", "peer", "name", "other"],
        check=False, capture_output=True, stdin=subprocess.DEVNULL)
    if probe.returncode:
        said = probe.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        skip(f"namespaces are refused ({said[-1]})")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda got, _: sys.exit(128 + got))
    with tempfile.TemporaryDirectory() as folder:
        # Another user reads in it.
        os.chmod(folder, 0o755)
        # A group of its own, so that an interrupt from the terminal comes to this process alone.
        process = subprocess.Popen(
            [*unshare, sys.executable, *sys.argv, INSIDE], stdin=subprocess.DEVNULL,
            start_new_session=True, env={**os.environ, "TMPDIR": folder})
        try:
            sys.exit(process.wait())
        finally:
            process.kill()
            process.wait()


def find(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Machine(Namespace):
    """A machine with a host name, interfaces, and an empty /run of its own."""

    def __init__(self, name):
        super().__init__(
            kinds=KINDS,
            setup=f"hostname {name} && mount -t tmpfs none /run && mkdir /run/dbus /run/avahi-daemon"
                  " && ip link set lo up")
        self.name = name
        self._daemons = []

    def run(self, *words, limit=20, **more):
        """Runs a command that reads nothing to its end."""
        return super().run(words, limit, stdin=subprocess.DEVNULL, **more)

    def must(self, *words):
        done = self.run(*words)
        if done.returncode:
            raise RuntimeError(f"{self.name}: {' '.join(words)}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8", "replace")

    def start(self, *words, ready, limit=15):
        """Starts a daemon, and waits until `ready()` is true."""
        daemon = subprocess.Popen(
            [*self.prefix, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        self._daemons.append(daemon)
        os.set_blocking(daemon.stderr.fileno(), False)
        if not wait(lambda: daemon.poll() is not None or ready(), limit) or daemon.poll() is not None:
            said = (daemon.stderr.read() or b"").decode("utf-8", "replace").strip().splitlines()
            raise RuntimeError(f"{self.name}: {words[0]} does not start: {said[-1:]}")
        return daemon

    def end_daemons(self):
        for daemon in reversed(self._daemons):
            daemon.send_signal(signal.SIGCONT)
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            daemon.stderr.close()
        self._daemons = []

    def end(self):
        self.end_daemons()
        super().end()


def join(one, other, interface="eth0"):
    """Puts an end of a cable into each of two machines."""
    subprocess.run(
        ["ip", "link", "add", interface, "netns", str(one.process), "type", "veth",
         "peer", "name", interface, "netns", str(other.process)], check=True)


def address(machine, *addresses, interface="eth0"):
    """Gives addresses to an interface, which comes up."""
    for text in addresses:
        machine.must("ip", "address", "add", text, "dev", interface,
                     *(["nodad"] if ":" in text else []))
    machine.must("ip", "link", "set", interface, "up")
