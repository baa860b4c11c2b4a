import sys

library, url = sys.argv[1:]


async def by_aiohttp(trust_env):
    async with aiohttp.ClientSession(trust_env=trust_env) as session:
        async with session.get(url) as response:
            return await response.text()


if library == "urllib":
    import urllib.request

    print(urllib.request.urlopen(url).read().decode())
elif library == "requests":
    import requests

    print(requests.get(url).text)
elif library == "httpx":
    import httpx

    print(httpx.get(url).text)
else:
    import asyncio

    import aiohttp

    print(asyncio.run(by_aiohttp(library == "aiohttp-trust-env")))
