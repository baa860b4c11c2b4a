import type { DatabaseSync } from 'node:sqlite';

/** "RTRP" in the header of every session file (`PRAGMA application_id`) distinguishes it from other SQLite files. */
export const APPLICATION_ID = 0x52545250;

/** One entry per version; each upgrades a file from the previous version. Never change a released entry. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (id TEXT NOT NULL, created_at REAL NOT NULL);

  -- What a row of the list needs. The rest has its own table: reading 100,000 rows does not read their headers.
  CREATE TABLE exchange (
    id INTEGER PRIMARY KEY, revision INTEGER, kind TEXT, state TEXT, started_at REAL,
    method TEXT, scheme TEXT, authority TEXT, path TEXT, status INTEGER, protocol TEXT, media_type TEXT,
    request_size INTEGER, response_size INTEGER,
    blocked REAL, dns REAL, connect REAL, ssl REAL, send REAL, wait REAL, receive REAL,
    overhead_request REAL, overhead_response REAL,
    client_connection INTEGER, upstream_connection INTEGER, attempts INTEGER, failure_code TEXT);

  -- JSON: request, response, failure, clientReused, upstreamReused.
  CREATE TABLE detail (exchange INTEGER PRIMARY KEY, json TEXT NOT NULL);

  CREATE TABLE attempt (
    exchange INTEGER, ordinal INTEGER, started_after REAL, duration REAL,
    connection INTEGER, reused INTEGER, failure TEXT, retry_reason TEXT,
    PRIMARY KEY (exchange, ordinal)) WITHOUT ROWID;

  -- tls is JSON.
  CREATE TABLE connection (
    id INTEGER PRIMARY KEY, side TEXT, protocol TEXT, local_address TEXT, remote_address TEXT, via TEXT, tls TEXT);

  -- Payload bytes as they came, in pieces of at most 256 KiB; side 0 is the request, 1 the response.
  CREATE TABLE body (exchange INTEGER, side INTEGER, offset INTEGER, bytes BLOB);
  CREATE UNIQUE INDEX body_place ON body (exchange, side, offset);
  `,
  `
  -- WebSocket messages and server-sent events: start and stop are bytes of the body of that side, framing included.
  CREATE TABLE message (
    exchange INTEGER, ordinal INTEGER, side INTEGER, at REAL, opcode INTEGER, start INTEGER, stop INTEGER,
    size INTEGER, compressed INTEGER, close_code INTEGER, PRIMARY KEY (exchange, ordinal)) WITHOUT ROWID;
  `,
  // A column costs the writer as much as a hundred bytes: data that is read as a whole shares one column. NOT NULL
  // would cost a journal for each multi-row insert, because the statement could fail halfway.
  `
  ALTER TABLE exchange RENAME TO former_exchange;
  -- row is JSON, a SummaryRow (shared/model/exchange-summary.ts); open is 1 while the exchange goes on.
  CREATE TABLE exchange (id INTEGER PRIMARY KEY, open INTEGER, row TEXT);
  INSERT INTO exchange SELECT id, state = 'open', json_array(
      id, revision, kind, state, started_at, method, scheme, authority, path, status, protocol, media_type,
      request_size, response_size, blocked, dns, connect, ssl, send, wait, receive, overhead_request, overhead_response,
      client_connection, upstream_connection, attempts, failure_code, -1)
    FROM former_exchange;
  DROP TABLE former_exchange;

  ALTER TABLE detail RENAME TO former_detail;
  -- row is JSON: detail-row.ts says of what.
  CREATE TABLE detail (exchange INTEGER PRIMARY KEY, row TEXT);
  INSERT INTO detail SELECT exchange, json_array(
      json_array(json -> '$.request.host', json -> '$.request.port', json -> '$.request.httpVersion',
        json -> '$.request.headers', json -> '$.request.trailers', json -> '$.request.headSize',
        json -> '$.request.body.stored', json -> '$.request.body.complete'),
      json(iif(json ->> '$.response' IS NULL, NULL, json_array(
        json -> '$.response.statusText', json -> '$.response.httpVersion', json -> '$.response.headers',
        json -> '$.response.trailers', json -> '$.response.headSize', json -> '$.response.body.stored',
        json -> '$.response.body.complete', json -> '$.response.informational'))),
      json -> '$.failure', json -> '$.route', json -> '$.clientReused', json -> '$.upstreamReused',
      json((SELECT json_group_array(json_array(started_after, duration, coalesce(connection, 0),
          json(iif(reused, 'true', 'false')), json(failure), retry_reason))
        FROM (SELECT * FROM attempt WHERE attempt.exchange = former_detail.exchange ORDER BY ordinal))))
    FROM former_detail;
  DROP TABLE former_detail;
  DROP TABLE attempt;

  -- The first piece of a body, for most bodies the only one. body: twice the exchange's id, plus one for a response.
  -- The table body holds the pieces after it; in files of earlier versions, it holds the first one too.
  CREATE TABLE body_start (body INTEGER PRIMARY KEY, bytes BLOB);
  `,
  // ended is JSON, a ConnectionEnd (shared/model/insight/connection-end.ts); NULL: still open, or not recorded.
  'ALTER TABLE connection ADD COLUMN ended TEXT;',
];

/**
 * Created by a session's first edit, in files of every version: a session without edits has neither. `removed` holds
 * ranges of exchanges that are hidden and can be restored; they do not overlap.
 */
export const EDIT_TABLES = `
  CREATE TABLE IF NOT EXISTS removed (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS mark (exchange INTEGER PRIMARY KEY, pinned INTEGER, colour TEXT, note TEXT);`;

export const VERSION = MIGRATIONS.length;

/** The numeric result of `PRAGMA name`. */
export function pragmaNumber(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return Number(row === undefined ? 0 : Object.values(row)[0]);
}

/**
 * Rejects files that are not session files or come from a newer Roundtrip. Throws an Error with the reason as part of a
 * sentence. An empty file passes, because it is about to become a session file.
 */
export function checkSchema(database: DatabaseSync): void {
  const application = pragmaNumber(database, 'application_id');
  const version = pragmaNumber(database, 'user_version');
  if (application !== APPLICATION_ID && (application !== 0 || version !== 0 || hasTables(database))) {
    throw new Error('it is a database of another program');
  }
  if (version > VERSION) throw new Error('it was written by a newer version of Roundtrip: update Roundtrip to open it');
}

function hasTables(database: DatabaseSync): boolean {
  return Number(database.prepare('SELECT count(*) AS n FROM sqlite_master').get()?.n ?? 0) > 0;
}

/** Upgrades an empty file, or one of an older version, to this version in one transaction. */
export function migrate(database: DatabaseSync, sessionId: string): void {
  const from = pragmaNumber(database, 'user_version');
  if (from === VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(from)) database.exec(step);
    if (from === 0) database.prepare('INSERT INTO session VALUES (?, ?)').run(sessionId, Date.now());
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; COMMIT`);
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
