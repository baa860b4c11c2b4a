import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { findPac } from '../../../../../electron/commands/services/find-pac.ts';
import { listenInTest } from '../../../../support/listen-in-test.ts';

const SCRIPT = "function FindProxyForURL() { return 'DIRECT'; }";

/** A real server that has a portal's page, a PAC file, and nothing else. */
async function server(): Promise<string> {
  const pages: Record<string, string> = { '/portal': '<html>Welcome</html>', '/wpad.dat': SCRIPT };
  const made = http.createServer((request, response) => {
    const page = pages[request.url ?? ''];
    response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  const port = await listenInTest(made);
  return `http://127.0.0.1:${port}`;
}

describe('finding the PAC file of the network', () => {
  it('uses the first place that has one, and skips those with other responses', async () => {
    const base = await server();
    const places = [`${base}/missing`, `${base}/portal`, `${base}/wpad.dat`, `${base}/never`];
    expect(await findPac(async () => places)).toEqual({ from: `${base}/wpad.dat`, script: SCRIPT });
  });

  it('reports where it looked', async () => {
    const base = await server();
    const message =
      `WPAD found no PAC file: ${base}/missing (the server responded with 404), ${base}/portal (the file there is ` +
      'not a PAC file).';
    await expect(findPac(async () => [`${base}/missing`, `${base}/portal`])).rejects.toMatchObject({
      code: 'proxy.wpad-not-found',
      message: expect.stringContaining(message),
    });
    await expect(findPac(async () => [])).rejects.toMatchObject({ code: 'proxy.wpad-no-domain' });
  });
});
