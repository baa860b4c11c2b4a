import { entry } from './entry.ts';

/** Why a command could not use a running Roundtrip. */
export const ATTACH_FAILURES = {
  'attach.none-running': entry<{ folder: string }>(
    'roundtrip',
    (a) =>
      `No Roundtrip runs with the data folder ${a.folder}. Start one with roundtrip serve, or name its --data-dir.`,
  ),
  'attach.not-that-one': entry<{ pid: number }>(
    'roundtrip',
    (a) =>
      `No Roundtrip with the process id ${a.pid} runs with this data folder: roundtrip status lists those that do.`,
  ),
  'attach.several': entry<{ pids: string }>(
    'roundtrip',
    (a) => `Several Roundtrips run with this data folder: choose one with --pid (${a.pids}).`,
  ),
  'attach.other-version': entry<{ pid: number; theirs: number; ours: number }>(
    'roundtrip',
    (a) =>
      `The Roundtrip with the process id ${a.pid} speaks version ${a.theirs} of the API, this command version ` +
      `${a.ours}: restart it, or use its own command line.`,
  ),
  'attach.no-answer': entry<{ pid: number; seconds: number }>(
    'roundtrip',
    (a) =>
      `The Roundtrip with the process id ${a.pid} has not answered for ${a.seconds} s: it is stopped or very busy. ` +
      'Try again, or name another one with --pid.',
  ),
  'attach.not-announced': entry<{ folder: string; detail: string }>(
    'roundtrip',
    (a) => `Other commands can't find this Roundtrip: nothing can be written in ${a.folder}: ${a.detail}.`,
  ),
  'attach.lost': entry('roundtrip', () => 'The running Roundtrip closed the connection.'),
} as const;
