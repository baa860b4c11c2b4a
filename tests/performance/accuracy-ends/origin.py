"""
The origin of the accuracy benchmark: HTTP/1.1 and HTTP/2 over TLS. It responds to each request after a delay of 0 to
20 ms with a body of 8 bytes to 8 KiB, which begins with the response's number. Usage: origin.py LEAF_PEM SEED

It prints {"port": N}. For each line on stdin it prints what it noted since the last, and forgets it:
{"responses": {"NUMBER": [first byte of the request in, last, first byte of the response out]}}, nanoseconds, stamped
by the kernel.
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

LONGEST = 0.020
LARGEST = 8 * 1024
NUMBER = 8


class Responses:
    """What is due, and what was noted."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._due = []
        self._count = 0
        self.noted = {}

    def asked(self, first, last, send):
        """`send(body)` returns when it left."""
        self._count += 1
        number = f"{self._count:0{NUMBER}d}"
        size = NUMBER + int(LARGEST * self._random.random() ** 3)
        body = number.encode() + b"." * (size - NUMBER)
        at = time.monotonic() + self._random.uniform(0, LONGEST)
        heapq.heappush(self._due, (at, self._count, number, first, last, send, body))

    def response_due(self):
        """Returns the seconds until the next; None where there is none."""
        while self._due:
            wait = self._due[0][0] - time.monotonic()
            if wait > 0:
                return wait
            _, _, number, first, last, send, body = heapq.heappop(self._due)
            self.noted[number] = [first, last, send(body)]
        return None


class Http1:
    def __init__(self, link, responses):
        self._link, self._responses = link, responses
        self._rest, self._first = b"", None

    def take(self, data, arrived):
        if self._first is None:
            self._first = arrived
        self._rest += data
        head, end, body = self._rest.partition(b"\r\n\r\n")
        if not end:
            return
        length = 0
        for line in head.lower().split(b"\r\n")[1:]:
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        if len(body) < length:
            return
        self._responses.asked(self._first, arrived, self._respond)
        self._rest, self._first = b"", None

    def _respond(self, body):
        return self._link.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


class Http2:
    def __init__(self, link, responses):
        self._link, self._responses = link, responses
        self._reader = frames.FrameReader(link.send, skip=len(frames.PREFACE))
        self._first = {}
        link.send(frames.first_words())

    def take(self, data, arrived):
        for kind, flags, stream, _ in self._reader.feed(data):
            if kind == frames.HEADERS:
                self._first[stream] = arrived
            if kind in (frames.HEADERS, frames.DATA) and flags & frames.END_STREAM:
                first = self._first.pop(stream)
                self._responses.asked(first, arrived, lambda body, stream=stream: self._respond(stream, body))

    def _respond(self, stream, body):
        head = frames.frame(frames.HEADERS, frames.END_HEADERS, stream, frames.response_fields(len(body)))
        return self._link.send(head + frames.frame(frames.DATA, frames.END_STREAM, stream, body))


def serve(leaf, seed):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(leaf)
    context.set_alpn_protocols(["h2", "http/1.1"])
    responses = Responses(seed)
    listener = socket.create_server(("127.0.0.1", 0))
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ, "listener")
    selector.register(sys.stdin, selectors.EVENT_READ, "orders")
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    while True:
        for key, _ in selector.select(responses.response_due()):
            if key.data == "listener":
                link = StampedTls(listener.accept()[0], context, True)
                speaks = Http2 if link.tls.selected_alpn_protocol() == "h2" else Http1
                speaker = speaks(link, responses)
                selector.register(link.socket, selectors.EVENT_READ, (link, speaker))
                if link.early:
                    speaker.take(link.early, time.time_ns())
            elif key.data == "orders":
                if not sys.stdin.readline():
                    return
                print(json.dumps({"responses": responses.noted}), flush=True)
                responses.noted = {}
            else:
                link, speaker = key.data
                came = link.receive()
                if came is None:
                    selector.unregister(link.socket)
                    link.socket.close()
                elif came[0]:
                    speaker.take(*came)


serve(sys.argv[1], int(sys.argv[2]))
