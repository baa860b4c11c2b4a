import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import type { Exchange } from '../../../../../shared/model/exchange.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';
import { closing } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** What version 2 wrote, and version 1 but for the table `message`. */
const VERSION_2 = `
  PRAGMA application_id = ${0x52545250}; PRAGMA user_version = 2;
  CREATE TABLE session (id TEXT NOT NULL, created_at REAL NOT NULL);
  INSERT INTO session VALUES ('old', 1790000000000.0);
  CREATE TABLE exchange (
    id INTEGER PRIMARY KEY, revision INTEGER, kind TEXT, state TEXT, started_at REAL,
    method TEXT, scheme TEXT, authority TEXT, path TEXT, status INTEGER, protocol TEXT, media_type TEXT,
    request_size INTEGER, response_size INTEGER,
    blocked REAL, dns REAL, connect REAL, ssl REAL, send REAL, wait REAL, receive REAL,
    overhead_request REAL, overhead_response REAL,
    client_connection INTEGER, upstream_connection INTEGER, attempts INTEGER, failure_code TEXT);
  CREATE TABLE detail (exchange INTEGER PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE attempt (
    exchange INTEGER, ordinal INTEGER, started_after REAL, duration REAL,
    connection INTEGER, reused INTEGER, failure TEXT, retry_reason TEXT,
    PRIMARY KEY (exchange, ordinal)) WITHOUT ROWID;
  CREATE TABLE connection (
    id INTEGER PRIMARY KEY, side TEXT, protocol TEXT, local_address TEXT, remote_address TEXT, via TEXT, tls TEXT);
  CREATE TABLE body (exchange INTEGER, side INTEGER, offset INTEGER, bytes BLOB);
  CREATE UNIQUE INDEX body_place ON body (exchange, side, offset);
  CREATE TABLE message (
    exchange INTEGER, ordinal INTEGER, side INTEGER, at REAL, opcode INTEGER, start INTEGER, stop INTEGER,
    size INTEGER, compressed INTEGER, close_code INTEGER, PRIMARY KEY (exchange, ordinal)) WITHOUT ROWID;
`;

/** Makes a file as version 2 left it. */
function writeVersion2(path: string, exchanges: readonly Exchange[]): void {
  const database = new DatabaseSync(path);
  database.exec(VERSION_2);
  const insert = (table: string, ...cells: (string | number | null | Uint8Array)[]) =>
    database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${cells.map(() => '?').join(', ')})`).run(...cells);
  for (const { request, response, failure, route, client, upstream, timings, ...exchange } of exchanges) {
    const { id, revision, kind, state, startedAt } = exchange;
    const sizes = [request.body.size, response?.body.size ?? 0];
    insert(
      'exchange',
      ...[id, revision, kind, state, startedAt, request.method, request.scheme, request.authority, request.path],
      ...[response?.status ?? 0, client.protocol, 'application/json', ...sizes],
      ...[timings.blocked, timings.dns, timings.connect, timings.ssl, timings.send, timings.wait, timings.receive],
      ...[timings.overheadRequest, timings.overheadResponse, client.id, upstream?.id ?? 0, exchange.attempts.length],
      failure?.code ?? null,
    );
    const reused = { clientReused: client.reused, upstreamReused: upstream?.reused ?? false };
    insert('detail', id, JSON.stringify({ request, response, failure, ...(route && { route }), ...reused }));
    for (const [ordinal, attempt] of exchange.attempts.entries()) {
      const why = attempt.failure && JSON.stringify(attempt.failure);
      const of = [attempt.connection?.id ?? null, attempt.connection?.reused ? 1 : 0];
      insert('attempt', id, ordinal, attempt.startedAfter, attempt.duration, ...of, why, attempt.retryReason);
    }
    for (const [side, of] of [client, upstream].entries()) {
      const addresses = of && [of.localAddress, of.remoteAddress, of.via, of.tls && JSON.stringify(of.tls)];
      if (of && addresses) insert('connection', of.id, side === 0 ? 'client' : 'upstream', of.protocol, ...addresses);
    }
    insert('body', id, 1, 0, Buffer.from('first,'));
    insert('body', id, 1, 6, Buffer.from('second'));
  }
  database.close();
}

const refused = { code: 'upstream.refused', side: 'upstream' as const, message: 'No.', cause: 'ECONNREFUSED' };

test('a file of version 2 is what it was, once it was opened to be written', () => {
  const path = join(temporaryFolder(), 'old.roundtrip');
  const retried = exampleExchange({
    id: 1,
    startedAt: 1_790_000_000_000.123,
    route: { via: 'http://proxy.test:3128', reason: 'A “rule”', answer: null, override: null },
    attempts: [
      { startedAfter: 0, duration: 3.25, connection: null, failure: refused, retryReason: 'connect-refused' },
      {
        startedAfter: 3.5,
        duration: 9,
        connection: { ...EXAMPLE_UPSTREAM, reused: true },
        failure: null,
        retryReason: null,
      },
    ],
    response: {
      body: { size: 12, stored: 12, complete: true },
      headers: ['Set-Cookie', 'a="b\\c"', 'X-Latin', 'caf\u00e9'],
      informational: [{ status: 103, statusText: 'Early Hints', headers: ['Link', '</a>'] }],
    },
  });
  const failed = exampleExchange({
    id: 2,
    state: 'failed',
    response: null,
    upstream: null,
    attempts: [],
    failure: refused,
  });
  writeVersion2(path, [retried, failed]);
  SessionWriter.open(path).close();
  using reader = closing(new SessionReader(path));
  expect(reader.it.sessionId()).toBe('old');
  expect(reader.it.get(1)).toEqual(retried);
  expect(reader.it.get(2)).toEqual(failed);
  expect(reader.it.page(0, 10).rows.map(({ id, status, failureCode }) => [id, status, failureCode])).toEqual([
    [1, 200, null],
    [2, 0, 'upstream.refused'],
  ]);
  expect(Buffer.concat([...reader.it.bodyPieces(1, 'response')]).toString()).toBe('first,second');
  expect(Buffer.concat([...reader.it.bodyPieces(1, 'response', 3)]).toString()).toBe('st,second');
  expect(reader.it.bodySize(1, 'response')).toBe(12);
});

test('what a killed writer of version 2 left open is failed, and ids go on', () => {
  const path = join(temporaryFolder(), 'old.roundtrip');
  writeVersion2(path, [exampleExchange({ id: 7, state: 'open', revision: 3, response: null })]);
  const writer = SessionWriter.open(path);
  expect(writer.session).toMatchObject({ sessionId: 'old', nextExchangeId: 8, nextConnectionId: 3 });
  writer.close();
  using reader = closing(new SessionReader(path));
  expect(reader.it.get(7)).toMatchObject({ state: 'failed', revision: 4, failure: { code: 'engine.stopped' } });
});
