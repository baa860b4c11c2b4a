import type { Failure } from '../../shared/model/failure.ts';
import { describe, RoundtripError } from '../failures/errors.ts';

/** What the command line says: for people, or with `--json` one object a line on stdout and nothing else there. */
export class Output {
  readonly json: boolean;

  constructor(json: boolean) {
    this.json = json;
  }

  /** For scripts; people do not see it. */
  event(event: Record<string, unknown>): void {
    if (this.json) process.stdout.write(`${JSON.stringify(event)}\n`);
  }

  /** For people; with `--json` nobody sees it. */
  say(line: string): void {
    if (!this.json) process.stdout.write(`${line}\n`);
  }

  /** For people, beside what a recorded command writes to stdout. */
  note(line: string): void {
    if (!this.json) process.stderr.write(`${line}\n`);
  }

  failure({ message }: Failure): void {
    this.problem(message);
  }

  /** One sentence on stderr, with `--json` too. */
  problem(sentence: string): void {
    process.stderr.write(`roundtrip: ${sentence}\n`);
  }
}

/** The one line about whatever ended the program. */
export function sentenceOf(error: unknown): string {
  return error instanceof RoundtripError ? error.message : describe(error);
}
