"""What may stand where Tailscale would, and what `discover` is to say then."""

from checklib import tailscaled
from checklib.tailscaled import ADDRESSES, NAME, Daemon, Plan, RawDaemon, encoded, status

IP_DESTINATIONS = [(ADDRESSES[0], "tailscale-ipv4"), (ADDRESSES[1], "tailscale-ipv6")]
ALL = [(NAME, "tailscale-name"), *IP_DESTINATIONS]
NONE = "nothing is known of Tailscale: "
GUI = ("The Tailscale GUI failed to start: The operation couldn’t be completed. "
       "(Tailscale.CLIError error 3.)")


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
               warnings=[NONE + "Tailscale's daemon cannot be asked: permission denied"],
               asks_daemon=False)
    yield Case("no permission for the socket, the command knows more",
               lambda: Daemon(Plan(), mode=0o600), prints(status()), as_nobody=True, wanted=ALL,
               asks_daemon=False)
    yield Case("no permission for the socket, and a command that fails",
               lambda: Daemon(Plan(), mode=0o600), "echo no >&2; exit 1", as_nobody=True,
               warnings=[NONE + "Tailscale's daemon cannot be asked: permission denied, "
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
