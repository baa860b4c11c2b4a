import { existsSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markExchanges } from '../../../../../electron/session/edit/edit-session.ts';
import { framedMessages } from '../../../../../electron/session/format/web-socket-frames.ts';
import { exportHar } from '../../../../../electron/session/har/har-export.ts';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import { ConnectionCache } from '../../../../../electron/session/read/connection-cache.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionFiller } from '../../../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import type { Exchange } from '../../../../../shared/model/exchange.ts';
import { END_REASONS } from '../../../../../shared/model/insight/connection-end.ts';
import { MARK_COLOURS } from '../../../../../shared/model/rule/actions.ts';
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

const TLS = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', serverName: 'api.test', certificate: null };
const HINT = { status: 103, statusText: 'Early Hints' };
const fields = fc.array(field, { maxLength: 4 }).map((drawn) => drawn.flat());

const exchange = fc.record({
  ...{ requestTrailers: fields, responseTrailers: fields, hints: fc.array(fields, { maxLength: 2 }) },
  protocol: fc.constantFrom('http/1.0' as const, 'http/1.1' as const, 'h2' as const),
  resumed: fc.boolean(),
  retried: fc.boolean(),
  kind: fc.constantFrom('http' as const, 'tunnel' as const),
  userMark: fc.option(
    fc.record({
      pinned: fc.boolean(),
      colour: fc.option(fc.constantFrom(...MARK_COLOURS)),
      note: fc.string({ unit: 'binary' }),
    }),
  ),
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
  const { headers, coding, port, failed, response, status, request, kind, end, protocol, ...rest } = drawn;
  const httpVersion = { 'http/1.0': 'HTTP/1.0', 'http/1.1': 'HTTP/1.1', h2: 'HTTP/2.0' }[protocol];
  const tls = { ...TLS, alpn: protocol, resumed: rest.resumed };
  const hints = rest.hints.map((hint) => ({ ...HINT, headers: hint }));
  const ended = end === null ? {} : { end };
  const isTunnel = kind === 'tunnel';
  const authority = port === 443 ? 'api.test' : `api.test:${port}`;
  const failure = { code: 'upstream.reset', side: 'upstream' as const, message: 'It broke.', cause: 'ECONNRESET' };
  const upstream = { ...EXAMPLE_UPSTREAM, id: id * 2 + 2, protocol, tls, reused: false, ...ended };
  const tries = rest.retried ? [{ failure, retryReason: 'reused-connection-closed' }] : [];
  return exampleExchange({
    id,
    kind,
    startedAt: rest.startedAt,
    replayOf: rest.replayOf,
    timings: rest.timings,
    client: { ...EXAMPLE_CLIENT, id: id * 2 + 1, protocol, reused: false, ...ended },
    upstream: failed ? null : upstream,
    attempts: [
      ...tries.map((each) => ({ startedAfter: 0, duration: 0.5, connection: null, ...each })),
      { startedAfter: 0, duration: 1, connection: failed ? null : upstream, failure: null, retryReason: null },
    ],
    state: failed ? 'failed' : 'complete',
    failure: failed ? failure : null,
    request: {
      ...{
        method: isTunnel ? 'CONNECT' : rest.method,
        path: isTunnel ? `api.test:${port}` : rest.path,
        authority,
        ...{ port, httpVersion, trailers: rest.requestTrailers },
      },
      headers: ['Host', 'api.test', ...headers, ...(coding === 'identity' ? [] : ['Content-Encoding', coding])],
    },
    response: response && {
      ...{ status, httpVersion, trailers: rest.responseTrailers, informational: hints },
      headers: [...headers, 'Content-Type', 'x/y', ...(coding === 'identity' ? [] : ['content-encoding', coding])],
    },
  });
}

/** An exchange with its decoded bodies; what HAR can't represent is left out: the coded bytes. */
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
      for (const [index, { userMark }] of drawn.entries())
        if (userMark) markExchanges(path.join(folder, 'a.roundtrip'), [index + 1], userMark);
      using read = closing(new SessionReader(path.join(folder, 'a.roundtrip')));
      const har = path.join(folder, 'a.har');
      const all = { query: '', window: null, redactor: null, creator: { name: 'Roundtrip', version: '0' }, path: har };
      await exportHar(read.it, all, () => undefined, new AbortController().signal);

      const source = await openSource(har);
      try {
        expect(source.faults).toEqual([]);
        expect(await contentOf(source.reader)).toEqual(await contentOf(read.it));
        expect(source.reader.edits().marks).toEqual(read.it.edits().marks);
      } finally {
        await source.close();
      }
      expect(existsSync(source.path)).toBe(false);
    }),
    { numRuns: 15 },
  );
});

const message = fc.record({
  fromClient: fc.boolean(),
  at: fc.integer({ min: 1e15, max: 2e15 }).map((us) => us / 1000),
  frame: fc.oneof(
    fc.record({ opcode: fc.constant(1), data: fc.string().map(Buffer.from) }),
    fc.record({ opcode: fc.constantFrom(2, 9, 10), data: fc.uint8Array({ maxLength: 120 }).map(Buffer.from) }),
    fc.record({ opcode: fc.constant(8), data: fc.constant(Buffer.from([0x03, 0xe9, 0x62, 0x79, 0x65])) }),
  ),
});

test('so has a WebSocket, with its messages and control frames in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (drawn) => {
      const folder = temporaryFolder();
      const [file, har] = [path.join(folder, 'a.roundtrip'), path.join(folder, 'a.har')];
      const writer = SessionWriter.open(file);
      const filler = new SessionFiller(writer);
      const { bodies, marks } = framedMessages(
        drawn.map(({ frame, ...rest }) => ({ ...rest, ...frame, closeCode: frame.opcode === 8 ? 1001 : null })),
      );
      const sides = { request: [bodies.request], response: [bodies.response] };
      filler.add({ exchange: exampleExchange({ kind: 'upgrade', response: { status: 101 } }), bodies: sides, marks });
      filler.flush();
      writer.close();
      using read = closing(new SessionReader(file));
      const all = { query: '', window: null, redactor: null, creator: { name: 'Roundtrip', version: '0' }, path: har };
      await exportHar(read.it, all, () => undefined, new AbortController().signal);
      const source = await openSource(har);
      try {
        const messages = (reader: SessionReader) => reader.messages.page({ id: 1, from: 0, limit: 100 }).messages;
        const times = (reader: SessionReader) => messages(reader).map(({ at }) => Math.round(at));
        const rest = (reader: SessionReader) => messages(reader).map((each) => ({ ...each, at: 0 }));
        expect(rest(source.reader)).toEqual(rest(read.it));
        expect(times(source.reader)).toEqual(times(read.it));
        expect(messages(read.it)).toHaveLength(drawn.length);
      } finally {
        await source.close();
      }
    }),
    { numRuns: 15 },
  );
});
