import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { type FaultName, type FaultOrigin, faultOrigin } from '../support/fault-origin.ts';
import { chromiumPages } from './client-errors/chromium.ts';
import type { FaultyClient } from './client-errors/client.ts';
import { curlClient } from './client-errors/curl.ts';
import { goHttp, grpcGo } from './client-errors/go.ts';
import { grpcJs } from './client-errors/grpc-js.ts';
import { httpx } from './client-errors/httpx.ts';
import { nodeHttp2 } from './client-errors/node-http2.ts';
import { undiciFetch } from './client-errors/undici.ts';

const CLIENTS = [nodeHttp2, undiciFetch, grpcJs, curlClient, chromiumPages, goHttp, grpcGo, httpx];
const CODES = Array.from({ length: 14 }, (_each, code) => code);
const HOWS = ['reset', 'close', ...[0, 2, 11].map((code) => `goaway-${code}`), ...CODES.map((code) => `rst-${code}`)];
const FAULTS = ['before', 'after'].flatMap((when) => HOWS.map((how) => `${when}/${how}` as FaultName));

/** Clients whose version this project pins: what the page says of them holds on each machine. */
const PINNED = new Set([grpcJs.name, grpcGo.name, undiciFetch.name]);

/** The outcomes, with the first outcome of a race in place of its others. */
function settled({ races = {} }: FaultyClient, outcomes: Record<string, string>): Record<string, string> {
  const settle = ([fault, outcome]: [string, string]) => [
    fault,
    races[fault]?.includes(outcome) ? races[fault][0] : outcome,
  ];
  return Object.fromEntries(Object.entries(outcomes).map(settle));
}

/** The last of the errors that an outcome names: the page holds no more. */
function causes(outcomes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(outcomes).map(([fault, outcome]) => [fault, outcome.split(': ').at(-1) ?? '']),
  );
}

/** A client's column of docs/client-errors.md, by fault; null if it has none. */
function documented(name: string): Record<string, string> | null {
  const page = fs.readFileSync(path.join(import.meta.dirname, '../../docs/client-errors.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const at = cells[0]?.indexOf(name) ?? -1;
  return at < 0 ? null : Object.fromEntries(cells.slice(2).map((row) => [row[1] ?? '', row[at] ?? '']));
}

/** What clients report when an HTTP/2 response fails, direct and through Roundtrip. */
describe('a client reports a broken response as it does direct', () => {
  let engine: TestEngine;
  let origin: FaultOrigin;

  beforeAll(async () => {
    origin = await faultOrigin();
    engine = await startTestEngine({ upstreamCaFiles: [origin.caPath] });
  });

  afterAll(async () => {
    await engine.engine.close({ graceMs: 0 });
    origin.close();
  });

  for (const client of CLIENTS) {
    // Long, because some are built or installed first.
    it(client.name, { timeout: 600_000 }, async ({ skip }) => {
      const missing = client.missing();
      if (missing !== null) skip(missing);
      const { port, caPem, caPath } = origin;
      const direct = settled(client, await client.outcomes({ port, caPem, caPath, proxyPort: null }, FAULTS));
      const ours = { caPem: engine.caPem, caPath: engine.caPath };
      const proxied = settled(client, await client.outcomes({ port, ...ours, proxyPort: engine.port }, FAULTS));
      expect(proxied).toEqual(direct);
      if (PINNED.has(client.name)) expect(causes(direct)).toEqual(documented(client.name));
    });
  }
});
