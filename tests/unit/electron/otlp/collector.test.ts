import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Collector } from '../../../../electron/otlp/collector.ts';
import { freePort } from '../../../support/free-port.ts';

type Answer = (response: http.ServerResponse) => void;

const ACCEPT: Answer = (response) => response.end('{}');

/** A collector that gives these answers in turn, the last one for ever. */
async function scripted(...answers: Answer[]) {
  const seen: { path: string; headers: http.IncomingHttpHeaders; body: unknown }[] = [];
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(gunzipSync(Buffer.concat(pieces)).toString());
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    (answers[seen.length - 1] ?? answers.at(-1))?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const never = new AbortController().signal;

describe('a collector', () => {
  it('gets JSON at the signal’s path, with the headers of the environment', async () => {
    const { seen, url } = await scripted(ACCEPT);
    const collector = new Collector(`${url}/base/`, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=c' });
    expect(await collector.send('traces', { resourceSpans: [] }, 3, never)).toBe(0);
    expect(seen).toMatchObject([
      { path: '/base/v1/traces', headers: { 'x-key': 'a b', 'x-other': 'c' }, body: { resourceSpans: [] } },
    ]);
    expect(collector.problem).toBeNull();
  });

  it('is asked again after 429, 503 and a lost connection', async () => {
    const busy: Answer = (response) => response.writeHead(429, { 'retry-after': '0' }).end();
    const away: Answer = (response) => response.writeHead(503, { 'retry-after': '0' }).end();
    const lost: Answer = (response) => response.destroy();
    const { seen, url } = await scripted(busy, away, lost, ACCEPT);
    expect(await new Collector(url, {}).send('traces', {}, 3, never)).toBe(0);
    expect(seen).toHaveLength(4);
  });

  it('that refuses is not asked again, and the refused exchanges are counted', async () => {
    const refused = await scripted((response) => response.writeHead(400).end());
    const collector = new Collector(refused.url, {});
    expect(await collector.send('traces', {}, 3, never)).toBe(3);
    expect(refused.seen).toHaveLength(1);
    expect(collector.problem).toContain('400');
    const partly = await scripted((response) => response.end('{"partialSuccess":{"rejectedSpans":"2"}}'));
    expect(await new Collector(partly.url, {}).send('traces', {}, 3, never)).toBe(2);
  });

  it('that is down or silent delays nobody longer than intended', async () => {
    const ending = new AbortController();
    const silent = await scripted(() => ending.abort());
    expect(await new Collector(silent.url, {}).send('traces', {}, 3, ending.signal)).toBe(3);
    const down = new Collector(`http://127.0.0.1:${await freePort()}`, {});
    const stopping = new AbortController();
    const sent = down.send('traces', {}, 3, stopping.signal);
    await expect.poll(() => down.problem).toContain('ECONNREFUSED');
    stopping.abort();
    expect(await sent).toBe(3);
  });
});
