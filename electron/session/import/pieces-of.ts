import { RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import { readProblem } from '../../files/read-problem.ts';
import { charlesExchange } from './charles/charles-import.ts';
import type { FileFormat } from './file-format.ts';
import { readFlows } from './flow/flow-import.ts';
import { HAR_ARRAYS } from './har/har-arrays.ts';
import type { ImportedPiece } from './imported.ts';
import { type JsonArray, readJson } from './json-import.ts';
import type { Numbering } from './numbering.ts';
import { readSaz } from './saz/saz-import.ts';

type ForeignFormat = Exclude<FileFormat, 'roundtrip'>;
type FileReader = (file: string, numbering: Numbering, signal: AbortSignal) => AsyncGenerator<ImportedPiece>;

const TRANSACTIONS: readonly JsonArray[] = [{ path: '', name: 'transaction', read: charlesExchange }];

/** One reader per format. */
const READERS: Record<ForeignFormat, FileReader> = {
  har: (file, numbering, signal) => readJson(file, HAR_ARRAYS, numbering, signal),
  chlsj: (file, numbering, signal) => readJson(file, TRANSACTIONS, numbering, signal),
  saz: readSaz,
  flow: readFlows,
};

/**
 * The exchanges of a file, in pieces. If it can't be read to its end, the part before counts, and a fault names the
 * reason. Rejects with the signal's reason, or with `import.failed` if nothing could be read.
 */
export async function* piecesOf(
  file: string,
  format: ForeignFormat,
  numbering: Numbering,
  signal: AbortSignal,
): AsyncGenerator<ImportedPiece> {
  let read = 0;
  let count = 0;
  try {
    for await (const piece of READERS[format](file, numbering, signal)) {
      read = piece.read;
      count += piece.exchanges.length;
      yield piece;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RoundtripError) throw error;
    const detail = readProblem(error);
    if (count === 0) throw roundtripError('import.failed', { path: file, detail }, systemCode(error));
    yield { exchanges: [], faults: [{ place: '', message: `The rest can't be read: ${detail}.` }], read };
  }
}
