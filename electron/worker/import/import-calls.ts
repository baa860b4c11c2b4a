import type { ImportFault } from '../../session/import/imported.ts';

/** Calls to the thread that imports files. */
export type ImportCalls = {
  /** Whether the file is a session file, which needs no import. Throws as `formatOf` does. */
  isSession: { input: { file: string }; output: boolean };
  /** Rejects as `importFiles` does. */
  import: { input: { files: readonly string[]; session: string }; output: { exchanges: number; faults: number } };
  cancel: { input: null; output: null };
};

export type ImportNotice = { kind: 'progress'; read: number; total: number } | { kind: 'fault'; fault: ImportFault };
