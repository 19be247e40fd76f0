"""A stand-in for Tailscale's daemon: its local API over HTTP at a unix socket.

What it sends has the fields of `ipnstate.Status` in Go's forms (a list that was
never filled is null, a time that was never set is the year 1), and it refuses what the daemon refuses:
Tailscale v1.103, ipn/ipnstate/ipnstate.go, ipn/ipnlocal/local.go (updateStatusLocked),
ipn/localapi/localapi.go (ServeHTTP, validHost, serveStatus).
"""

import json
import os
import socket
import socketserver
import threading
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

PATH = "/var/run/tailscale/tailscaled.sock"
HOST = "local-tailscaled.sock"
SUFFIX = "tailnet-example.ts.net"
NAME = f"my-mac.{SUFFIX}"
ADDRESSES = ["100.64.0.12", "fd7a:115c:a1e0::c"]
# What must not leave the machine that it is of.
PRIVATE = ("phone", "ada@example.com", "Ada Example", "nodekey:", "https://", "41641", "is-admin")
NEVER = "0001-01-01T00:00:00Z"
TRUE_VALUES = ("1", "t", "T", "TRUE", "true", "True")
FALSE_VALUES = ("0", "f", "F", "FALSE", "false", "False")


def node(**fields):
    """One `PeerStatus`, as it is where nothing is known."""
    base = {
        "ID": "", "NodeID": 0, "PublicKey": "nodekey:" + "0" * 64, "HostName": "", "DNSName": "",
        "OS": "", "UserID": 0, "TailscaleIPs": None, "Addrs": None, "CurAddr": "", "Relay": "",
        "PeerRelay": "", "RxBytes": 0, "TxBytes": 0, "Created": NEVER, "LastWrite": NEVER,
        "LastSeen": NEVER, "LastHandshake": NEVER, "Online": False, "ExitNode": False,
        "ExitNodeOption": False, "Active": False, "PeerAPIURL": None, "TaildropTarget": 0,
        "NoFileSharingReason": "", "InNetworkMap": False, "InMagicSock": False, "InEngine": False,
    }
    return {**base, **fields}


def peer(number):
    return node(
        ID=f"nPeer{number}CNTRL", NodeID=1000 + number, PublicKey=f"nodekey:{number:064x}",
        HostName=f"phone {number}", DNSName=f"phone-{number}.{SUFFIX}.", OS="iOS", UserID=4711,
        TailscaleIPs=[f"100.65.{number // 250 % 250}.{number % 250 + 1}",
                      f"fd7a:115c:a1e0::{number + 4096:x}"],
        AllowedIPs=[f"100.65.{number // 250 % 250}.{number % 250 + 1}/32"], Relay="fra",
        Created="2025-02-03T04:05:06.789Z", LastSeen="2026-01-02T03:04:05.6Z",
        CapMap={"https://tailscale.com/cap/file-sharing-target": [{"padding": "x" * 200}]},
        InNetworkMap=True)


def status(state="Running", magic_dns=True, has_map=True, peers=()):
    """The status of a machine; without a network map where it never logged in."""
    own = node(HostName="my-mac", OS="linux", Online=state == "Running")
    if has_map:
        own.update(
            ID="nOwnCNTRL", NodeID=17, PublicKey=f"nodekey:{0xabc:064x}", HostName="My Mac",
            DNSName=f"{NAME}.", UserID=4711, TailscaleIPs=ADDRESSES,
            AllowedIPs=[ADDRESSES[0] + "/32", ADDRESSES[1] + "/128"],
            Addrs=["203.0.113.7:41641", "192.168.1.10:41641"], Relay="fra",
            Created="2025-01-02T03:04:05.678901234Z", InNetworkMap=True, InMagicSock=True,
            PeerAPIURL=[f"http://{ADDRESSES[0]}:41112", f"http://[{ADDRESSES[1]}]:41112"],
            Capabilities=["https://tailscale.com/cap/is-admin", "https://tailscale.com/cap/ssh"],
            CapMap={"https://tailscale.com/cap/is-admin": None}, KeyExpiry="2026-12-31T00:00:00Z")
    users = {"4711": {"ID": 4711, "LoginName": "ada@example.com", "DisplayName": "Ada Example",
                      "ProfilePicURL": "https://example.com/ada.png"}}
    return {
        "Version": "1.103.0-tde9ec7ee2", "TUN": True, "BackendState": state,
        **({"HaveNodeKey": True} if has_map else {}),
        "AuthURL": "https://login.tailscale.com/a/0123456789" if state == "NeedsLogin" else "",
        "TailscaleIPs": ADDRESSES if has_map else None, "Self": own,
        "Health": None if state == "Running" else ["Tailscale is stopped."],
        "MagicDNSSuffix": SUFFIX if has_map else "",
        "CurrentTailnet": {"Name": "ada@example.com", "MagicDNSSuffix": SUFFIX,
                           "MagicDNSEnabled": magic_dns} if has_map else None,
        "CertDomains": [NAME] if has_map else None,
        "Peer": {item["PublicKey"]: item for item in peers} or None,
        "User": users if has_map else None,
        "ClientVersion": None,
    }


def encoded(value):
    """As Go's encoder writes with a tabulator for indentation."""
    return json.dumps(value, indent="\t", ensure_ascii=False).encode() + b"\n"


def flag(text, default):
    if text in TRUE_VALUES:
        return True
    return False if text in FALSE_VALUES else default


class Handler(BaseHTTPRequestHandler):
    """The daemon's answers; `server.plan` says what is the matter with it."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        plan = self.server.plan
        self.server.requests.append((self.path, dict(self.headers)))
        allowed_hosts = ("", HOST)
        if self.headers.get("Referer") or self.headers.get("Origin") \
                or self.headers.get("Host", "") not in allowed_hosts:
            return self.error(403, "invalid localapi request")
        if plan.refuses_identity:
            return self.error(401, plan.refuses_identity)
        url = urlsplit(self.path)
        if url.path != "/localapi/v0/status":
            return self.error(404, "404 page not found")
        if not plan.permits_reading:
            return self.error(403, "status access denied")
        if plan.delay and self.server.stopped.wait(plan.delay):
            return None
        wants_peers = flag(parse_qs(url.query).get("peers", [""])[0], True)
        return self.answer(plan.body(wants_peers))

    def error(self, code, text):
        body = text.encode() + b"\n"
        self.send_response(code)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        self.send_header("Content-Type", self.server.plan.content_type)
        self.send_header("Tailscale-Cap", "130")
        self.send_header("Tailscale-Version", "1.103.0-tde9ec7ee2")
        if self.server.plan.framing == "length":
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        elif self.server.plan.framing == "chunks":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for start in range(0, len(body), 2048):
                piece = body[start:start + 2048]
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = True

    def log_message(self, *_):
        pass


class Plan:
    """How a daemon behaves."""

    def __init__(self, value=None, *, body=None, peers=0, heeds_peers=True, framing="length",
                 delay=0, permits_reading=True, refuses_identity="",
                 content_type="application/json"):
        self.framing, self.delay, self.permits_reading = framing, delay, permits_reading
        self.refuses_identity, self.content_type = refuses_identity, content_type
        self._value = status() if value is None else value
        self._body, self._peers, self._heeds_peers = body, peers, heeds_peers

    def body(self, wants_peers):
        if self._body is not None:
            return self._body
        peers = self._peers if wants_peers or not self._heeds_peers else 0
        if not peers:
            return encoded(self._value)
        return encoded({**self._value, "Peer": {p["PublicKey"]: p for p in map(peer, range(peers))}})


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request, client_address):
        # A client that goes away early is a case, not a fault.
        pass


class Daemon:
    """A daemon that listens at its place while the block runs."""

    def __init__(self, plan, path=PATH, mode=0o666):
        self._path, self._mode = path, mode
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self._server = _Server(path, Handler)
        self._server.plan, self._server.stopped = plan, threading.Event()
        self.requests = self._server.requests = []
        os.chmod(path, mode)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        os.unlink(self._path)


class RawDaemon:
    """A daemon that is none: it sends bytes whatever it is asked, says nothing, or accepts nobody."""

    def __init__(self, data=None, accepts=True, path=PATH):
        self._path, self._data, self._accepts = path, data, accepts
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(path)
        os.chmod(path, 0o666)
        self._socket.listen(8 if accepts else 0)
        self._others = []
        self.requests = []

    def __enter__(self):
        if self._accepts:
            threading.Thread(target=self._serve, daemon=True).start()
        else:
            self._fill()
        return self

    def _fill(self):
        """Connects until the queue takes no more."""
        for _ in range(64):
            other = socket.socket(socket.AF_UNIX)
            other.setblocking(False)
            self._others.append(other)
            try:
                other.connect(self._path)
            except BlockingIOError:
                return

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._others.append(connection)
            if self._data is not None:
                try:
                    connection.recv(65536)
                    connection.sendall(self._data)
                except OSError:
                    pass
                connection.close()

    def __exit__(self, *_):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for other in self._others:
            other.close()
        os.unlink(self._path)
