import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../../shared/model/rule/actions.ts';
import { lastChunk } from '../../http/header-rules.ts';
import type { RequestHead, ResponseHead } from '../../http/message.ts';
import { noteProblem, type PlannedChange } from '../../rules/planned-change.ts';
import { changedTrailers, trailerChanges, withTrailersChanged } from '../../rules/trailers.ts';
import { chunkOf } from './edited-body.ts';

/**
 * The head for the trailers that rules want, and what changes them. Null: no rule changes trailers, or trailers are
 * impossible here, and the rules get the reason (`problem`, as `trailersProblem`). `changed`: a head with other fields.
 */
export function trailerEdit<H extends RequestHead | ResponseHead>(
  head: H,
  plan: readonly PlannedChange[],
  problem: string | null,
  changed: (head: H, changes: Partial<Pick<H, 'headers' | 'framing'>>) => H,
): { head: H; edit: TrailerEdit } | null {
  const planned = trailerChanges(plan);
  for (const { outcome } of planned) noteProblem(outcome, problem);
  if (planned.length === 0 || problem !== null) return null;
  const changes = planned.map(({ change }) => change);
  const next = changed(head, withTrailersChanged(head, changes));
  return { head: next, edit: new TrailerEdit(changes, next) };
}

/** Changes the trailers of one message as it passes. Its body keeps its content, and gets chunks of our own. */
export class TrailerEdit {
  readonly #changes: readonly ChangeMessage[];
  readonly #isHttp2: boolean;
  readonly #isChunked: boolean;

  /** `head`: as sent. */
  constructor(changes: readonly ChangeMessage[], { version, wire, framing }: RequestHead | ResponseHead) {
    this.#changes = changes;
    this.#isHttp2 = version === 'HTTP/2.0';
    this.#isChunked = wire !== null && framing.kind === 'chunked';
  }

  changed(trailers: RawHeaders): RawHeaders {
    return changedTrailers(trailers, this.#changes, this.#isHttp2);
  }

  /** A part of the body in the bytes of HTTP/1.1: the received ones may hold the old trailers, or no chunks. */
  framed(wire: Buffer | null, payload: readonly Buffer[]): Buffer | null {
    if (!this.#isChunked) return wire;
    const bytes = Buffer.concat(payload);
    return bytes.length === 0 ? bytes : chunkOf(bytes);
  }

  /** The bytes that end the body; null: another hop writes them. */
  end(trailers: RawHeaders): Buffer | null {
    return this.#isChunked ? lastChunk(trailers) : null;
  }
}
