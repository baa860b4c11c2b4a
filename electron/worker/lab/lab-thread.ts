import { parentPort } from 'node:worker_threads';
import { roundtripError } from '../../failures/errors.ts';
import { runLab } from '../../lab/run-lab.ts';
import { answerCalls } from '../thread-call.ts';
import type { LabCalls, LabNotice } from './lab-calls.ts';

const host = parentPort;
if (host === null) throw new Error('lab-thread runs as a worker thread');

const cancelling = new AbortController();

answerCalls<LabCalls>(host, {
  run: ({ source, options }) => {
    const onProgress = (notice: LabNotice): void => host.postMessage({ kind: 'notice', notice });
    return runLab(source, options, onProgress, cancelling.signal);
  },
  cancel: () => {
    cancelling.abort(roundtripError('lab.cancelled', {}));
    return null;
  },
});
