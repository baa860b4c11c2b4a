"""A TLS 1.3 client that looks at the certificate when its handshake is over, and then refuses it by an alert.

late-alert.py PROXY_PORT AUTHORITY ALPN
"""
import socket
import sys

from tlslite.api import HandshakeSettings, TLSConnection
from tlslite.constants import AlertDescription, AlertLevel
from tlslite.messages import Alert

port, authority, alpn = sys.argv[1:]
raw = socket.create_connection(("127.0.0.1", int(port)))
raw.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
response = b""
while not response.endswith(b"\r\n\r\n"):
    response += raw.recv(1)
settings = HandshakeSettings()
settings.minVersion = settings.maxVersion = (3, 4)
connection = TLSConnection(raw)
connection.handshakeClientCert(serverName="localhost", settings=settings, alpn=[alpn.encode()])
for _ in connection._sendMsg(Alert().create(AlertDescription.unknown_ca, AlertLevel.fatal)):
    pass
raw.close()
