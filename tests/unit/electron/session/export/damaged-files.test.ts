import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { compareFiles } from '../../../../../electron/session/compare/compare-files.ts';
import { EXPORT_FORMATS } from '../../../../../electron/session/export/export-formats.ts';
import { learnSecrets } from '../../../../../electron/session/export/learn-secrets.ts';
import { previewRedaction } from '../../../../../electron/session/export/preview-redaction.ts';
import { type OpenedSource, openSource } from '../../../../../electron/session/import/open-source.ts';
import { SessionFacts } from '../../../../../electron/session/insight/session-facts.ts';
import { ParquetExport } from '../../../../../electron/session/parquet/parquet-export.ts';
import { searchSession } from '../../../../../electron/session/search/search-session.ts';
import { SessionFiller } from '../../../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import { EXPORT_FORMAT_NAMES } from '../../../../../shared/model/export/export-format.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const EXCHANGES = 300;
const signal = new AbortController().signal;
const ALL = { query: '', window: null };
let folder: string;
let file: string;

/** In one transaction: each run yields the same pages. */
beforeEach(() => {
  folder = temporaryFolder();
  file = path.join(folder, 'a.roundtrip');
  const writer = SessionWriter.open(file);
  const filler = new SessionFiller(writer);
  const coded = ['Content-Type', 'application/json', 'Content-Encoding', 'gzip'];
  for (let id = 1; id <= EXCHANGES; id += 1) {
    const isCoded = id % 3 === 0;
    const text = Buffer.from(`{"id":${id},"token":"secret-token-${id}","text":"${'word '.repeat(50)}"}`);
    const sent = isCoded ? gzipSync(text) : text;
    const body = { size: sent.length, stored: 0, complete: true };
    const response = isCoded ? { headers: coded, body } : { body };
    const exchange = exampleExchange({
      id,
      request: { method: 'POST', body: { ...body, size: text.length } },
      response,
    });
    filler.add({ exchange, bodies: { request: [text], response: [sent] }, marks: [] });
  }
  filler.flush();
  writer.close();
});

/** Every operation on a session, by name; each resolves with the number of exchanges it has seen. */
function works({ reader }: OpenedSource): Record<string, () => Promise<number>> {
  const creator = { name: 'R', version: '1' };
  const exported = EXPORT_FORMAT_NAMES.flatMap((format) =>
    [false, true].map((redact) => {
      const work = async () => {
        const redactor = redact ? await learnSecrets(reader, [], signal) : null;
        const job = { ...ALL, path: path.join(folder, `out.${format}`), redactor, creator };
        return (await EXPORT_FORMATS[format](reader, job, () => undefined, signal)).exchanges;
      };
      return [redact ? `${format}, redacted` : format, work] as const;
    }),
  );
  return {
    ...Object.fromEntries(exported),
    preview: async () => (await previewRedaction(reader, { ...ALL, format: 'har', patterns: [] }, signal)).exchanges,
    facts: async () => (await new SessionFacts(reader).read()).length,
    parquet: async () => {
      const job = { path: path.join(folder, 'out.parquet'), query: '', bodies: true, creator: 'R', signal };
      const parquet = await ParquetExport.create(job);
      await parquet.add(reader, 'a', null);
      return (await parquet.finish()).exchanges;
    },
  };
}

/** Runs all of them, and resolves with the number of exchanges that each has seen, which must be the same. */
async function workOn(source: OpenedSource): Promise<number> {
  const counts: number[] = [];
  for (const work of Object.values(works(source))) counts.push(await work());
  expect(new Set(counts).size).toBe(1);
  await searchSession(source.reader, 'body:nothing', () => undefined, signal);
  await compareFiles(source.reader, source.reader, { queries: [], changes: [] }, 10);
  return counts[0] ?? 0;
}

/** Changes rows with SQL, as no program of ours does. */
function damage(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test('rows with damaged text are left out of every export, counted and named; the others are exported', async () => {
  damage(`
    UPDATE exchange SET row = replace(row, '"POST"', '"POST') WHERE id IN (3, 7);
    UPDATE exchange SET row = json_set(row, '$[0]', 4711) WHERE id = 20;
    UPDATE exchange SET row = json_set(row, '$[4]', 'never') WHERE id = 300;
    UPDATE detail SET row = substr(row, 2) WHERE exchange = 21;
    UPDATE detail SET row = json_remove(row, '$[0][1]') WHERE exchange = 22;
    UPDATE detail SET row = json_set(row, '$[1][2]', json('[1, 2]')) WHERE exchange = 23;
    UPDATE detail SET row = json_set(row, '$[5]', 0) WHERE exchange = 24;
    UPDATE connection SET tls = 'x', protocol = 5;
    DELETE FROM detail WHERE exchange = 25`);
  const source = await openSource(file);
  try {
    expect(await workOn(source)).toBe(EXCHANGES - 9);
    expect([...source.reader.damaged].sort((a, b) => a - b)).toEqual([3, 7, 20, 21, 22, 23, 24, 25, 300]);
    expect(source.faults.map(({ message }) => message)).toEqual([
      '9 exchanges of the session are damaged and left out. ' +
        'Use a copy of the session file that was made earlier to get all of them.',
    ]);
    for (const id of [21, 25])
      expect(() => source.reader.get(id)).toThrow(`Exchange ${id} is damaged in the session file.`);
  } finally {
    await source.close();
  }
});

test.each([1, 2, 7, 1000])('pages of %i rows count each damaged row once', async (limit) => {
  damage("UPDATE exchange SET row = 'x' WHERE id IN (1, 7, 8, 9, 10, 14, 299, 300)");
  const source = await openSource(file);
  let [seen, bad, after] = [0, 0, 0];
  for (let more = true; more; ) {
    const page = source.reader.page(after, limit);
    seen += page.rows.length;
    bad += page.badRows;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
  await source.close();
  expect([seen, bad]).toEqual([EXCHANGES - 8, 8]);
});

test('a page of nothing but damaged rows does not end the reading', async () => {
  damage("UPDATE exchange SET row = 'x' WHERE id <= 280");
  const source = await openSource(file);
  expect(await workOn(source)).toBe(20);
  await source.close();
});

/** Repeatable numbers from 0 to 1 that look random. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes that hold the header and the schema: without them there is no file to read. */
const SCHEMA = 16_384;

test.each([1, 2, 3, 4])('80 flipped bits, seed %i: what can be read is exported in each format', async (seed) => {
  const bytes = readFileSync(file);
  const next = numbersFrom(seed * 7919);
  for (let flip = 0; flip < 80; flip += 1) {
    const at = SCHEMA + Math.floor(next() * (bytes.length - SCHEMA));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
  }
  writeFileSync(file, bytes);
  const source = await openSource(file);
  try {
    expect(await workOn(source)).toBeGreaterThan(0);
    for (const { message } of source.faults) expect(message).toMatch(/damaged/);
  } finally {
    await source.close();
  }
});
