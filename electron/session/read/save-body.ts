import type { WithinSession } from '../../../shared/contract/requests.ts';
import { describe, RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { UserFile } from '../../files/user-file.ts';
import { bodyCodings } from '../format/content-codings.ts';
import { decodedPieces, type Outcome } from './decode-body.ts';
import type { SessionReader } from './session-reader.ts';

export interface SavedBody {
  bytes: number;
  /** Why the file lacks part of the decoded body, as sentences; null if it is complete. */
  note: string | null;
}

/**
 * Writes a body to a file, piece by piece and without a limit. A body that can't be decoded at all is written as
 * received, and a damaged one up to the damage; `note` reports this. Rejects with `session.not-found` or
 * `body.write-failed` and then leaves no new file.
 */
export async function saveBody(
  reader: SessionReader,
  { id, side, form }: WithinSession<'body.save'>,
  path: string,
): Promise<SavedBody> {
  const message = reader.get(id)[side];
  const codings = form === 'raw' || message === null ? [] : bodyCodings(message);
  let file: UserFile | undefined;
  try {
    file = await UserFile.create(path);
    const note = await write(file, codings, () => reader.bodyPieces(id, side));
    const missing = message === null ? 0 : message.body.size - reader.bodySize(id, side);
    const notes = missing > 0 ? [note, `${missing} bytes of the body were not kept.`] : [note];
    return { bytes: await file.finish(), note: notes.filter((one) => one !== null).join(' ') || null };
  } catch (error) {
    await file?.discard();
    if (error instanceof RoundtripError) throw error;
    const detail = systemCode(error) === null ? describe(error) : fileProblem(error, path);
    throw roundtripError('body.write-failed', { path, detail }, systemCode(error));
  }
}

async function write(file: UserFile, codings: string[], pieces: () => Iterable<Uint8Array>): Promise<string | null> {
  const outcome: Outcome = { complete: true, problem: null };
  let written = 0;
  for await (const piece of decodedPieces(pieces(), codings, outcome)) {
    await file.write(piece);
    written += piece.length;
  }
  if (outcome.problem === null) return null;
  if (written > 0) return `${outcome.problem} Saved up to that point.`;
  for (const piece of pieces()) await file.write(piece);
  return `${outcome.problem} Saved without decoding.`;
}
