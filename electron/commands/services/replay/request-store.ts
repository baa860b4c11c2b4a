import path from 'node:path';
import * as v from 'valibot';
import type { Failure } from '../../../../shared/model/failure.ts';
import {
  NO_SAVED_REQUESTS,
  type SavedRequestState,
  type SavedRequests,
  SavedRequestsSchema,
} from '../../../../shared/model/replay/saved-requests.ts';
import { describe, failure, RoundtripError, roundtripError, systemCode } from '../../../failures/errors.ts';
import { fileProblem } from '../../../files/file-problem.ts';
import { readIfThere, writePrivateFile } from '../../private-file.ts';

interface Reading {
  /** Null: there is no file. */
  text: string | null;
  saved: SavedRequests;
  failure: Failure | null;
}

/**
 * `requests.json` in the data folder: plain JSON that users may edit. It may hold secrets: only its owner reads it.
 */
export class RequestStore {
  readonly #file: string;
  /** The text that windows last received. */
  #seen: string | null = null;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, 'requests.json');
  }

  /** Reads the file, which another program may have changed. Never throws: see `failure`. */
  state(): SavedRequestState {
    const { text, saved, failure: problem } = this.#read();
    this.#seen = text;
    return { path: this.#file, saved, failure: problem };
  }

  /** Replaces all. Throws the file's failure, `requests.changed-on-disk` or `requests.write-failed`. */
  update(saved: SavedRequests): SavedRequestState {
    const { text, failure: problem } = this.#read();
    if (problem) throw new RoundtripError(problem);
    if (text !== this.#seen) {
      this.#seen = text;
      throw roundtripError('requests.changed-on-disk', { path: this.#file });
    }
    try {
      writePrivateFile(this.#file, `${JSON.stringify(saved, null, 2)}\n`);
    } catch (error) {
      const detail = fileProblem(error, this.#file);
      throw roundtripError('requests.write-failed', { path: this.#file, detail }, systemCode(error));
    }
    return this.state();
  }

  #read(): Reading {
    let text: string | null = null;
    try {
      text = readIfThere(this.#file);
      if (text === null) return { text, saved: NO_SAVED_REQUESTS, failure: null };
      const parsed = v.safeParse(SavedRequestsSchema, JSON.parse(text));
      if (parsed.success) return { text, saved: parsed.output, failure: null };
      return { text, saved: NO_SAVED_REQUESTS, failure: this.#unreadable(whatIsWrong(parsed.issues[0])) };
    } catch (error) {
      const about =
        text === null ? this.#unreadable(fileProblem(error, this.#file)) : this.#unreadable(describe(error));
      return { text, saved: NO_SAVED_REQUESTS, failure: about };
    }
  }

  #unreadable(detail: string): Failure {
    return failure('requests.unreadable', { path: this.#file, detail });
  }
}

function whatIsWrong(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'the file'}: expected ${issue.expected ?? 'something else'}`;
}
