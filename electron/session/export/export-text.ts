import { RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { HarFile } from '../har/har-file.ts';
import type { Exported } from './export-job.ts';
import type { ExportedExchange } from './exported-exchanges.ts';

interface TextParts {
  /** Before the first exchange. */
  head: string;
  /** The text of one exchange, without secrets if the job has a redactor. */
  textOf: (exported: ExportedExchange) => Promise<string> | string;
}

/**
 * Writes a text with a part for each exchange to `path`, null for standard output. Rejects with `export.failed` or the
 * signal's reason.
 */
export async function exportText(
  path: string | null,
  { head, textOf }: TextParts,
  chosen: AsyncIterable<ExportedExchange>,
  signal: AbortSignal,
): Promise<Exported> {
  let file: HarFile | undefined;
  try {
    signal.throwIfAborted();
    file = await HarFile.create(path);
    await file.write(head);
    let exchanges = 0;
    for await (const exported of chosen) {
      await file.write(await textOf(exported));
      exchanges += 1;
    }
    signal.throwIfAborted();
    return { exchanges, bytes: await file.finish() };
  } catch (error) {
    await file?.discard();
    throw exportFailure(error, path, signal);
  }
}

/** What to throw for an error during an export. */
export function exportFailure(error: unknown, path: string | null, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof RoundtripError) return error;
  const target = path ?? 'standard output';
  return roundtripError('export.failed', { path: target, detail: fileProblem(error, target) }, systemCode(error));
}
