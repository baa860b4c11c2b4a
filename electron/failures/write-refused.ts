import { databaseProblem } from './database-problem.ts';
import { failure, RoundtripError, roundtripError, systemCode } from './errors.ts';

/**
 * A session file that can't be opened or written. The sentence is about a recording; an import or an export says in its
 * own sentence what did not work.
 */
export class WriteRefused extends RoundtripError {
  /** Why, as part of a sentence. */
  readonly detail: string;

  /** `error`: SQLite's, which stays as the cause. */
  constructor(code: 'session.open-failed' | 'session.write-failed', path: string, error: unknown) {
    const detail = databaseProblem(error);
    super(failure(code, { path, detail }, systemCode(error)));
    this.cause = error;
    this.detail = detail;
  }
}

/** What an import into, or an export to, the file at `path` throws in place of this error. Returns other errors. */
export function unlessRefused(code: 'import.write-failed' | 'export.failed', path: string, error: unknown): unknown {
  return error instanceof WriteRefused
    ? roundtripError(code, { path, detail: error.detail }, error.failure.cause)
    : error;
}
