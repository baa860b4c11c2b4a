import { createReadStream } from 'node:fs';
import { failure } from '../../../failures/errors.ts';
import { type ImportedExchange, type ImportedPiece, PartFault } from '../imported.ts';
import { momentIn, numberIn, objectIn, textIn } from '../loose-json.ts';
import type { Numbering } from '../numbering.ts';
import { ElementScanner, type JsonElement } from './element-scanner.ts';
import { exchangeIn } from './har-exchange.ts';

const ENTRIES = 'log.entries';
/** HTTP Toolkit's list of clients that refused its certificate. */
const TLS_ERRORS = 'log._tlsErrors';
/** Bytes read at once. */
const PIECE = 1024 * 1024;

/**
 * Reads a HAR in pieces: memory holds a piece and one entry, whatever the file's size. An entry that can't be read is a
 * fault, and the next one follows. Throws the system's error.
 */
export async function* readHar(file: string, numbering: Numbering, signal: AbortSignal): AsyncGenerator<ImportedPiece> {
  const scanner = new ElementScanner([ENTRIES, TLS_ERRORS]);
  let read = 0;
  let count = 0;
  for await (const piece of createReadStream(file, { highWaterMark: PIECE, signal })) {
    read += piece.length;
    const elements = scanner.push(piece);
    count += elements.length;
    yield importedFrom(elements, numbering, read);
  }
  if (scanner.isComplete) return;
  const message = `The file ends in the middle, after ${count === 1 ? '1 entry' : `${count} entries`}: it was cut short.`;
  yield { exchanges: [], faults: [{ place: '', message }], read };
}

function importedFrom(elements: readonly JsonElement[], numbering: Numbering, read: number): ImportedPiece {
  const imported: ImportedPiece = { exchanges: [], faults: [], read };
  for (const element of elements) {
    try {
      imported.exchanges.push(importedElement(element, numbering));
    } catch (error) {
      const place = `${element.path === ENTRIES ? 'entry' : 'TLS error'} ${element.ordinal}`;
      imported.faults.push({ place, message: sentenceOf(error) });
    }
  }
  return imported;
}

function sentenceOf(error: unknown): string {
  if (error instanceof PartFault) return error.message;
  if (error instanceof SyntaxError) return `It is not valid JSON: ${error.message}.`;
  throw error;
}

function importedElement({ path, json }: JsonElement, numbering: Numbering): ImportedExchange {
  if (json === null) throw new PartFault('It is over 256 MiB, which is too large to import.');
  const value: unknown = JSON.parse(json);
  return path === ENTRIES ? exchangeIn(value, numbering) : refusedTunnel(value, numbering);
}

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
