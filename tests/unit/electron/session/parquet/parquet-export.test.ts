import fs from 'node:fs';
import path from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { ParquetExport, type ParquetSums } from '../../../../../electron/session/parquet/parquet-export.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { EXAMPLE_UPSTREAM, type ExampleExchange, exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const DAY = Date.UTC(2026, 10, 23, 12);
const REFUSED = { code: 'upstream.refused', side: 'upstream', message: 'Refused.', cause: null } as const;
const FAILED = {
  ...{ startedAfter: 0, duration: 1, connection: null, failure: REFUSED },
  retryReason: 'connect-refused',
} as const;

async function session(folder: string, exchanges: ExampleExchange[], body = 'response body'): Promise<string> {
  const file = path.join(folder, 'build-1.roundtrip');
  const recorder = await startRecorder(file);
  for (const [index, of] of exchanges.entries())
    record(recorder, exampleExchange({ id: index + 1, startedAt: DAY + index, ...of }), {
      response: Buffer.from(body),
    });
  await recorder.close();
  return file;
}

async function exported(
  folder: string,
  file: string,
  { query = '', bodies = false, source = 'build-1' }: { query?: string; bodies?: boolean; source?: string } = {},
): Promise<ParquetSums> {
  const { signal } = new AbortController();
  const job = { path: path.join(folder, 'traffic.parquet'), query, bodies, creator: 'test', signal };
  const tables = await ParquetExport.create(job);
  const reader = new SessionReader(file);
  await tables.add(reader, source, null);
  reader.close();
  return await tables.finish();
}

/** Runs a query with the exported tables in place of the page's file names. */
async function query(folder: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = await DuckDBConnection.create();
  const result = await connection.runAndReadAll(sql.replaceAll("'traffic", `'${folder}/traffic`));
  const rows = result.getRowObjectsJson();
  connection.closeSync();
  return rows;
}

const USERS = Array.from({ length: 12 }, (_, at) => ({ request: { method: 'GET', path: `/users/${at}?page=1` } }));

describe('the tables', () => {
  it('report which side ended a connection, when and why', async () => {
    const folder = temporaryFolder();
    const end = { at: DAY + 5000, by: 'upstream', why: 'goaway', code: 11, windowBlocked: 1.5 } as const;
    await exported(folder, await session(folder, [{ upstream: { ...EXAMPLE_UPSTREAM, end }, attempts: [] }]));
    const columns = 'side, ended_at, ended_by, ended_why, goaway_code, window_blocked_ms';
    expect(await query(folder, `SELECT ${columns} FROM 'traffic.connections.parquet' ORDER BY id`)).toEqual([
      { side: 'client', ended_at: null, ended_by: null, ended_why: null, goaway_code: null, window_blocked_ms: null },
      {
        ...{ side: 'upstream', ended_at: expect.stringContaining('2026-11-23 12:00:05') },
        ...{ ended_by: 'upstream', ended_why: 'goaway', goaway_code: '11', window_blocked_ms: 1.5 },
      },
    ]);
  });

  it('hold exchanges, attempts, connections and findings, typed', async () => {
    const folder = temporaryFolder();
    const retried = {
      attempts: [FAILED, { startedAfter: 1, duration: 5, connection: null, failure: null, retryReason: null }],
    };
    const file = await session(folder, [...USERS, retried]);
    const sums = await exported(folder, file);
    expect(sums).toMatchObject({ exchanges: 13, bytes: expect.any(Number) });
    const [first] = await query(folder, "FROM 'traffic.parquet' ORDER BY id LIMIT 1");
    expect(first).toMatchObject({
      ...{ id: '1', source: 'build-1', method: 'GET', path: '/users/0', query: 'page=1', template: '/users/{id}' },
      started_at: expect.stringContaining('2026-11-23 12:00:00'),
      response_bytes: '13',
    });
    expect(first).not.toHaveProperty('response_body');
    const types = await query(folder, "SELECT column_name, column_type FROM (DESCRIBE FROM 'traffic.parquet')");
    expect(types).toContainEqual({ column_name: 'started_at', column_type: 'TIMESTAMP' });
    expect(types).toContainEqual({ column_name: 'total_ms', column_type: 'DOUBLE' });
    expect(types).toContainEqual({ column_name: 'status', column_type: 'INTEGER' });
    expect(await query(folder, "FROM 'traffic.attempts.parquet' WHERE failure IS NOT NULL")).toMatchObject([
      { exchange: '13', ordinal: 0, failure: 'upstream.refused', connection: null },
    ]);
    for (const table of ['connections', 'findings'] as const)
      expect(await query(folder, `SELECT count(*) AS n FROM 'traffic.${table}.parquet'`)).toEqual([
        { n: String(sums[table]) },
      ]);
  });

  it('hold contents only if wanted, and only what matches', async () => {
    const folder = temporaryFolder();
    const file = await session(folder, USERS);
    expect(await exported(folder, file, { bodies: true, query: 'path:/users/3' })).toMatchObject({ exchanges: 1 });
    const sql = "SELECT decode(response_body) AS body, request_headers FROM 'traffic.parquet'";
    expect(await query(folder, sql)).toEqual([
      { body: 'response body', request_headers: expect.stringMatching(/^\[\[/) },
    ]);
  });

  it('are complete if they have more rows than a group', async () => {
    const folder = temporaryFolder();
    const file = await session(
      folder,
      Array.from({ length: 20_500 }, () => ({})),
      '',
    );
    await exported(folder, file);
    const sql = "SELECT count(*) AS rows, count(DISTINCT id) AS ids, max(id) AS last FROM 'traffic.parquet'";
    expect(await query(folder, sql)).toEqual([{ rows: '20500', ids: '20500', last: '20500' }]);
  });
});

describe('docs/warehouse.md', () => {
  const page = fs.readFileSync(path.resolve('docs/warehouse.md'), 'utf8');
  const sqlAfter = (heading: string) =>
    [...page.slice(page.indexOf(heading)).matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);

  /** Runs the page's queries over two builds, each of which has its own folder. */
  async function results(): Promise<Record<string, unknown>[][]> {
    const folder = temporaryFolder();
    const retried = { attempts: [FAILED, { ...FAILED, failure: null, retryReason: null }] };
    const lost = { attempts: [FAILED], failure: REFUSED };
    const unknown = USERS.map((user) => ({ ...user, client: { ...EXAMPLE_UPSTREAM, id: 0 } }));
    for (const [build, exchanges] of [[...USERS, retried, lost], unknown].entries()) {
      const own = path.join(folder, 'builds', String(build));
      fs.mkdirSync(own, { recursive: true });
      await exported(own, await session(own, exchanges), { source: `build-${build}` });
    }
    const [views = ''] = sqlAfter('\nDuckDB, ');
    const found = [];
    for (const sql of sqlAfter('## Queries'))
      found.push(await query(folder, `${views.replaceAll("'builds/", `'${folder}/builds/`)}${sql}`));
    return found;
  }

  it('has queries that run over the files of many builds, and find what they say', async () => {
    const [slowest, byDay, repeated, retried, handshakes, findings, ...more] = await results();
    expect(more).toEqual([]);
    expect(slowest).toMatchObject([{ requests: '26', p95_ms: expect.any(Number) }]);
    expect(byDay).toMatchObject([{ day: '2026-11-23 00:00:00', requests: '26', p95_ms: expect.any(Number) }]);
    expect(repeated).toMatchObject([{ source: 'build-0', template: '/users/{id}', requests: '12' }]);
    expect(retried).toMatchObject([{ source: 'build-0', failure: 'upstream.refused', failed_attempts: '1' }]);
    expect(handshakes).toMatchObject([{ tls_version: 'TLSv1.3', handshakes: '2' }]);
    expect(findings).toContainEqual(expect.objectContaining({ rule: expect.any(String), times: expect.any(String) }));
  });

  it('names every column', async () => {
    const folder = temporaryFolder();
    await exported(folder, await session(folder, USERS), { bodies: true });
    for (const table of ['', '.attempts', '.connections', '.findings']) {
      const columns = await query(folder, `SELECT column_name FROM (DESCRIBE FROM 'traffic${table}.parquet')`);
      for (const { column_name } of columns) expect(page).toContain(`\`${column_name}\``);
    }
  });
});
