import path from 'node:path';
import type { LabOptions, LabProgress, LabResult } from '../../../shared/model/lab/lab-result.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { RunningWork } from '../../files/running-work.ts';
import { Thread } from '../thread.ts';
import type { LabCalls, LabNotice } from './lab-calls.ts';

/** Runs the lab on its own thread: its servers must not wait for the host, nor traffic for them. */
export class LabRunner {
  readonly #threadFolder: string;
  readonly #work: RunningWork;
  #running = false;

  /** `threadFolder`: where the threads' bundles are. `work`: ends with the host. */
  constructor(threadFolder: string, work: RunningWork) {
    this.#threadFolder = threadFolder;
    this.#work = work;
  }

  /** Rejects as `runLab` does, with `lab.busy` during another run, or with `lab.cancelled`. */
  async run(
    source: string,
    options: LabOptions,
    onProgress: (progress: LabProgress) => void,
    signal: AbortSignal,
  ): Promise<LabResult> {
    if (this.#running) throw roundtripError('lab.busy', {});
    this.#running = true;
    try {
      return await this.#work.run(signal, (ending) => this.#measure({ source, options }, onProgress, ending));
    } finally {
      this.#running = false;
    }
  }

  async #measure(
    input: LabCalls['run']['input'],
    onProgress: (progress: LabProgress) => void,
    signal: AbortSignal,
  ): Promise<LabResult> {
    const thread = new Thread<LabCalls, LabNotice>({
      file: path.join(this.#threadFolder, 'lab-thread.cjs'),
      name: 'roundtrip lab',
      helper: 'the one that runs the lab',
      onNotice: onProgress,
    });
    const cancel = () => void thread.call('cancel', null).catch(() => null);
    signal.addEventListener('abort', cancel);
    try {
      return await thread.call('run', input);
    } finally {
      signal.removeEventListener('abort', cancel);
      await thread.stop(0);
    }
  }
}
