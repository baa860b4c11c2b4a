import * as v from 'valibot';
import { FailureSchema } from '../../../shared/model/failure.ts';
import { UpstreamRouteSchema } from '../../../shared/model/proxy/upstream-route.ts';
import { type DetailRow, DetailRowSchema } from './detail-row.ts';

type Cells = readonly unknown[];

/** Cells of a request: host, port, version, headers, trailers, size of the head, stored bytes, whether complete. */
const REQUEST = 8;
/** Cells of a response: text of the status, the same from the version on, and informational responses. */
const RESPONSE = 8;
const ATTEMPT = 6;
/** Cells that rows of all versions have. */
const FEWEST = 7;

/**
 * A row of the table `detail`; null if a damaged file has another value there. Checks the common cells in code, and the
 * rest by schema: the schema for all cells took a third of an export's reading time.
 */
export function soundDetail(row: unknown): DetailRow | null {
  if (!Array.isArray(row) || row.length < FEWEST || !isRequest(row[0])) return null;
  const [, response, failure, route, clientReused, upstreamReused, attempts] = row;
  const isPlain =
    (response === null || isResponse(response)) &&
    (failure === null || v.is(FailureSchema, failure)) &&
    (route === null || v.is(UpstreamRouteSchema, route)) &&
    typeof clientReused === 'boolean' &&
    typeof upstreamReused === 'boolean' &&
    Array.isArray(attempts) &&
    attempts.every(isAttempt);
  if (!isPlain) return null;
  const isBare = row.slice(FEWEST).every((cell) => cell === null || cell === undefined);
  return isBare || v.is(DetailRowSchema, row) ? (row as unknown as DetailRow) : null;
}

function isRequest(cells: unknown): boolean {
  if (!Array.isArray(cells) || cells.length !== REQUEST) return false;
  return typeof cells[0] === 'string' && typeof cells[1] === 'number' && isMessage(cells, 2);
}

function isResponse(cells: unknown): boolean {
  if (!Array.isArray(cells) || cells.length !== RESPONSE) return false;
  const informational: unknown = cells[7];
  if (typeof cells[0] !== 'string' || !isMessage(cells, 1) || !Array.isArray(informational)) return false;
  return informational.length === 0 || v.is(DetailRowSchema.items[1].wrapped.items[7], informational);
}

function isMessage(cells: Cells, from: number): boolean {
  const [version, headers, trailers, headSize, stored, complete] = cells.slice(from, from + 6);
  return (
    typeof version === 'string' &&
    isFields(headers) &&
    isFields(trailers) &&
    typeof headSize === 'number' &&
    typeof stored === 'number' &&
    typeof complete === 'boolean'
  );
}

function isFields(headers: unknown): boolean {
  return Array.isArray(headers) && headers.length % 2 === 0 && headers.every((cell) => typeof cell === 'string');
}

function isAttempt(cells: unknown): boolean {
  if (!Array.isArray(cells) || cells.length !== ATTEMPT) return false;
  const [startedAfter, duration, connection, reused, failure, retryReason] = cells;
  return (
    typeof startedAfter === 'number' &&
    typeof duration === 'number' &&
    typeof connection === 'number' &&
    typeof reused === 'boolean' &&
    (failure === null || v.is(FailureSchema, failure)) &&
    (retryReason === null || typeof retryReason === 'string')
  );
}
