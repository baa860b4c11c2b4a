"""TLS over a socket whose bytes the kernel stamps: when a write left, and when what is read had arrived."""

import socket
import ssl
import struct
import time

# linux/net_tstamp.h and asm-generic/socket.h: Python has no names for them.
SO_TIMESTAMPING = 37
TX_SOFTWARE, RX_SOFTWARE, SOFTWARE, OPT_ID, OPT_TSONLY = 1 << 1, 1 << 3, 1 << 4, 1 << 7, 1 << 11
FLAGS = TX_SOFTWARE | RX_SOFTWARE | SOFTWARE | OPT_ID | OPT_TSONLY
READ = 256 * 1024


def stamp_of(ancillary):
    """Nanoseconds of the system's clock; None where the kernel gave no stamp."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPING:
            seconds, nanoseconds = struct.unpack_from("qq", data)
            return seconds * 10**9 + nanoseconds
    return None


class StampedTls:
    def __init__(self, plain, context, server_side, name=None):
        self.socket = plain
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=server_side, server_hostname=name)
        self._shake_hands()
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, FLAGS)
        plain.setblocking(False)
        # Nanoseconds from the arrival of bytes until this process had read them, for each read.
        self.lateness = []
        # What came in one piece with the end of the handshake.
        self.early = self._decrypted()

    def _shake_hands(self):
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.socket.sendall(self.outgoing.read())
                piece = self.socket.recv(READ)
                if not piece:
                    raise ConnectionError("the peer left during the handshake")
                self.incoming.write(piece)
        self.socket.sendall(self.outgoing.read())

    def send(self, data):
        """Returns when the last byte had left."""
        self.tls.write(data)
        wire = self.outgoing.read()
        before = time.time_ns()
        if self.socket.send(wire) != len(wire):
            raise ConnectionError("the socket took only a part of a small message")
        return self._left() or before

    def _left(self):
        """The stamp of the write before: over loopback it is there when the call returns."""
        try:
            _, ancillary, _, _ = self.socket.recvmsg(1, 256, socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT)
            return stamp_of(ancillary)
        except BlockingIOError:
            return None

    def receive(self):
        """What came, and when the last of it had arrived; None at the end."""
        try:
            wire, ancillary, _, _ = self.socket.recvmsg(READ, 256)
        except BlockingIOError:
            self._left()
            return b"", 0
        except ConnectionError:
            return None
        if not wire:
            return None
        now = time.time_ns()
        arrived = stamp_of(ancillary) or now
        self.lateness.append(now - arrived)
        self.incoming.write(wire)
        return self._decrypted(), arrived

    def _decrypted(self):
        pieces = []
        try:
            while True:
                piece = self.tls.read(READ)
                if not piece:
                    break
                pieces.append(piece)
        except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            pass
        return b"".join(pieces)
