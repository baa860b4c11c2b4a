import { type Detail, entry } from './entry.ts';

/** Why a request can't be sent again, or sent as it was written. */
export const REPLAY_FAILURES = {
  'replay.not-a-request': entry<{ id: number; what: string }>(
    'roundtrip',
    (a) => `Exchange ${a.id} can't be sent again: it is ${a.what}. Only HTTP requests can.`,
  ),
  'replay.body-not-kept': entry<{ id: number; size: string; kept: string }>(
    'roundtrip',
    (a) =>
      `Exchange ${a.id} can't be sent again: only ${a.kept} of its request body's ${a.size} were kept. Edit the ` +
      'request and give it another body.',
  ),
  'replay.body-cut-short': entry<{ id: number }>(
    'roundtrip',
    (a) =>
      `Exchange ${a.id} can't be sent again: its client did not send the whole request body. Edit the request and ` +
      'give it another body.',
  ),
  'replay.file-unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The file ${a.path} can't be sent: ${a.detail}.`,
  ),
  'replay.bad-request': entry<Detail>('roundtrip', (a) => `This request can't be sent: ${a.detail}.`),
  'replay.unknown-variables': entry<{ names: string }>(
    'roundtrip',
    (a) => `These variables have no value: ${a.names}. Give them one, or turn off "Replace {{variables}}".`,
  ),
  'requests.unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The saved requests in ${a.path} cannot be read: ${a.detail}. Correct the file, or move it away.`,
  ),
  'requests.changed-on-disk': entry<{ path: string }>(
    'roundtrip',
    (a) =>
      `The saved requests in ${a.path} were changed by another program. The new contents are shown; make your ` +
      'change again.',
  ),
  'requests.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The saved requests could not be written to ${a.path}: ${a.detail}.`,
  ),
} as const;
