import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { EXPORT_FORMATS } from '../../../../../electron/session/export/export-formats.ts';
import type { ExportJob } from '../../../../../electron/session/export/export-job.ts';
import { learnSecrets } from '../../../../../electron/session/export/learn-secrets.ts';
import { previewRedaction } from '../../../../../electron/session/export/preview-redaction.ts';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../../../../../shared/model/export/export-format.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { imported } from '../../../../support/imported.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const TOKEN = 'secret-token-4711';
const signal = new AbortController().signal;
let folder: string;
let session: string;

beforeEach(async () => {
  folder = temporaryFolder();
  session = path.join(folder, 'a.roundtrip');
  const recorder = await startRecorder(session);
  const script = gzipSync(`fetch("/x", {token: "${TOKEN}"})`);
  const coded = ['Content-Type', 'text/javascript', 'Content-Encoding', 'gzip'];
  record(recorder, exampleExchange({ id: recorder.nextExchangeId(), response: { headers: coded } }), {
    response: script,
  });
  const authorized = {
    method: 'POST',
    path: '/b',
    headers: ['Authorization', `Bearer ${TOKEN}`, 'Content-Type', 'text/plain'],
  };
  const second = exampleExchange({ id: recorder.nextExchangeId(), request: authorized, response: { status: 404 } });
  record(recorder, second, { request: Buffer.from("it's"), response: Buffer.from('w'.repeat(60)) });
  record(
    recorder,
    exampleExchange({ id: recorder.nextExchangeId(), request: { path: '/=c,"d"' }, response: null, state: 'failed' }),
  );
  await recorder.close();
});

async function exported(format: ExportFormatName, job: Partial<ExportJob> = {}, redact = false): Promise<string> {
  const source = await openSource(session);
  const out = path.join(folder, `out.${format}`);
  try {
    const choice = { query: '', window: null, ...job };
    const redactor = redact ? await learnSecrets(source.reader, [], signal) : null;
    const whole = { ...choice, path: out, redactor, creator: { name: 'Roundtrip', version: '1' }, ...job };
    await EXPORT_FORMATS[format](source.reader, whole, () => undefined, signal);
  } finally {
    await source.close();
  }
  return out;
}

test('CSV: a line of names, a row for each exchange, empty for unknown', async () => {
  const [names, ...rows] = readFileSync(await exported('csv'), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(names).toMatch(/^id,started,kind,state,method,url,status,/);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toContain(',GET,https://api.test/v1/items?page=2,200,http/1.1,text/javascript,0,');
  expect(rows[2]).toContain(',"https://api.test/=c,""d""",,http/1.1,,');
});

test('CSV: a total without any known phase is unknown, not 0', async () => {
  session = path.join(folder, 'untimed.har');
  const request = { method: 'GET', url: 'https://a.test/', headers: [] };
  const response = { status: 200, headers: [], content: {} };
  const entries = [{}, { send: 0, wait: 2, receive: 1 }].map((timings) => ({
    startedDateTime: '2026-11-20T10:00:00Z',
    request,
    response,
    timings,
  }));
  writeFileSync(session, JSON.stringify({ log: { entries } }));
  const [names = '', ...rows] = readFileSync(await exported('csv'), 'utf8')
    .trimEnd()
    .split('\r\n');
  const at = names.split(',').indexOf('total_ms');
  expect(rows.map((row) => row.split(',')[at])).toEqual(['', '3']);
});

test('the preview counts what an export replaces, before it is written', async () => {
  const source = await openSource(session);
  try {
    const job = { query: '', window: null, format: 'har', patterns: ['it.s'] } as const;
    const { exchanges, replaced } = await previewRedaction(source.reader, job, signal);
    expect(exchanges).toBe(3);
    expect(replaced).toContainEqual({ place: 'request header', name: 'Authorization', count: 1 });
    expect(replaced).toContainEqual({ place: 'elsewhere', name: 'the same secrets', count: 1 });
    expect(replaced).toContainEqual({ place: 'pattern', name: 'it.s', count: 1 });
    expect(JSON.stringify(replaced)).not.toContain(TOKEN);
  } finally {
    await source.close();
  }
});

test.each(EXPORT_FORMAT_NAMES)('%s: the preview counts exactly what the export replaces', async (format) => {
  const source = await openSource(session);
  try {
    const redactor = await learnSecrets(source.reader, ['api'], signal);
    const job = { query: '', window: null, path: path.join(folder, 'out'), creator: { name: 'R', version: '1' } };
    await EXPORT_FORMATS[format](source.reader, { ...job, redactor }, () => undefined, signal);
    const preview = await previewRedaction(source.reader, { ...job, format, patterns: ['api'] }, signal);
    expect(preview.replaced).toEqual(redactor.counts());
    const places = preview.replaced.map(({ place }) => place);
    expect(places.includes('request header')).toBe(format !== 'csv');
    expect(places.includes('elsewhere')).toBe(format === 'har' || format === 'roundtrip');
  } finally {
    await source.close();
  }
});

test('a pattern that runs too long ends the preview and the export, and is named', async () => {
  const slow = String.raw`(\w+\w*)+~`;
  const source = await openSource(session);
  const choice = { query: '', window: null };
  try {
    const refusal = { code: 'export.slow-pattern', message: expect.stringContaining(JSON.stringify(slow)) };
    const previewed = { ...choice, format: 'har', patterns: ['it.s', slow] } as const;
    await expect(previewRedaction(source.reader, previewed, signal)).rejects.toMatchObject(refusal);
    const redactor = await learnSecrets(source.reader, [slow], signal);
    const job = { ...choice, path: path.join(folder, 'slow.har'), redactor, creator: { name: 'R', version: '1' } };
    const exporting = EXPORT_FORMATS.har(source.reader, job, () => undefined, signal);
    await expect(exporting).rejects.toMatchObject(refusal);
  } finally {
    await source.close();
  }
  expect(readdirSync(folder)).toEqual(['a.roundtrip']);
});

test('cURL: a script that a shell accepts', async () => {
  const script = await exported('curl', { ids: [{ first: 2, last: 2 }] });
  const text = readFileSync(script, 'utf8');
  expect(text).toContain('# 2: POST https://api.test/b\ncurl \\\n  https://api.test/b');
  expect(text).not.toContain('# 1:');
  expect(text).toContain(`--data-raw 'it'\\''s'`);
  execFileSync('bash', ['-n', script]);
});

test('a smaller session: the chosen exchanges under their ids, with their bodies as recorded', async () => {
  const { exchanges, text } = await imported(await exported('roundtrip', { query: 'status:200' }));
  expect(exchanges).toMatchObject([{ id: 1, client: { remoteAddress: '127.0.0.1:50123' }, upstream: { id: 2 } }]);
  expect(exchanges[0]?.response?.body.decoded).toBeUndefined();
  expect(await text(1, 'response')).toContain(TOKEN);
});

test.each(['roundtrip', 'har', 'curl', 'csv'] as const)('%s: redacted everywhere', async (format) => {
  const out = await exported(format, {}, true);
  expect(readFileSync(out).includes(TOKEN)).toBe(false);
  if (format !== 'roundtrip') return;
  const { text, exchanges } = await imported(out);
  expect(await text(1, 'response')).toBe('fetch("/x", {token: "REDACTED"})');
  expect(exchanges[1]?.request.headers[1]).toBe('Bearer REDACTED');
});

test.each(['roundtrip', 'har'] as const)('%s: a secret that only another exchange names', async (format) => {
  const out = await exported(format, { ids: [{ first: 1, last: 1 }] }, true);
  expect(readFileSync(out).includes(TOKEN)).toBe(false);
});

/** Bodies in which a secret would hide from a search of UTF-8 texts and of their declared types. */
async function recordHidden(): Promise<void> {
  session = path.join(folder, 'hidden.roundtrip');
  const recorder = await startRecorder(session);
  const add = (type: string, request: Buffer, response: Buffer, more: string[] = []) => {
    const id = recorder.nextExchangeId();
    const exchange = exampleExchange({
      ...{ id, request: { method: 'POST', headers: ['Content-Type', type, ...more] } },
      response: { headers: ['Content-Type', type] },
    });
    record(recorder, exchange, { request, response });
  };
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  add('application/json', latin1(`{"n":"\xe9","password":"${TOKEN}"}`), latin1(`{"caf\xe9":"${TOKEN}"}`));
  add('application/grpc', latin1(`\0\0\0\0\xff${TOKEN}\xfe`), latin1(`\xff${TOKEN}`));
  add('application/octet-stream', latin1(`\xff${TOKEN}`), Buffer.from(Buffer.from(`a${TOKEN}`).toString('base64')));
  add('text/plain;charset=UTF-8', Buffer.from('{"pin":"otherSecret"}'), Buffer.from('otherSecret'));
  await recorder.close();
}

test.each(['roundtrip', 'har', 'curl'] as const)('%s: secrets in bodies that are not UTF-8 text', async (format) => {
  await recordHidden();
  const out = await exported(format, {}, true);
  const file = readFileSync(out, 'latin1');
  const decoded = [...file.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)].map(([text]) => Buffer.from(text, 'base64'));
  for (const text of [file, ...decoded.map((bytes) => bytes.toString('latin1'))])
    expect(text).not.toMatch(/secret-token|otherSecret|cret-token-47/);
  if (format !== 'roundtrip') return;
  const { body } = await imported(out);
  expect((await body(2, 'request')).toString('latin1')).toBe('\0\0\0\0\xffREDACTED\xfe');
});

test('cURL: compressed bodies are decoded to be redacted, or left out and named', async () => {
  session = path.join(folder, 'coded.roundtrip');
  const recorder = await startRecorder(session);
  const add = (coding: string, body: Buffer) => {
    const headers = ['Content-Type', 'application/json', 'Content-Encoding', coding];
    const exchange = exampleExchange({ id: recorder.nextExchangeId(), request: { method: 'POST', headers } });
    record(recorder, exchange, { request: body });
  };
  const secret = Buffer.from(`{"token":"${TOKEN}","kept":"it"}`);
  add('gzip', gzipSync(secret));
  add('br', brotliCompressSync(secret));
  add('gzip', gzipSync(secret).subarray(0, 30));
  add('compress', secret);
  await recorder.close();
  const text = readFileSync(await exported('curl', {}, true), 'utf8');
  const found = [...text.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)].map(([each]) => Buffer.from(each, 'base64'));
  expect(found.every((bytes) => bytes[0] !== 0x1f)).toBe(true);
  expect(text).not.toContain(TOKEN);
  expect(text.split(`--data-raw '{"token":"REDACTED","kept":"it"}'`)).toHaveLength(3);
  expect(text).not.toContain('Content-Encoding');
  expect(text.split("# The request body is left out: it can't be searched for secrets. The ")).toHaveLength(3);
  expect(readFileSync(await exported('curl'), 'utf8')).toContain('| base64 -d');
});

test.each(['roundtrip', 'har', 'curl', 'csv'] as const)(
  '%s: a cancelled export leaves the target as it was',
  async (format) => {
    const out = path.join(folder, `out.${format}`);
    writeFileSync(out, 'before');
    const cancelling = new AbortController();
    const source = await openSource(session);
    const job = { query: '', window: null, path: out, redactor: null, creator: { name: 'R', version: '1' } };
    const cancel = () => cancelling.abort(new Error('cancelled'));
    await expect(EXPORT_FORMATS[format](source.reader, job, cancel, cancelling.signal)).rejects.toThrow('cancelled');
    await source.close();
    expect(readFileSync(out, 'utf8')).toBe('before');
    expect(readdirSync(folder).sort()).toEqual(['a.roundtrip', `out.${format}`]);
  },
);

test('a missing folder', async () => {
  await expect(exported('csv', { path: '/nowhere/a.csv' })).rejects.toThrow(
    'The export to /nowhere/a.csv failed: the folder /nowhere does not exist.',
  );
});

test('a session in the place of one that a crash left is read without the log of that one', async () => {
  const live = path.join(folder, 'live.roundtrip');
  const recorder = await startRecorder(live);
  for (let count = 0; count < 5; count += 1)
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: Buffer.alloc(50_000, count) });
  await recorder.flush();
  session = path.join(folder, 'crashed.roundtrip');
  for (const suffix of ['', '-wal']) copyFileSync(live + suffix, session + suffix);
  const ids = [{ first: 2, last: 3 }];
  await exported('roundtrip', { ids, path: session });
  const read = await openSource(session);
  expect(read.reader.page(0, 100).rows.map(({ id }) => id)).toEqual([2, 3]);
  await read.close();
  expect(existsSync(`${session}-wal`)).toBe(false);

  await expect(exported('roundtrip', { path: live })).rejects.toThrow('it is being recorded');
  expect(statSync(`${live}-wal`).size).toBeGreaterThan(5 * 50_000);
  await recorder.close();
});
