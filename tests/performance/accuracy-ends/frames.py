"""As much of HTTP/2 (RFC 9113) and HPACK (RFC 7541) as two ends need that know each other."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
LARGEST_WINDOW = 2**31 - 1
FIRST_WINDOW = 65_535


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def first_words():
    """Windows that nothing here fills."""
    window = struct.pack(">HI", 4, LARGEST_WINDOW)
    grown = struct.pack(">I", LARGEST_WINDOW - FIRST_WINDOW)
    return frame(SETTINGS, 0, 0, window) + frame(WINDOW_UPDATE, 0, 0, grown)


def literal(index, value):
    """A field whose name is in the static table, without indexing."""
    prefix = bytes([index]) if index < 15 else bytes([15, index - 15])
    encoded = value.encode()
    return prefix + bytes([len(encoded)]) + encoded


CONTENT_LENGTH, AUTHORITY, PATH = 28, 1, 4


def request_fields(method, authority, path, length):
    block = (b"\x82" if method == "GET" else b"\x83") + b"\x87" + literal(AUTHORITY, authority) + literal(PATH, path)
    return block + (literal(CONTENT_LENGTH, str(length)) if length else b"")


def response_fields(length):
    return b"\x88" + literal(CONTENT_LENGTH, str(length))


class FrameReader:
    """Cuts what comes into frames; answers SETTINGS and PING itself, by `reply`."""

    def __init__(self, reply, skip=0):
        self._reply = reply
        self._rest = b""
        self._skip = skip

    def feed(self, data):
        """Yields (kind, flags, stream, payload)."""
        self._rest += data
        if self._skip:
            if len(self._rest) < self._skip:
                return
            self._rest, self._skip = self._rest[self._skip :], 0
        while len(self._rest) >= 9:
            length = int.from_bytes(self._rest[:3], "big")
            if len(self._rest) < 9 + length:
                return
            kind, flags, stream = struct.unpack(">BBI", self._rest[3:9])
            payload, self._rest = self._rest[9 : 9 + length], self._rest[9 + length :]
            if kind == SETTINGS and not flags & ACK:
                self._reply(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self._reply(frame(PING, ACK, 0, payload))
            elif kind in (RESET, GOAWAY):
                raise ConnectionError(f"frame {kind} of stream {stream}: {payload!r}")
            else:
                yield kind, flags, stream, payload
