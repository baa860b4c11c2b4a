import type { Failure } from '../../shared/model/failure.ts';
import { describe, RoundtripError } from '../failures/errors.ts';

/** The command line's output: text, or with `--json` one object per line and nothing else on stdout. */
export class Output {
  readonly json: boolean;

  constructor(json: boolean) {
    this.json = json;
  }

  /** Printed only with `--json`. */
  event(event: Record<string, unknown>): void {
    if (this.json) process.stdout.write(`${JSON.stringify(event)}\n`);
  }

  /** Printed only without `--json`. */
  say(line: string): void {
    if (!this.json) process.stdout.write(`${line}\n`);
  }

  /** Printed on stderr, only without `--json`: stdout belongs to the recorded command. */
  note(line: string): void {
    if (!this.json) process.stderr.write(`${line}\n`);
  }

  failure({ message }: Failure): void {
    this.problem(message);
  }

  /** Prints a line on stderr that begins with a place in a file, which editors and terminals link to. */
  fault(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** Prints one sentence on stderr, with `--json` too. */
  problem(sentence: string): void {
    process.stderr.write(`roundtrip: ${sentence}\n`);
  }
}

/** The one-line message for the error that ended the program. */
export function sentenceOf(error: unknown): string {
  return error instanceof RoundtripError ? error.message : describe(error);
}
