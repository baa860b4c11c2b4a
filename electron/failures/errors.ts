import type { Failure } from '../../shared/model/failure.ts';
import { AGENT_FAILURES } from './agent-failures.ts';
import { ATTACH_FAILURES } from './attach-failures.ts';
import { CLIENT_FAILURES } from './client-failures.ts';
import type { Entry } from './entry.ts';
import { HOST_FAILURES } from './host-failures.ts';
import { LAB_FAILURES } from './lab-failures.ts';
import { OTLP_FAILURES } from './otlp-failures.ts';
import { PROXY_FAILURES } from './proxy-failures.ts';
import { READING_FAILURES } from './reading-failures.ts';
import { REPLAY_FAILURES } from './replay-failures.ts';
import { RULE_FAILURES } from './rule-failures.ts';
import { UPDATE_FAILURES } from './update-failures.ts';
import { UPSTREAM_FAILURES } from './upstream-failures.ts';

/**
 * Every failure of the product, one code each. Codes are stable: scripts, the HAR's `_error` and docs/failures.md name
 * them. A sentence states what happened, with the known names and numbers, and the fix if it is known.
 */
const CATALOGUE = {
  ...CLIENT_FAILURES,
  ...UPSTREAM_FAILURES,
  ...PROXY_FAILURES,
  ...HOST_FAILURES,
  ...RULE_FAILURES,
  ...READING_FAILURES,
  ...ATTACH_FAILURES,
  ...REPLAY_FAILURES,
  ...LAB_FAILURES,
  ...AGENT_FAILURES,
  ...OTLP_FAILURES,
  ...UPDATE_FAILURES,
} as const;

export type FailureCode = keyof typeof CATALOGUE;
type AboutOf<C extends FailureCode> = (typeof CATALOGUE)[C] extends Entry<infer A> ? A : never;

/** All codes, for the page that documents them and the test that holds the two together. */
export const FAILURE_CODES = Object.keys(CATALOGUE) as FailureCode[];

/** A failure of the catalogue. `cause`: the system's error code, such as `ECONNREFUSED`, or null. */
export function failure<C extends FailureCode>(code: C, about: AboutOf<C>, cause: string | null = null): Failure {
  const { side, sentence } = CATALOGUE[code] as Entry<AboutOf<C>>;
  return { code, side, message: sentence(about), cause };
}

/** A failure as an exception. */
export class RoundtripError extends Error {
  override readonly name = 'RoundtripError';
  readonly failure: Failure;

  constructor(of: Failure) {
    super(of.message);
    this.failure = of;
  }

  get code(): string {
    return this.failure.code;
  }
}

/** Throws or rejects with a failure of the catalogue. */
export function roundtripError<C extends FailureCode>(
  code: C,
  about: AboutOf<C>,
  cause: string | null = null,
): RoundtripError {
  return new RoundtripError(failure(code, about, cause));
}

/** The system's error code of a thrown value, such as `ECONNRESET`, or null. */
export function systemCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** The thrown failure, or `engine.internal` for anything else. Plain data: a class does not cross threads. */
export function failureOf(error: unknown): Failure {
  return error instanceof RoundtripError ? error.failure : failure('engine.internal', { detail: describe(error) });
}

/** The forms in which V8 quotes text that JSON.parse could not read, and valibot a value of the wrong type. */
const QUOTED_INPUT = /^.*(?=is not valid JSON$)|(?<=^Invalid \w+: Expected .*) but received .*$/s;

/**
 * The first line of a thrown value's message, for a `detail`. It goes into messages and logs and therefore leaves out
 * what the parsers quote: settings and rules may hold passwords and tokens.
 */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unquoted = message.replace(QUOTED_INPUT, (quoted) => (quoted.startsWith(' but received') ? '' : 'it '));
  return unquoted.split('\n', 1)[0] ?? '';
}
