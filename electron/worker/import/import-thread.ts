import { parentPort } from 'node:worker_threads';
import { formatOf } from '../../session/import/file-format.ts';
import { importFiles } from '../../session/import/import-files.ts';
import { answerCalls } from '../thread-call.ts';
import type { ImportCalls, ImportNotice } from './import-calls.ts';

const host = parentPort;
if (host === null) throw new Error('import-thread runs as a worker thread');
/** Milliseconds: users see no more frequent updates. */
const PROGRESS_INTERVAL = 50;
/** Faults that are passed on; all are counted. */
const MOST_FAULTS = 200;

const cancelling = new AbortController();

function notify(notice: ImportNotice): void {
  host?.postMessage({ kind: 'notice', notice });
}

answerCalls<ImportCalls>(host, {
  isSession: ({ file }) => formatOf(file) === 'roundtrip',
  import: ({ files, session }) => {
    let last = 0;
    let faults = 0;
    return importFiles({
      files,
      session,
      onProgress: (read, total) => {
        const now = performance.now();
        if (now - last < PROGRESS_INTERVAL && read < total) return;
        last = now;
        notify({ kind: 'progress', read, total });
      },
      onFault: (fault) => {
        faults += 1;
        if (faults <= MOST_FAULTS) notify({ kind: 'fault', fault });
      },
      signal: cancelling.signal,
    });
  },
  cancel: () => {
    cancelling.abort(new Error('the import was cancelled'));
    return null;
  },
});
