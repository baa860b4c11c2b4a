import { describe } from './errors.ts';

/** What SQLite's messages mean for a session file. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^database or disk is full$/, 'the disk is full'],
  [/^file is not a database$/, 'it is not a session file'],
  [/malformed/, 'it is damaged: use a copy that was made earlier'],
  [/^database is locked$/, 'another program has locked it: close that program, or try again'],
  [
    /^unable to open database file$|^attempt to write a readonly database$/,
    'it, or a file next to it (-wal, -shm or -lock), is read-only or cannot be opened: use another folder',
  ],
  [
    /^disk I\/O error$|^locking protocol$/,
    'its disk reported an error. It may be full or read-only, or a network drive without shared memory: use a local ' +
      'disk',
  ],
];

/** Why SQLite could not open a session file or write to it, as part of a sentence. */
export function databaseProblem(error: unknown): string {
  const detail = describe(error);
  return PROBLEMS.find(([words]) => words.test(detail))?.[1] ?? detail;
}
