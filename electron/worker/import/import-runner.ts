import path from 'node:path';
import { roundtripError } from '../../failures/errors.ts';
import { type ImportFault, importFaultLine } from '../../session/import/imported.ts';
import { Thread } from '../thread.ts';
import type { ImportCalls, ImportNotice } from './import-calls.ts';

/** MB. A HAR of 1,000,000 exchanges takes 231 MB with 12, and 329 MB and more CPU with V8's 48. */
const YOUNG_GENERATION = 12;

export interface Importing {
  /** A new session file for the import. */
  session: () => string;
  /** Bytes. */
  onProgress: (read: number, total: number) => void;
  signal: AbortSignal;
}

/** The result for a file: the session file that holds it, and the lines of the faults (the first 200). */
export interface OpenedFile {
  session: string;
  faults: string[];
  faultCount: number;
}

/**
 * Converts any file that can be opened to a session file, on its own thread: a large import stalls neither windows nor
 * traffic. A session file is returned unchanged. Rejects as `importFiles` does, or with `import.failed` if the signal
 * aborts.
 */
export async function importFile(threadFolder: string, file: string, options: Importing): Promise<OpenedFile> {
  const faults: ImportFault[] = [];
  const thread = new Thread<ImportCalls, ImportNotice>({
    file: path.join(threadFolder, 'import-thread.cjs'),
    name: 'roundtrip import',
    helper: 'the one that imports files',
    youngGeneration: YOUNG_GENERATION,
    onNotice: (notice) => {
      if (notice.kind === 'fault') faults.push(notice.fault);
      else options.onProgress(notice.read, notice.total);
    },
  });
  const cancel = () => void thread.call('cancel', null).catch(() => null);
  options.signal.addEventListener('abort', cancel);
  try {
    if (await thread.call('isSession', { file })) return { session: file, faults: [], faultCount: 0 };
    const session = options.session();
    const counts = await thread.call('import', { files: [file], session });
    return {
      session,
      faults: faults.map((fault) => importFaultLine({ ...fault, file: '' })),
      faultCount: counts.faults,
    };
  } catch (error) {
    if (!options.signal.aborted) throw error;
    throw roundtripError('import.failed', { path: file, detail: 'the import was cancelled' });
  } finally {
    options.signal.removeEventListener('abort', cancel);
    await thread.stop(0);
  }
}
