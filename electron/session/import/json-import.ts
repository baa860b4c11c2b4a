import { createReadStream } from 'node:fs';
import type { TextDecoder } from 'node:util';
import { describe } from '../../failures/errors.ts';
import { utf16Decoder } from '../../files/user-text.ts';
import { ElementScanner, type JsonElement } from './element-scanner.ts';
import { type ImportedExchange, type ImportedPiece, PartFault } from './imported.ts';
import type { Numbering } from './numbering.ts';

/**
 * Bytes read at once. The exchanges of a piece are in memory together: with 1 MB, many outlived V8's young
 * generation, and an import of 100,000 exchanges took 288 MB. It takes 163 MB with this.
 */
const PIECE = 128 * 1024;

const TOO_MUCH = 'It is over 256 MB, or holds over 4,000,000 values, which is too much to import.';

/** Turns an element of the array at `path` into an exchange. Throws `PartFault`. */
export interface JsonArray {
  path: string;
  /** The name of an element in a fault's line: `entry`. */
  name: string;
  read: (value: unknown, numbering: Numbering) => ImportedExchange;
}

/**
 * Reads the arrays of a JSON file in pieces: memory holds a piece and one element, regardless of the file's size. An
 * element that can't be read is a fault, and the next one follows. Throws the system's error, or one for a file without
 * any of the arrays.
 */
export async function* readJson(
  file: string,
  arrays: readonly JsonArray[],
  numbering: Numbering,
  signal: AbortSignal,
): AsyncGenerator<ImportedPiece> {
  const scanner = new ElementScanner(arrays.map(({ path }) => path));
  let read = 0;
  let count = 0;
  let utf16: TextDecoder | null = null;
  for await (const piece of createReadStream(file, { highWaterMark: PIECE, signal })) {
    if (read === 0) utf16 = utf16Decoder(piece);
    read += piece.length;
    const elements = scanner.push(utf16 === null ? piece : Buffer.from(utf16.decode(piece, { stream: true })));
    count += elements.length;
    yield { ...importedFrom(elements, arrays, numbering), read };
    if (scanner.isHostile) throw new Error('its brackets nest too deeply');
  }
  if (!scanner.hasArray) throw new Error(`it holds no ${arrays.map(({ path }) => `"${path || '[]'}"`).join(' or ')}`);
  if (scanner.isComplete) return;
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  const message = `The file ends in the middle, after ${entries}: it was cut short.`;
  yield { exchanges: [], faults: [{ place: '', message }], read };
}

function importedFrom(
  elements: readonly JsonElement[],
  arrays: readonly JsonArray[],
  numbering: Numbering,
): Pick<ImportedPiece, 'exchanges' | 'faults'> {
  const imported: Pick<ImportedPiece, 'exchanges' | 'faults'> = { exchanges: [], faults: [] };
  for (const { path, ordinal, json } of elements) {
    const array = arrays.find((one) => one.path === path);
    if (array === undefined) continue;
    try {
      if (json === null) throw new PartFault(TOO_MUCH);
      imported.exchanges.push(array.read(JSON.parse(json), numbering));
    } catch (error) {
      imported.faults.push({ place: `${array.name} ${ordinal}`, message: sentenceOf(error) });
    }
  }
  return imported;
}

function sentenceOf(error: unknown): string {
  if (error instanceof PartFault) return error.message;
  if (error instanceof SyntaxError) return `It is not valid JSON: ${describe(error)}.`;
  // A faulty entry must not end the import of the others.
  return `It can't be read: ${describe(error)}.`;
}
