import type { LabOptions, LabProgress, LabResult } from '../../../shared/model/lab/lab-result.ts';

/** Calls to the lab's thread. `run` rejects as `runLab` does, with `lab.cancelled` after `cancel`. */
export type LabCalls = {
  /** `source`: a session file or HAR. */
  run: { input: { source: string; options: LabOptions }; output: LabResult };
  cancel: { input: null; output: null };
};

/** What the thread reports during a run. */
export type LabNotice = LabProgress;
