"""Asks for each fault with httpx over HTTP/2, and prints the class of error that each one brings."""

import ssl
import sys

import httpx

origin, ca, proxy, *faults = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)

for fault in faults:
    with httpx.Client(http2=True, verify=context, proxy=proxy or None, trust_env=False, timeout=10) as client:
        try:
            response = client.get(f"{origin}/{fault}")
            print(f"{response.status_code} body of {len(response.content)}")
        except httpx.HTTPError as error:
            print(type(error).__name__)
