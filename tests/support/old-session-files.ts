import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID } from '../../electron/session/format/session-schema.ts';
import { SessionWriter } from '../../electron/session/write/session-writer.ts';
import type { Exchange } from '../../shared/model/exchange.ts';

/** What version 1 wrote. */
const VERSION_1 = `
  PRAGMA application_id = ${APPLICATION_ID};
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
`;

/** Added by version 2. */
const MESSAGES = `
  CREATE TABLE message (
    exchange INTEGER, ordinal INTEGER, side INTEGER, at REAL, opcode INTEGER, start INTEGER, stop INTEGER,
    size INTEGER, compressed INTEGER, close_code INTEGER, PRIMARY KEY (exchange, ordinal)) WITHOUT ROWID;
`;

/** The first builds of version 3 had constraints that cost a journal for each insert; its rows are those of today. */
const FIRST_VERSION_3 = `
  CREATE TABLE first_exchange (id INTEGER PRIMARY KEY, open INTEGER NOT NULL, row TEXT NOT NULL);
  INSERT INTO first_exchange SELECT * FROM exchange;
  DROP TABLE exchange;
  ALTER TABLE first_exchange RENAME TO exchange;
  CREATE TABLE first_detail (exchange INTEGER PRIMARY KEY, row TEXT NOT NULL);
  INSERT INTO first_detail SELECT * FROM detail;
  DROP TABLE detail;
  ALTER TABLE first_detail RENAME TO detail;
  DROP TABLE body_start;
  CREATE TABLE body_start (body INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`;

/** Creates a file like those of a version's first builds. */
export function writeOldSession(path: string, version: 1 | 2 | 3, exchanges: readonly Exchange[]): void {
  write(path, version === 1 ? 1 : 2, exchanges);
  if (version < 3) return;
  SessionWriter.open(path).close();
  const database = new DatabaseSync(path);
  database.exec(FIRST_VERSION_3);
  database.close();
}

function write(path: string, version: 1 | 2, exchanges: readonly Exchange[]): void {
  const database = new DatabaseSync(path);
  database.exec(`${VERSION_1} ${version === 2 ? MESSAGES : ''} PRAGMA user_version = ${version}`);
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
