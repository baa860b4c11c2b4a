"""Asks for each fault with httpx over HTTP/2, and prints the class of error that each one brings."""

import ssl
import sys

import httpx

origin, ca, proxy, *faults = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)

# On a connection that is reset, httpx names what its socket was doing then: reading or writing. That is chance.
LOST = (httpx.NetworkError, httpx.ProtocolError)


def name_of(fault, error):
    return "connection lost" if fault.endswith("/reset") and isinstance(error, LOST) else type(error).__name__


for fault in faults:
    with httpx.Client(http2=True, verify=context, proxy=proxy or None, trust_env=False, timeout=60) as client:
        try:
            response = client.get(f"{origin}/{fault}")
            print(f"{response.status_code} body of {len(response.content)}")
        except httpx.HTTPError as error:
            print(name_of(fault, error))
