import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { markExchanges } from '../../../../../electron/session/edit/edit-session.ts';
import { EXPORT_FORMATS } from '../../../../../electron/session/export/export-formats.ts';
import { learnSecrets } from '../../../../../electron/session/export/learn-secrets.ts';
import { framedMessages } from '../../../../../electron/session/format/web-socket-frames.ts';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import type { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionFiller, type WholeExchange } from '../../../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import type { ExportFormatName } from '../../../../../shared/model/export/export-format.ts';
import { EVENT_OPCODE, type MessageMark } from '../../../../../shared/model/message-mark.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const TOKEN = 'secret-token-4711';
const signal = new AbortController().signal;
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function write(...exchanges: WholeExchange[]): string {
  const file = path.join(folder, 'a.roundtrip');
  const writer = SessionWriter.open(file);
  const filler = new SessionFiller(writer);
  for (const exchange of exchanges) filler.add(exchange);
  filler.flush();
  writer.close();
  return file;
}

async function redacted(file: string, format: ExportFormatName): Promise<string> {
  const source = await openSource(file);
  const out = path.join(folder, `out.${format}`);
  const redactor = await learnSecrets(source.reader, [], signal);
  const job = { query: '', window: null, path: out, redactor, creator: { name: 'R', version: '1' } };
  await EXPORT_FORMATS[format](source.reader, job, () => undefined, signal);
  await source.close();
  return out;
}

async function reading<T>(file: string, read: (reader: SessionReader) => T): Promise<T> {
  const source = await openSource(file);
  try {
    return read(source.reader);
  } finally {
    await source.close();
  }
}

/** A response of that type, to a request that contains TOKEN. */
function answer(id: number, type: string, body: Buffer, more: Partial<WholeExchange> = {}): WholeExchange {
  const exchange = exampleExchange({
    id,
    request: { headers: ['Authorization', `Bearer ${TOKEN}`] },
    response: { headers: ['Content-Type', type], body: { size: body.length, stored: 0, complete: true } },
  });
  return { exchange, bodies: { request: null, response: [body] }, marks: [], ...more };
}

function bodyIn(reader: SessionReader, id: number): string {
  return Buffer.concat([...reader.bodyPieces(id, 'response')]).toString('latin1');
}

test.each(['roundtrip', 'har'] as const)('%s: JSON and text over 4 MB are redacted, not left out', async (format) => {
  const long = 'x'.repeat(5 * 1024 * 1024);
  const json = Buffer.from(`{"a":"${long}","password":"other-secret","b":"${TOKEN}","end":true}`);
  const file = write(answer(1, 'application/json', json), answer(2, 'text/html', Buffer.from(`${long}${TOKEN}<end>`)));
  const text = readFileSync(await redacted(file, format), 'latin1');
  expect(text.includes(TOKEN) || text.includes('other-secret')).toBe(false);
  expect(text.match(/REDACTED/g)?.length).toBeGreaterThanOrEqual(5);
  expect(text).toMatch(/REDACTED<end>/);
});

test.each(['roundtrip', 'har'] as const)('%s: a picture is left out only if a secret occurs in it', async (format) => {
  const picture = (text: string) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(`pixels ${text}`)]);
  const out = await redacted(
    write(answer(1, 'image/jpeg', picture('no more')), answer(2, 'image/jpeg', picture(TOKEN))),
    format,
  );
  if (format === 'roundtrip') {
    const bodies = await reading(out, (reader) => [bodyIn(reader, 1), bodyIn(reader, 2)]);
    return expect(bodies).toEqual([picture('no more').toString('latin1'), '']);
  }
  const { entries } = JSON.parse(readFileSync(out, 'utf8')).log;
  expect(entries[0].response.content.text).toBe(picture('no more').toString('base64'));
  expect(entries[1].response.content).toMatchObject({ comment: 'Left out. It is not text, and contains a secret.' });
  expect(entries[1].response.content.text).toBeUndefined();
});

function socket(): WholeExchange {
  const message = (fromClient: boolean, opcode: number, data: string) => {
    return { fromClient, at: 1000, opcode, data: Buffer.from(data, 'latin1'), closeCode: opcode === 8 ? 1000 : null };
  };
  const { bodies, marks } = framedMessages([
    message(true, 1, `{"password":"first-secret","kept":"it"}`),
    message(false, 1, `token ${TOKEN} and first-secret`),
    message(false, 2, `\xff\xfe${TOKEN}\xff`),
    message(false, 8, `\x03\xe8bye ${TOKEN}`),
  ]);
  const info = (bytes: Uint8Array) => ({ size: bytes.length, stored: 0, complete: true });
  const exchange = exampleExchange({
    ...{ id: 1, kind: 'upgrade' },
    request: { headers: ['Authorization', `Bearer ${TOKEN}`], body: info(bodies.request) },
    response: { status: 101, headers: ['Upgrade', 'websocket'], body: info(bodies.response) },
  });
  return { exchange, bodies: { request: [bodies.request], response: [bodies.response] }, marks };
}

const CLEAN = [
  '{"password":"REDACTED","kept":"it"}',
  'token REDACTED and REDACTED',
  '\xff\xfeREDACTED\xff',
  '\x03\xe8bye REDACTED',
];

test('the messages of a WebSocket are redacted in a session, a compressed one too', async () => {
  const whole = socket();
  const plain = Buffer.from(`zipped ${TOKEN}`);
  const packed = deflateRawSync(plain, { finishFlush: 2 }).subarray(0, -4);
  const frame = Buffer.concat([Buffer.from([0xc1, packed.length]), packed]);
  const start = whole.exchange.response?.body.size ?? 0;
  const bodies = { request: whole.bodies.request, response: [...(whole.bodies.response ?? []), frame] };
  const mark: MessageMark = {
    ...{ ordinal: 4, side: 'response', at: 1001, opcode: 1, start, stop: start + frame.length },
    ...{ size: packed.length, compressed: true, closeCode: null },
  };
  const out = await redacted(write({ ...whole, bodies, marks: [...whole.marks, mark] }), 'roundtrip');
  const found = await reading(out, (reader) =>
    [...reader.messages.payloads(reader.get(1), 0, 10)].map(({ payload }) => payload.bytes.toString('latin1')),
  );
  expect(found).toEqual([...CLEAN, 'zipped REDACTED']);
  expect(readFileSync(out).includes(TOKEN)).toBe(false);
});

test('the messages of a WebSocket are redacted in a HAR', async () => {
  const out = JSON.parse(readFileSync(await redacted(write(socket()), 'har'), 'utf8'));
  const [entry] = out.log.entries;
  const base64 = (text: string | undefined) => Buffer.from(text ?? '', 'latin1').toString('base64');
  expect(entry._webSocketMessages.map(({ data }: { data: string }) => data)).toEqual([
    ...CLEAN.slice(0, 2),
    base64(CLEAN[2]),
  ]);
  expect(entry._roundtrip.controlMessages[0].data).toBe(base64(CLEAN[3]));
});

test('server-sent events are redacted, and stay messages', async () => {
  const events = [`data: {"token":"${TOKEN}"}\n\n`, 'data: {"password":"other-secret"}\n\n', 'data: last\n\n'];
  let at = 0;
  const marks = events.map((event, ordinal): MessageMark => {
    const start = at;
    at += event.length;
    const rest = { size: event.length, compressed: false, closeCode: null };
    return { ordinal, side: 'response', at: ordinal, opcode: EVENT_OPCODE, start, stop: at, ...rest };
  });
  const body = Buffer.from(`${events.join('')}: a comment with ${TOKEN}\n`);
  const out = await redacted(write(answer(1, 'text/event-stream', body, { marks })), 'roundtrip');
  const clean = ['data: {"token":"REDACTED"}\n\n', 'data: {"password":"REDACTED"}\n\n', 'data: last\n\n'];
  await reading(out, (reader) => {
    const payloads = [...reader.messages.payloads(reader.get(1), 0, 10)];
    expect(payloads.map(({ payload }) => payload.bytes.toString())).toEqual(clean);
    expect(bodyIn(reader, 1)).toBe(`${clean.join('')}: a comment with REDACTED\n`);
  });
});

test('HAR: a body that can’t be decoded is left out of a redacted export', async () => {
  const body = gzipSync(TOKEN).subarray(3);
  const response = { headers: ['Content-Encoding', 'gzip'], body: { size: body.length, stored: 0, complete: true } };
  const exchange = exampleExchange({ id: 1, response });
  const whole = { exchange, bodies: { request: null, response: [body] }, marks: [] };
  const { log } = JSON.parse(readFileSync(await redacted(write(whole), 'har'), 'utf8'));
  expect(log.entries[0].response.content.comment).toMatch(/^Left out\. It can't be searched for secrets\. /);
});

test.each(['roundtrip', 'har'] as const)('%s: pins, colours and notes stay, without secrets', async (format) => {
  const file = write(answer(1, 'text/plain', Buffer.from('a')), answer(2, 'text/plain', Buffer.from('b')));
  markExchanges(file, [2], { pinned: true, colour: 'green', note: `it was ${TOKEN}` });
  const out = await redacted(file, format);
  const mark = { pinned: true, colour: 'green', note: 'it was REDACTED' };
  expect(await reading(out, (reader) => reader.edits().marks)).toEqual([{ id: 2, mark }]);
});
