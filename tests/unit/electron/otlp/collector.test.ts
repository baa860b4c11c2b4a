import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Collector } from '../../../../electron/otlp/collector.ts';
import { freePort } from '../../../support/free-port.ts';
import { ACCEPT, type Responder, scriptedCollector } from '../../../support/scripted-collector.ts';

const BODY = new Uint8Array([1, 2, 3]);
const never = new AbortController().signal;

describe('a collector', () => {
  it('gets the bytes at the signal’s path, with the headers of the environment', async () => {
    const { seen, url } = await scriptedCollector(ACCEPT);
    const collector = new Collector(`${url}/base/`, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=c' });
    expect(await collector.send('traces', BODY, 3, never)).toBe(0);
    expect(seen).toMatchObject([
      {
        path: '/base/v1/traces',
        headers: { 'x-key': 'a b', 'x-other': 'c', 'content-type': 'application/x-protobuf' },
      },
    ]);
    expect([...(seen[0]?.body ?? [])]).toEqual([...BODY]);
    expect(collector.problem).toBeNull();
  });

  it('gets them compressed, unless its address names this machine', async () => {
    const { seen, url } = await scriptedCollector(ACCEPT);
    // Connects to this machine too, which the address does not say.
    await new Collector(url.replace('127.0.0.1', '[::ffff:127.0.0.1]'), {}).send('traces', BODY, 3, never);
    await new Collector(url, {}).send('traces', BODY, 3, never);
    expect(seen.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined]);
    expect([...gunzipSync(seen[0]?.body ?? '')]).toEqual([...BODY]);
  });

  it('is asked again after 429, 503 and a lost connection', async () => {
    const busy: Responder = (response) => response.writeHead(429, { 'retry-after': '0' }).end();
    const away: Responder = (response) => response.writeHead(503, { 'retry-after': '0' }).end();
    const lost: Responder = (response) => response.destroy();
    const { seen, url } = await scriptedCollector(busy, away, lost, ACCEPT);
    expect(await new Collector(url, {}).send('traces', BODY, 3, never)).toBe(0);
    expect(seen).toHaveLength(4);
  });

  it('that refuses is not asked again, and the refused exchanges are counted', async () => {
    const refused = await scriptedCollector((response) => response.writeHead(400).end());
    const collector = new Collector(refused.url, {});
    expect(await collector.send('traces', BODY, 3, never)).toBe(3);
    expect(refused.seen).toHaveLength(1);
    expect(collector.problem).toContain('400');
  });

  it.each<[string, string, number[] | string, number]>([
    ['Protocol Buffers', 'application/x-protobuf', [0x0a, 7, 0x08, 0x82, 0x01, 0x12, 2, 0x6e, 0x6f], 130],
    ['Protocol Buffers without a count', 'application/x-protobuf', [0x0a, 4, 0x12, 2, 0x6e, 0x6f], 0],
    ['Protocol Buffers that end early', 'application/x-protobuf', [0x0a], 0],
    ['JSON', 'application/json', '{"partialSuccess":{"rejectedSpans":"2"}}', 2],
    ['neither', 'text/plain', 'ok', 0],
  ])('that answers in %s says how many it rejected', async (_name, type, received, rejected) => {
    const body = typeof received === 'string' ? received : Buffer.from(received);
    const { url } = await scriptedCollector((response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(await new Collector(url, {}).send('traces', BODY, 200, never)).toBe(rejected);
  });

  it('is asked only so often if attempts are limited, however long it asks to wait', async () => {
    const { seen, url } = await scriptedCollector((response) => response.writeHead(429, { 'retry-after': '0' }).end());
    const retries: unknown[] = [];
    let gaveUp = 0;
    const onGaveUp = () => {
      gaveUp += 1;
    };
    const onRetry = (retry: unknown) => retries.push(retry);
    const collector = new Collector(url, {}, { attempts: 3, onRetry, onGaveUp });
    expect(await collector.send('traces', BODY, 3, never)).toBe(3);
    const problem = 'the collector answered 429';
    expect({ seen: seen.length, gaveUp, problem: collector.problem, retries }).toEqual({
      ...{ seen: 3, gaveUp: 1, problem: `${problem}, in 3 attempts` },
      retries: [
        { problem, attempt: 1, pause: 0 },
        { problem, attempt: 2, pause: 0 },
      ],
    });
  });

  it('that asks for an hour waits half a minute if attempts are limited', async () => {
    const busy: Responder = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    const { url } = await scriptedCollector(busy);
    const stopping = new AbortController();
    const pauses: number[] = [];
    const onRetry = ({ pause }: { pause: number }) => {
      pauses.push(pause);
      stopping.abort();
    };
    await new Collector(url, {}, { attempts: 5, onRetry }).send('traces', BODY, 3, stopping.signal);
    expect(pauses).toEqual([30_000]);
  });

  it('that accepts the connection and never answers is given up', async () => {
    const { seen, url } = await scriptedCollector(() => undefined);
    const collector = new Collector(url, {}, { attempts: 1, patience: 20 });
    expect(await collector.send('traces', BODY, 3, never)).toBe(3);
    expect(seen.length).toBeLessThanOrEqual(1);
    expect(collector.problem).toBe('the collector did not answer, in 1 attempts');
  });

  it('that is down or silent causes no delay beyond its time limit', async () => {
    const ending = new AbortController();
    const silent = await scriptedCollector(() => ending.abort());
    expect(await new Collector(silent.url, {}).send('traces', BODY, 3, ending.signal)).toBe(3);
    const down = new Collector(`http://127.0.0.1:${await freePort()}`, {});
    const stopping = new AbortController();
    const sent = down.send('traces', BODY, 3, stopping.signal);
    await expect.poll(() => down.problem).toContain('ECONNREFUSED');
    stopping.abort();
    expect(await sent).toBe(3);
  });
});
