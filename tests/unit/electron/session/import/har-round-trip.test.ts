import { existsSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportHar } from '../../../../../electron/session/har/har-export.ts';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import { ConnectionCache } from '../../../../../electron/session/read/connection-cache.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import type { Exchange } from '../../../../../shared/model/exchange.ts';
import { END_REASONS } from '../../../../../shared/model/insight/connection-end.ts';
import { EXAMPLE_CLIENT, EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const CODINGS = { identity: (bytes: Buffer) => bytes, gzip: gzipSync, br: brotliCompressSync };

const phase = fc.oneof(
  fc.constant(-1),
  fc.integer({ min: 0, max: 1e7 }).map((us) => us / 1000),
);
const body = fc.oneof(fc.constant(Buffer.alloc(0)), fc.uint8Array().map(Buffer.from), fc.string().map(Buffer.from));
const field = fc.tuple(fc.stringMatching(/^X-[A-Za-z0-9]{1,8}$/), fc.stringMatching(/^[!-~]{0,12}$/));

const exchange = fc.record({
  kind: fc.constantFrom('http' as const, 'tunnel' as const),
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  path: fc.stringMatching(/^\/[!-"$-~]{0,20}$/),
  startedAt: fc.integer({ min: 1e15, max: 2e15 }).map((us) => us / 1000),
  timings: fc.record({
    ...{ blocked: phase, failedTries: phase, dns: phase, connect: phase, ssl: phase, send: phase, wait: phase },
    ...{ receive: phase, overheadRequest: phase, overheadResponse: phase },
  }),
  headers: fc.array(field).map((fields) => fields.flat()),
  coding: fc.constantFrom(...(Object.keys(CODINGS) as (keyof typeof CODINGS)[])),
  request: body,
  response: fc.oneof(fc.constant(null), body),
  status: fc.constantFrom(200, 206, 404, 500),
  failed: fc.boolean(),
  replayOf: fc.option(fc.record({ session: fc.uuid(), exchange: fc.integer({ min: 1, max: 1e6 }) })),
  port: fc.constantFrom(443, 8443),
  end: fc.option(
    fc.record({
      at: fc.integer({ min: 1e15, max: 2e15 }).map((us) => us / 1000),
      by: fc.constantFrom(...(['client', 'upstream', 'us'] as const)),
      why: fc.constantFrom(...END_REASONS),
      code: fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 })),
      windowBlocked: fc.integer({ min: 0, max: 1e6 }),
      closedWindows: fc.array(fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 })), {
        minLength: 1,
      }),
    }),
  ),
});
type Drawn = Parameters<Parameters<typeof exchange.map>[0]>[0];

function exchangeOf(id: number, drawn: Drawn): Exchange {
  const { headers, coding, port, failed, response, status, request, kind, end, ...rest } = drawn;
  const ended = end === null ? {} : { end };
  const isTunnel = kind === 'tunnel';
  const authority = port === 443 ? 'api.test' : `api.test:${port}`;
  const failure = { code: 'upstream.reset', side: 'upstream' as const, message: 'It broke.', cause: 'ECONNRESET' };
  const upstream = { ...EXAMPLE_UPSTREAM, id: id * 2 + 2, reused: false, ...ended };
  return exampleExchange({
    id,
    kind,
    startedAt: rest.startedAt,
    replayOf: rest.replayOf,
    timings: rest.timings,
    client: { ...EXAMPLE_CLIENT, id: id * 2 + 1, reused: false, ...ended },
    upstream: failed ? null : upstream,
    attempts: [
      { startedAfter: 0, duration: 1, connection: failed ? null : upstream, failure: null, retryReason: null },
    ],
    state: failed ? 'failed' : 'complete',
    failure: failed ? failure : null,
    request: {
      ...{
        method: isTunnel ? 'CONNECT' : rest.method,
        path: isTunnel ? `api.test:${port}` : rest.path,
        authority,
        port,
      },
      headers: ['Host', 'api.test', ...headers, ...(coding === 'identity' ? [] : ['Content-Encoding', coding])],
    },
    response: response && {
      status,
      headers: [...headers, 'Content-Type', 'x/y', ...(coding === 'identity' ? [] : ['content-encoding', coding])],
    },
  });
}

/** An exchange with its decoded bodies; what HAR has no form for is left out: the coded bytes. */
async function contentOf(reader: SessionReader): Promise<unknown[]> {
  const exchanges = reader.exchanges(reader.page(0, 1000).rows, new ConnectionCache());
  const contents = exchanges.map(async (one) => {
    const bytes = async (side: 'request' | 'response') => {
      if (one.kind === 'tunnel') return null;
      const range = await reader.readBody({ id: one.id, side, form: 'decoded', offset: 0, length: 65_536 });
      return range.data;
    };
    const bodies = [await bytes('request'), one.response && (await bytes('response'))];
    for (const message of [one.request, one.response]) if (message) delete message.body.decoded;
    for (const message of [one.request, one.response]) if (message) message.body.stored = 0;
    return { ...one, bodies };
  });
  return await Promise.all(contents);
}

test('a session exported to HAR and imported again has the same exchanges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(exchange, { maxLength: 6 }), async (drawn) => {
      const folder = temporaryFolder();
      const recorder = await startRecorder(path.join(folder, 'a.roundtrip'));
      for (const [index, one] of drawn.entries()) {
        const encode = one.kind === 'tunnel' ? CODINGS.identity : CODINGS[one.coding];
        const request = one.request.length > 0 ? { request: encode(one.request) } : {};
        const response = one.response && one.response.length > 0 ? { response: encode(one.response) } : {};
        recorder.nextExchangeId();
        record(recorder, exchangeOf(index + 1, one), { ...request, ...response });
      }
      await recorder.close();
      using read = closing(new SessionReader(path.join(folder, 'a.roundtrip')));
      const har = path.join(folder, 'a.har');
      const all = { query: '', window: null, redactor: null, creator: { name: 'Roundtrip', version: '0' }, path: har };
      await exportHar(read.it, all, () => undefined, new AbortController().signal);

      const source = await openSource(har);
      try {
        expect(source.faults).toEqual([]);
        expect(await contentOf(source.reader)).toEqual(await contentOf(read.it));
      } finally {
        await source.close();
      }
      expect(existsSync(source.path)).toBe(false);
    }),
    { numRuns: 15 },
  );
});
