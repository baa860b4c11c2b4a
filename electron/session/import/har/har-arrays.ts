import { failure } from '../../../failures/errors.ts';
import type { ImportedExchange } from '../imported.ts';
import type { JsonArray } from '../json-import.ts';
import { momentIn, numberIn, objectIn, textIn } from '../loose-json.ts';
import type { Numbering } from '../numbering.ts';
import { exchangeIn } from './har-exchange.ts';

/** The parts of a HAR that are read. */
export const HAR_ARRAYS: readonly JsonArray[] = [
  { path: 'log.entries', name: 'entry', read: exchangeIn },
  // HTTP Toolkit's list of clients that refused its certificate.
  { path: 'log._tlsErrors', name: 'TLS error', read: refusedTunnel },
];

/** A client that refused the certificate of the program that recorded the file: a tunnel without a request. */
function refusedTunnel(value: unknown, numbering: Numbering): ImportedExchange {
  const { startedDateTime, hostname, cause, remotePort } = objectIn(value);
  const place = `${textIn(hostname) || 'unknown'}:${numberIn(remotePort) ?? 443}`;
  const entry = {
    startedDateTime: new Date(momentIn(startedDateTime)).toISOString(),
    request: { method: 'CONNECT', url: `https://${place}/`, headers: [], bodySize: 0 },
  };
  const imported = exchangeIn(entry, numbering);
  imported.exchange.failure = failure('import.reported-failure', { detail: `TLS: ${textIn(cause) || 'unknown'}` });
  return imported;
}
