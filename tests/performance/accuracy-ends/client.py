"""
The client of the accuracy benchmark: so many exchanges, so many at a time, through a proxy that takes CONNECT.
Usage: client.py PROXY_PORT ORIGIN_PORT h1|h2 PARALLEL EXCHANGES SEED

Half of them are GETs; the others post 1 KiB, half of those 1 ms behind their heads. The path of each is /SEED/ and its
number. It prints {"exchanges": {"PATH": [response's number, head out, first byte of the response in, last]},
"lateness": [...]}, nanoseconds, stamped by the kernel; the second is how long after their arrival this process read
bytes.
"""

import heapq
import json
import random
import selectors
import socket
import ssl
import sys
import time

import frames
from stamped_tls import StampedTls

BODY = b"b" * 1024
PAUSE = 0.001
NUMBER = 8
PROTOCOLS = {"h1": "http/1.1", "h2": "h2"}


class Run:
    """What is to be sent, what is due later, and what was noted."""

    def __init__(self, exchanges, seed):
        self._random = random.Random(seed)
        self._prefix = f"/{seed}/"
        self._left = exchanges
        self._open = 0
        self._later = []
        self.noted = {}

    def next(self):
        """(path, method, whether its body comes later); None: that was all."""
        if self._left == 0:
            return None
        self._left -= 1
        self._open += 1
        draw = self._random.random()
        return f"{self._prefix}{self._left}", "GET" if draw < 0.5 else "POST", draw >= 0.75

    def later(self, send):
        heapq.heappush(self._later, (time.monotonic() + PAUSE, len(self._later), id(send), send))

    def send_due(self):
        while self._later:
            wait = self._later[0][0] - time.monotonic()
            if wait > 0:
                return wait
            heapq.heappop(self._later)[3]()
        return None

    def ended(self, path, sent, first, last, body):
        self.noted[path] = [body[:NUMBER].decode(), sent, first, last]
        self._open -= 1

    @property
    def over(self):
        return self._left == 0 and self._open == 0


class Http1:
    def __init__(self, link, authority, run, _parallel):
        self._link, self._authority, self._run = link, authority, run
        self._ask()

    def _ask(self):
        asked = self._run.next()
        if asked is None:
            return
        self._path, method, split = asked
        self._rest, self._first = b"", None
        length = b"" if method == "GET" else b"Content-Length: %d\r\n" % len(BODY)
        head = f"{method} {self._path} HTTP/1.1\r\nHost: {self._authority}\r\n".encode() + length + b"\r\n"
        if split:
            self._run.later(lambda: self._link.send(BODY))
        self._sent = self._link.send(head if method == "GET" or split else head + BODY)

    def take(self, data, arrived):
        if self._first is None:
            self._first = arrived
        self._rest += data
        head, end, body = self._rest.partition(b"\r\n\r\n")
        if not end or len(body) < int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]):
            return
        self._run.ended(self._path, self._sent, self._first, arrived, body)
        self._ask()


class Http2:
    def __init__(self, link, authority, run, parallel):
        self._link, self._authority, self._run = link, authority, run
        self._reader = frames.FrameReader(link.send)
        self._stream = -1
        self._open = {}
        link.send(frames.PREFACE + frames.first_words())
        for _ in range(parallel):
            self._ask()

    def _ask(self):
        asked = self._run.next()
        if asked is None:
            return
        path, method, split = asked
        self._stream += 2
        stream = self._stream
        length = 0 if method == "GET" else len(BODY)
        flags = frames.END_HEADERS | (0 if length else frames.END_STREAM)
        fields = frames.request_fields(method, self._authority, path, length)
        wire = frames.frame(frames.HEADERS, flags, stream, fields)
        body = frames.frame(frames.DATA, frames.END_STREAM, stream, BODY)
        if split:
            self._run.later(lambda: self._link.send(body))
        sent = self._link.send(wire + body if length and not split else wire)
        self._open[stream] = [path, sent, None, b""]

    def take(self, data, arrived):
        for kind, flags, stream, payload in self._reader.feed(data):
            if kind not in (frames.HEADERS, frames.DATA):
                continue
            exchange = self._open[stream]
            if exchange[2] is None:
                exchange[2] = arrived
            if kind == frames.DATA:
                exchange[3] += payload
            if flags & frames.END_STREAM:
                path, sent, first, body = self._open.pop(stream)
                self._run.ended(path, sent, first, arrived, body)
                self._ask()


def connected(proxy_port, authority, context):
    plain = socket.create_connection(("127.0.0.1", proxy_port))
    plain.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
    response = plain.recv(4096)
    if b" 200 " not in response or not response.endswith(b"\r\n\r\n"):
        raise ConnectionError(f"the proxy answered {response!r}")
    return StampedTls(plain, context, False, "localhost")


def main(proxy_port, origin_port, protocol, parallel, exchanges, seed):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols([PROTOCOLS[protocol]])
    run = Run(exchanges, seed)
    selector = selectors.DefaultSelector()
    authority = f"localhost:{origin_port}"
    for _ in range(parallel if protocol == "h1" else 1):
        link = connected(proxy_port, authority, context)
        if link.tls.selected_alpn_protocol() != PROTOCOLS[protocol]:
            raise ConnectionError(f"it spoke {link.tls.selected_alpn_protocol()}")
        speaks = Http1 if protocol == "h1" else Http2
        speaker = speaks(link, authority, run, parallel)
        selector.register(link.socket, selectors.EVENT_READ, (link, speaker))
        if link.early:
            speaker.take(link.early, time.time_ns())
    links = [key.data[0] for key in selector.get_map().values()]
    while not run.over:
        for key, _ in selector.select(run.send_due()):
            link, speaker = key.data
            came = link.receive()
            if came is None:
                raise ConnectionError("the proxy left")
            if came[0]:
                speaker.take(*came)
    lateness = [each for link in links for each in link.lateness]
    print(json.dumps({"exchanges": run.noted, "lateness": lateness}), flush=True)


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], *map(int, sys.argv[4:7]))
