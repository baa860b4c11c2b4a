import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { importFiles } from '../../../electron/session/import/import-files.ts';
import { freePort } from '../../support/free-port.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { type ReadSpan, resourceIn, spansIn } from '../../support/otlp-request.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BODY = 'what-people-typed';

function entry(url: string, status = 200): object {
  return {
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 12,
    request: {
      ...{ method: 'POST', url, httpVersion: 'HTTP/1.1', headers: [{ name: 'x-typed', value: BODY }] },
      postData: { mimeType: 'text/plain', text: BODY },
    },
    response: { status, httpVersion: 'HTTP/1.1', content: { text: BODY, mimeType: 'text/plain' } },
  };
}

/** A HAR with two hosts. */
let good = '';
/** A session file with one exchange. */
let session = '';
/** A HAR with one good entry and one that can't be imported. */
let halfBad = '';
/** A HAR that does not tell how long its exchange took. */
let untimed = '';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-warehouse-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const write = (name: string, ...entries: object[]): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, JSON.stringify({ log: { entries } }));
    return file;
  };
  good = write('good.har', entry('https://a.test/users/1'), entry('https://b.test/', 500));
  halfBad = write('half.har', entry('https://a.test/half'), entry('blob:x'));
  untimed = write('untimed.har', { ...entry('https://a.test/'), time: -1 });
  session = path.join(folder, 'build-7.roundtrip');
  const one = write('one.har', entry('https://a.test/users/2'));
  const { signal } = new AbortController();
  await importFiles({ files: [one], session, onFault: () => undefined, onProgress: () => undefined, signal });
});

interface Received {
  path: string;
  text: string;
  spans: (ReadSpan & { session: string })[];
}

/** Answers with these statuses in turn, the last one forever. The next attempt need not wait. */
async function sink(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const sent = await buffer(request);
    const where = request.url ?? '';
    const session = JSON.stringify(resourceIn(sent));
    const spans = where === '/v1/traces' ? spansIn(sent).map((span) => ({ ...span, session })) : [];
    received.push({ path: where, text: sent.toString('latin1'), spans });
    const status = statuses[received.length - 1] ?? statuses.at(-1) ?? 200;
    response.writeHead(status, { 'retry-after': '0' }).end();
  });
  const port = await listenInTest(server);
  return { url: `http://127.0.0.1:${port}`, received };
}

const CLIENT = 3;

describe('export --format otlp', () => {
  const otlp = (to: string, ...args: string[]) => runRoundtrip(['export', ...args, '--format', 'otlp', '--to', to]);

  it('sends the matching exchanges of each SOURCE as its own session, without bodies and headers', async () => {
    const { url, received } = await sink();
    const { exitCode, stdout, stderr } = await otlp(url, good, session, '--filter', 'host:a.test', '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ event: 'done', format: 'otlp', to: url, exported: 2, dropped: 0 });
    expect(received.map((each) => each.path)).toEqual(['/v1/traces', '/v1/metrics', '/v1/traces', '/v1/metrics']);
    const spans = received.flatMap((each) => each.spans).filter(({ kind }) => kind === CLIENT);
    expect(spans.map(({ name }) => name)).toEqual(['POST /users/{id}', 'POST /users/{id}']);
    expect(new Set(spans.map((span) => span.session)).size).toBe(2);
    for (const { text } of received) expect(text).not.toContain(BODY);
  });

  it('exits 1 if a part of a SOURCE could not be read, and sends the rest that has times', async () => {
    const { url, received } = await sink();
    expect(await otlp(url, halfBad, untimed)).toMatchObject({
      exitCode: 1,
      stdout: `${url}: 1 exchange exported\n`,
      stderr: expect.stringMatching(/entry 2.*: 1 exchange without times left out\n$/s),
    });
    expect(received.flatMap((each) => each.spans).filter(({ kind }) => kind === CLIENT)).toHaveLength(1);
  });

  it('exits with 1 if the collector refuses, and reports how many are missing', async () => {
    const { url } = await sink(400);
    const { exitCode, stderr } = await otlp(url, good);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^roundtrip: 2 exchanges were not exported to \S+ .*answered 400.*\n$/),
    });
  });

  it('gives up a collector that is down after five attempts, and counts what is missing of all SOURCEs', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { exitCode, stdout, stderr } = await otlp(url, good, session, '--filter', 'host:a.test');
    const lines = stderr.trimEnd().split('\n');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: `${url}: 0 exchanges exported\n` });
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/ECONNREFUSED.*; attempt 2 of 5 in 0\.5 s$/);
    expect(lines[4]).toMatch(/^roundtrip: 2 exchanges were not exported to .* \(0 were\): .*, in 5 attempts\. /);
  });

  it('gives up on a collector that stays busy, and counts what it accepted before', async () => {
    const { url, received } = await sink(200, 200, 429);
    const { exitCode, stdout, stderr } = await otlp(url, session, good, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ event: 'done', format: 'otlp', to: url, exported: 1, dropped: 2 });
    expect(stderr).toMatch(
      /^roundtrip: 2 exchanges were not exported to \S+ \(1 were\): .* 429, in 5 attempts\. .*\n$/,
    );
    expect(received).toHaveLength(2 + 5);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('waits for a silent collector, until %s', async (signal) => {
    const port = await freePort();
    const silent = http.createServer().listen(port, '127.0.0.1');
    onTestFinished(() => {
      silent.close();
      silent.closeAllConnections();
    });
    const asked = once(silent, 'request');
    const cli = new RoundtripCli(['export', good, '--format', 'otlp', '--to', `http://127.0.0.1:${port}`]);
    await asked;
    cli.child.kill(signal);
    const { exitCode, stderr } = await cli.finished;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/2 exchanges were not .*cancel/),
    });
  });
});

async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await DuckDBConnection.create();
  const result = await connection.runAndReadAll(sql);
  const rows = result.getRowObjectsJson();
  connection.closeSync();
  return rows;
}

describe('export --format parquet', () => {
  it('writes one set of tables for all SOURCEs, of the exchanges that match', async () => {
    const out = path.join(temporaryFolder(), 'traffic.parquet');
    const args = ['export', good, session, halfBad, '--format', 'parquet', '--out', out];
    const { exitCode, stdout, stderr } = await runRoundtrip([...args, '--filter', 'host:a.test', '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('half.har: entry 2') });
    expect(JSON.parse(stdout)).toMatchObject({ event: 'done', format: 'parquet', out, exchanges: 3 });
    const rows = await rowsOf(`FROM '${out}'`);
    expect(rows.map(({ source, path: of, status }) => [source, of, status])).toEqual([
      [good, '/users/1', 200],
      [session, '/users/2', 200],
      [halfBad, '/half', 200],
    ]);
    expect(new Set(rows.map((row) => row.session)).size).toBe(3);
    expect(Object.keys(rows[0] ?? {}).filter((name) => /body|headers/.test(name))).toEqual([]);
    for (const name of fs.readdirSync(path.dirname(out)))
      expect(fs.readFileSync(path.join(path.dirname(out), name), 'latin1')).not.toContain(BODY);
  });

  it('holds bodies and headers only if they are asked for, and no secrets with --redact', async () => {
    const out = path.join(temporaryFolder(), 'traffic.parquet');
    const args = ['export', session, '--format', 'parquet', '--out', out, '--bodies', '--redact-pattern', 'typed$'];
    expect(await runRoundtrip(args)).toMatchObject({ exitCode: 0, stderr: '' });
    const [row] = await rowsOf(`SELECT decode(response_body) AS body, request_headers FROM '${out}'`);
    expect(row).toEqual({ body: expect.any(String), request_headers: expect.stringContaining('x-typed') });
    expect(JSON.stringify(row)).not.toContain(BODY);
  });
});

describe('a SOURCE that is broken', () => {
  const toCollector = ['--format', 'otlp', '--to', 'http://127.0.0.1:9'];
  const toTables = ['--format', 'parquet', '--out', 'out.parquet'];

  it.each<[string, string[], string, string | null, string]>([
    ['mcp', [], 'missing.roundtrip', null, 'there is no such file'],
    ['mcp', [], 'cut.roundtrip', 'SQLite format 3\0cut', 'it was cut short'],
    ['export', toCollector, 'text.roundtrip', 'hello', 'it is not a session file, HAR'],
    ['export', toCollector, 'foreign.roundtrip', null, 'it is a database of another program'],
    ['export', toTables, 'no.har', '{"log":7}', 'it holds no "log.entries"'],
    ['export', toTables, 'missing.har', null, 'there is no such file'],
  ])('%s %j ends with one sentence about %s, and leaves no file', async (command, args, name, content, sentence) => {
    const place = temporaryFolder();
    const source = path.join(place, name);
    if (name.startsWith('foreign')) {
      const database = new DatabaseSync(source);
      database.exec('CREATE TABLE a (b)');
      database.close();
    } else if (content !== null) fs.writeFileSync(source, content);
    const { exitCode, stdout, stderr } = await runRoundtrip([command, source, ...args], { folder: place });
    expect({ exitCode, stdout, stderr }).toEqual({
      ...{ exitCode: 1, stdout: '' },
      stderr: expect.stringMatching(/^roundtrip: [^\n]+\.\n$/),
    });
    expect(stderr).toContain(source);
    expect(stderr).toContain(sentence);
    expect(fs.readdirSync(place).filter((left) => left !== name && left !== 'data')).toEqual([]);
  });
});

it('a collector without a scheme is refused before anything is read', async () => {
  const { exitCode, stderr } = await runRoundtrip(['export', good, '--format', 'otlp', '--to', 'localhost:4318']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(/^roundtrip: --to: [^\n]+\n$/) });
});
