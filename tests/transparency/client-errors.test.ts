import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { type FaultName, type FaultOrigin, faultOrigin } from '../support/fault-origin.ts';
import { curlClient } from './client-errors/curl.ts';
import { grpcJs } from './client-errors/grpc-js.ts';
import { nodeHttp2 } from './client-errors/node-http2.ts';

const CODES = Array.from({ length: 14 }, (_each, code) => code);
const HOWS = ['reset', 'close', ...[0, 2, 11].map((code) => `goaway-${code}`), ...CODES.map((code) => `rst-${code}`)];
const FAULTS = ['before', 'after'].flatMap((when) => HOWS.map((how) => `${when}/${how}` as FaultName));

/** What clients report of an HTTP/2 answer that breaks, direct and through Roundtrip. */
describe('a client reports the same of an answer that breaks', () => {
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

  for (const client of [nodeHttp2, grpcJs, curlClient]) {
    it.skipIf(client.missing() !== null)(client.name, { timeout: 120_000 }, async () => {
      const { port, caPem, caPath } = origin;
      const direct = await client.outcomes({ port, caPem, caPath, proxyPort: null }, FAULTS);
      const ours = { caPem: engine.caPem, caPath: engine.caPath };
      const proxied = await client.outcomes({ port, ...ours, proxyPort: engine.port }, FAULTS);
      expect(proxied).toEqual(direct);
    });
  }
});
