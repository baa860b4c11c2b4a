import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { GIGABYTE, gigabyte, MOST_GROWTH, sizeOf } from '../../support/gigabyte.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { peakMemory } from '../../support/peak-memory.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

// A gigabyte takes minutes on a machine that others load.
vi.setConfig({ testTimeout: 900_000 });

/** An HTTP/2 origin that counts what it gets and sends a gigabyte, and an HTTP/2 client that does the same. */
async function start(folder: string, ...actions: object[]) {
  const file = path.join(folder, 'rules.json');
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules: [{ name: 'rule', do: actions }] }));
  const received: { size: number; set: unknown }[] = [];
  const origin = await http2Origin(async (stream, headers) => {
    received.push({ size: await sizeOf(stream), set: headers['x-set'] });
    stream.respond({ ':status': 200 });
    gigabyte().pipe(stream);
  });
  const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--rules', file, '--upstream-ca', origin.caPath], {
    folder,
  });
  const { proxy, ca, pid } = await cli.ready();
  const through = { port: Number(new URL(proxy).port), caPem: fs.readFileSync(ca, 'utf8') };
  const socket = await openSecureTunnel(through, origin.port, ['h2']);
  const client = http2.connect(origin.url, { createConnection: () => socket });
  client.on('error', () => {});
  onTestFinished(() => client.destroy());
  const exchange = async (body: boolean) => {
    const request = client.request({ ':method': body ? 'POST' : 'GET', ':path': '/' }, { endStream: !body });
    request.on('error', () => {});
    if (body) gigabyte().pipe(request);
    const [headers] = (await once(request, 'response')) as [http2.IncomingHttpHeaders];
    return { size: await sizeOf(request), set: headers['x-set'] };
  };
  return { client, exchange, received, pid };
}

const TOO_LARGE = { setHeaders: [['x-set', 'yes']], replaceBody: [{ find: 'x', with: 'y' }] };
const FAST = { throttle: { downKbps: 10_000_000, upKbps: 10_000_000 } };
const ALL = [
  ...[{ changeRequest: TOO_LARGE }, { changeResponse: TOO_LARGE }],
  ...[{ delay: { ms: 1 } }, FAST, { mark: { note: 'large' } }],
];

it('a gigabyte passes over HTTP/2 in each direction through rules of all kinds, with flat memory use', async () => {
  const { exchange, received, pid } = await start(temporaryFolder(), ...ALL);
  const before = peakMemory(pid) ?? 0;
  expect(await exchange(true)).toEqual({ size: GIGABYTE, set: 'yes' });
  expect(received).toEqual([{ size: GIGABYTE, set: 'yes' }]);
  expect((peakMemory(pid) ?? 0) - before).toBeLessThan(MOST_GROWTH);
});

it('half a gigabyte of a file is a rule’s answer over HTTP/2, with flat memory use', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'large.bin');
  fs.writeFileSync(file, '');
  fs.truncateSync(file, GIGABYTE / 2);
  const { exchange, received, pid } = await start(folder, {
    answer: { status: 200, file, ...{ headers: [['x-set', 'yes']] } },
  });
  const before = peakMemory(pid) ?? 0;
  expect(await exchange(false)).toEqual({ size: GIGABYTE / 2, set: 'yes' });
  expect(received).toEqual([]);
  expect((peakMemory(pid) ?? 0) - before).toBeLessThan(MOST_GROWTH);
});

it('a gigabyte that a rule cuts over HTTP/2 ends where the rule says', async () => {
  const bytes = 300 * 1024 * 1024;
  const { client, pid } = await start(temporaryFolder(), { fail: { how: 'truncate', bytes } });
  const before = peakMemory(pid) ?? 0;
  const request = client.request({ ':path': '/' });
  request.on('error', () => {});
  let size = 0;
  request.on('data', (piece: Buffer) => {
    size += piece.length;
  });
  await new Promise((resolve) => request.on('close', resolve));
  // The reset drops what the client has not read, and what does not fit its window at that moment.
  expect(size).toBeLessThanOrEqual(bytes);
  expect(size).toBeGreaterThan(bytes - 1024 * 1024);
  expect((peakMemory(pid) ?? 0) - before).toBeLessThan(MOST_GROWTH);
});
