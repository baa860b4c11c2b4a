import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import * as validate from 'har-validator';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Recorder } from '../../../../../electron/engine/record/recorder.ts';
import type { HarExport } from '../../../../../electron/session/har/har-export.ts';
import { exportHar } from '../../../../../electron/session/har/har-export.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import type { HarEntry } from '../../../../../shared/format/har-types.ts';
import { Redactor } from '../../../../../shared/format/redact/redactor.ts';
import { type ExampleExchange, exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { smallDisk } from '../../../../support/small-disk.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

interface Har {
  log: { pages: { id: string }[]; entries: HarEntry[]; comment?: string; creator: object };
}

let recorder: Recorder;
let reader: SessionReader;
let target: string;

beforeEach(async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a.roundtrip');
  target = join(folder, 'out.har');
  recorder = await startRecorder(path);
  const opened = new SessionReader(path);
  reader = opened;
  onTestFinished(async () => {
    opened.close();
    await recorder.close();
  });
});

function add(of: ExampleExchange = {}, bodies: { request?: Uint8Array; response?: Uint8Array } = {}): number {
  const id = recorder.nextExchangeId();
  record(recorder, exampleExchange({ ...of, id }), bodies);
  return id;
}

const EVERYTHING = { query: '', window: null, redactor: null, creator: { name: 'Roundtrip', version: '0.1.0' } };

/** A HAR that has passed har-validator. */
async function exported(job: Partial<HarExport> = {}): Promise<Har> {
  await recorder.flush();
  const result = await exportHar(
    reader,
    { ...EVERYTHING, path: target, ...job },
    () => {},
    new AbortController().signal,
  );
  const text = readFileSync(target, 'utf8');
  const har = JSON.parse(text);
  await validate.har(har);
  expect(result).toEqual({ exchanges: har.log.entries.length, bytes: Buffer.byteLength(text) });
  return har;
}

async function onlyEntry(job?: Partial<HarExport>): Promise<HarEntry> {
  const { log } = await exported(job);
  expect(log.entries).toHaveLength(1);
  const [entry] = log.entries;
  if (entry === undefined) throw new Error('There is no entry.');
  return entry;
}

test('an empty session is a valid HAR with a page and no entries', async () => {
  const { log } = await exported();
  expect(log.entries).toEqual([]);
  expect(log.pages).toHaveLength(1);
  expect(log.creator).toEqual(EVERYTHING.creator);
});

test('entries in order of arrival, each on the page', async () => {
  for (let n = 0; n < 300; n++) add({ request: { path: `/${n}` } });
  const { log } = await exported();
  expect(log.entries.map((entry) => entry.request.url)).toEqual(
    Array.from({ length: 300 }, (_, n) => `https://api.test/${n}`),
  );
  expect(new Set(log.entries.map((entry) => entry.pageref))).toEqual(new Set(log.pages.map((page) => page.id)));
});

describe('bodies', () => {
  test('text, decoded, with both sizes', async () => {
    const plain = Buffer.from('ünïcode 🎉 "quoted"\\ \u0000 '.repeat(100));
    const coded = zlib.gzipSync(plain);
    add({ response: { headers: ['Content-Type', 'text/plain', 'Content-Encoding', 'gzip'] } }, { response: coded });
    const { response } = await onlyEntry();
    expect(response.content).toEqual({
      size: plain.length,
      compression: plain.length - coded.length,
      mimeType: 'text/plain',
      text: plain.toString(),
    });
    expect(response.bodySize).toBe(coded.length);
  });

  test('binary is base64', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index & 0xff);
    add({ response: { headers: ['Content-Type', 'image/png'] } }, { response: bytes });
    const { content } = (await onlyEntry()).response;
    expect(content).toMatchObject({ encoding: 'base64', size: 1000 });
    expect(Buffer.from(content.text ?? '', 'base64').equals(bytes)).toBe(true);
  });

  test('long texts on both sides, in slices that split no character', async () => {
    const long = `x${'🎉"\n'.repeat(900_000)}`;
    const sent = `y${'ü'.repeat(700_000)}`;
    const bodies = { request: Buffer.from(sent), response: Buffer.from(long) };
    add({ request: { method: 'POST', headers: ['Content-Type', 'text/plain'] } }, bodies);
    const { request, response } = await onlyEntry();
    expect(response.content.text === long).toBe(true);
    expect(request.postData?.text === sent).toBe(true);
    expect(response.content.size).toBe(bodies.response.length);
  });

  test('a form has its fields, even if its bytes are not text', async () => {
    const headers = ['Content-Type', 'multipart/form-data; boundary=B'];
    const body = Buffer.from(
      '--B\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n\u00ff\u00fe\r\n--B--\r\n',
      'latin1',
    );
    add({ request: { method: 'POST', headers } }, { request: body });
    const { postData } = (await onlyEntry()).request;
    expect(postData).toMatchObject({ params: [{ name: 'f', fileName: 'x' }], _encoding: 'base64' });
    expect(Buffer.from(postData?.text ?? '', 'base64').equals(body)).toBe(true);
  });

  test('one over the limit is left out, with a note on where it is', async () => {
    const id = add({}, { response: Buffer.alloc(2000) });
    const { content } = (await onlyEntry({ bodyLimit: 1000 })).response;
    expect(content).not.toHaveProperty('text');
    expect(content.comment).toContain(`in the session file, exchange ${id}`);
    expect(content.size).toBe(2000);
  });

  test('a truncated one has its beginning, and says so', async () => {
    const coded = zlib.gzipSync(Buffer.from('some text '.repeat(1000)));
    add({ response: { headers: ['Content-Encoding', 'gzip'] } }, { response: coded.subarray(0, coded.length - 10) });
    const { content } = (await onlyEntry()).response;
    expect(content.text).toMatch(/^some text /);
    expect(content.comment).toBe('The body ends before its gzip data does.');
  });

  test('one in an unknown coding is unchanged', async () => {
    add({ response: { headers: ['Content-Encoding', 'compress'] } }, { response: Buffer.from('abc') });
    const { content } = (await onlyEntry()).response;
    expect(content).toMatchObject({ text: 'abc', size: 3 });
    expect(content.comment).toContain('"compress" is not supported. Exported without decoding.');
  });
});

describe('many exchanges', () => {
  /** Every tenth is long, every seventh a connection without a request; none has the body of another. */
  function addMixed(count: number): Map<string, string> {
    const bodies = new Map<string, string>();
    for (let n = 0; n < count; n++) {
      const kind = n % 7 === 3 ? 'connection' : 'http';
      const path = `/${n % 2 === 0 ? 'even' : 'odd'}/${n}`;
      const response = `answer ${n} ${'x'.repeat(n % 10 === 0 ? 300_000 : n)}`;
      const of: ExampleExchange = { kind, request: { method: 'POST', path, headers: ['Content-Type', 'text/plain'] } };
      if (kind === 'connection') add(of);
      else add(of, { request: Buffer.from(`request ${n}`), response: Buffer.from(response) });
      if (kind === 'http') bodies.set(path, response);
    }
    return bodies;
  }

  function bodiesOf({ log }: Har): Map<string, string | undefined> {
    return new Map(log.entries.map(({ request, response }) => [new URL(request.url).pathname, response.content.text]));
  }

  test('each has its own short and long bodies', async () => {
    const bodies = addMixed(600);
    const har = await exported();
    expect(bodiesOf(har)).toEqual(bodies);
    const sent = har.log.entries.map(({ request }) => request.postData?.text);
    expect(sent).toEqual([...bodies.keys()].map((path) => `request ${path.split('/')[2]}`));
  });

  test('even if a filter leaves out every other', async () => {
    const bodies = addMixed(300);
    const odd = [...bodies].filter(([path]) => path.startsWith('/odd'));
    expect(bodiesOf(await exported({ query: 'path:/odd' }))).toEqual(new Map(odd));
  });

  test('short bodies are read together, and connections once', async () => {
    for (let n = 0; n < 500; n++) add({}, { response: Buffer.from(`answer ${n}`) });
    const alone = [vi.spyOn(reader, 'get'), vi.spyOn(reader, 'bodySize'), vi.spyOn(reader, 'bodyPieces')];
    const together = [vi.spyOn(reader, 'exchanges'), vi.spyOn(reader, 'bodyStarts')];
    const { log } = await exported();
    expect(log.entries).toHaveLength(500);
    expect(alone.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    for (const { mock } of together) expect(mock.calls.length).toBeLessThan(500 / 25);
  });

  test('all of thousands are counted, however they are chosen, and the first start is found', async () => {
    const startedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 6) + 0.007;
    for (let n = 0; n < 5100; n++) {
      const kind = n % 1000 === 3 ? 'connection' : 'http';
      add({ kind, startedAt: n === 5050 ? startedAt : startedAt + 1 + n });
    }
    for (const query of ['', 'host:api.test']) {
      const { log } = await exported({ query });
      expect(log.entries).toHaveLength(5094);
      expect(log.comment).toContain('6 connections');
      expect(log.pages[0]).toMatchObject({ startedDateTime: '2026-01-02T03:04:05.006Z' });
    }
    const totals: number[] = [];
    await exportHar(
      reader,
      { ...EVERYTHING, path: target },
      (_, total) => totals.push(total),
      new AbortController().signal,
    );
    expect(new Set(totals)).toEqual(new Set([5094]));
  });

  test('those that arrive while it writes are left out', async () => {
    for (let n = 0; n < 300; n++) add();
    await recorder.flush();
    let late = false;
    const result = await exportHar(
      reader,
      { ...EVERYTHING, path: target },
      () => {
        if (!late) add();
        late = true;
      },
      new AbortController().signal,
    );
    await recorder.flush();
    expect(result.exchanges).toBe(300);
    expect(reader.info().exchanges).toBe(301);
  });

  test('one that is still open has its body as far as it arrived', async () => {
    const id = recorder.nextExchangeId();
    const open = exampleExchange({ id, state: 'open' });
    recorder.changed(open);
    const message = open.response;
    if (message === null) throw new Error('There is no response.');
    for (const piece of ['first ', 'second']) {
      message.body.size += piece.length;
      recorder.bodyPiece(open, 'response', Buffer.from(piece));
      recorder.changed(open);
      await recorder.flush();
    }
    expect((await onlyEntry()).response.content.text).toBe('first second');
  });

  test('a body that was stored in many pieces, short ones and a long one among them, is whole', async () => {
    const id = recorder.nextExchangeId();
    const exchange = exampleExchange({ id, state: 'open' });
    recorder.changed(exchange);
    const message = exchange.response;
    if (message === null) throw new Error('There is no response.');
    const pieces = Array.from({ length: 50 }, (_, n) => `piece ${n} ${'x'.repeat(n === 20 ? 600_000 : 10)}`);
    for (const piece of pieces) {
      message.body.size += piece.length;
      recorder.bodyPiece(exchange, 'response', Buffer.from(piece));
      await recorder.flush();
    }
    recorder.ended(exchange);
    expect((await onlyEntry()).response.content.text === pieces.join('')).toBe(true);
  });
});

test('a failure is an entry with status 0 and its code', async () => {
  const failure = { code: 'upstream.refused', side: 'upstream', message: 'No.', cause: 'ECONNREFUSED' } as const;
  add({ state: 'failed', response: null, failure, upstream: null, attempts: [] });
  expect((await onlyEntry()).response).toMatchObject({ status: 0, _error: 'upstream.refused', bodySize: 0 });
});

test('a connection without a request has no entry, but is counted', async () => {
  add({ kind: 'connection', state: 'failed', response: null });
  add();
  const { log } = await exported();
  expect(log.entries).toHaveLength(1);
  expect(log.comment).toBe('1 connection carried no request and has no entry.');
});

test('only what the query and the window choose', async () => {
  add({ startedAt: 1000, request: { method: 'POST' } });
  add({ startedAt: 2000, request: { method: 'POST', path: '/wanted' } });
  add({ startedAt: 2000 });
  add({ startedAt: 3000, request: { method: 'POST' } });
  const entry = await onlyEntry({ query: 'method:POST', window: { from: 1500, to: 2500 } });
  expect(entry.request.url).toBe('https://api.test/wanted');
});

test('redacted: no secret in the whole file, and the bodies else as they were', async () => {
  const headers = ['Content-Type', 'application/json', 'Authorization', 'Bearer s3cr3t', 'Cookie', 'sid=s3cr3t'];
  const body = Buffer.from('{"password":"s3cr3t","page":1}');
  const request = { method: 'POST', headers, path: '/?token=s3cr3t' };
  add({ request, response: { headers } }, { request: body, response: body });
  const { request: written } = await onlyEntry({ redactor: new Redactor() });
  expect(readFileSync(target, 'utf8')).not.toContain('s3cr3t');
  expect(written.postData?.text).toBe('{"password":"REDACTED","page":1}');
  expect(written.cookies).toEqual([{ name: 'sid', value: 'REDACTED' }]);
});

describe('when it fails', () => {
  const never = new AbortController().signal;

  function leftovers(): string[] {
    return readdirSync(dirname(target)).filter((name) => name.startsWith('out.har'));
  }

  test('cancelled: it rejects, and leaves what was there', async () => {
    for (let n = 0; n < 50; n++) add();
    await recorder.flush();
    writeFileSync(target, 'older');
    const cancelling = new AbortController();
    const seen: [number, number][] = [];
    const running = exportHar(
      reader,
      { ...EVERYTHING, path: target },
      (written, total) => {
        seen.push([written, total]);
        if (written === 10) cancelling.abort();
      },
      cancelling.signal,
    );
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen.at(-1)).toEqual([10, 50]);
    expect(readFileSync(target, 'utf8')).toBe('older');
    expect(leftovers()).toEqual(['out.har']);
  });

  test('a path that cannot be written', async () => {
    const path = join(target, 'no', 'such.har');
    const running = exportHar(reader, { ...EVERYTHING, path }, () => {}, never);
    await expect(running).rejects.toMatchObject({ code: 'har.write-failed', failure: { cause: 'ENOENT' } });
  });

  test('a full disk: it reports that, and leaves nothing', async () => {
    const disk = smallDisk(1);
    if (disk === null) return;
    for (let n = 0; n < 30; n++) add({}, { response: randomBytes(100_000) });
    await recorder.flush();
    const path = join(disk.folder, 'out.har');
    const running = exportHar(reader, { ...EVERYTHING, path }, () => {}, never);
    await expect(running).rejects.toMatchObject({ code: 'har.write-failed', failure: { cause: 'ENOSPC' } });
    expect(readdirSync(disk.folder)).toEqual([]);
  });

  test('a query that cannot be read', async () => {
    const running = exportHar(reader, { ...EVERYTHING, path: target, query: 'status:' }, () => {}, never);
    await expect(running).rejects.toMatchObject({ code: 'har.write-failed' });
    expect(existsSync(target)).toBe(false);
  });

  test('a session that is cleared meanwhile', async () => {
    for (let n = 0; n < 5; n++) add({}, { response: Buffer.alloc(300_000, 'a') });
    await recorder.flush();
    let cleared: Promise<void> | undefined;
    const running = exportHar(reader, { ...EVERYTHING, path: target }, () => (cleared ??= recorder.clear()), never);
    await expect(running).rejects.toMatchObject({ code: 'har.write-failed' });
    await cleared;
    expect(leftovers()).toEqual([]);
  });
});
