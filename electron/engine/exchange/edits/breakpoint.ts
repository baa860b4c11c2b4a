import { formatLimit } from '../../../../shared/format/sizes.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { Answer, Fail } from '../../../../shared/model/rule/actions.ts';
import { type EditedResponse, HELD_BODY_LIMIT, type Release } from '../../../../shared/model/rule/held-message.ts';
import type { RuleOutcome } from '../../../../shared/model/rule/rule.ts';
import { roundtripError, systemCode } from '../../../failures/errors.ts';
import type { ClientStream } from '../../http/client-stream.ts';
import type { RequestHead, ResponseHead } from '../../http/message.ts';
import type { Hold } from '../../rules/actions/break.ts';
import type { BreakQueue } from '../../rules/breaks/break-queue.ts';
import type { HeldEntry, Released, ShownMessage } from '../../rules/breaks/held-entry.ts';
import { editedRequest, editedResponse, shownFields, shownUrl } from '../../rules/breaks/held-heads.ts';
import { decodeBody, encodeBody, hasKnownCodings } from '../../rules/codings.ts';
import type { ExchangeLog } from '../exchange-log.ts';
import { epochOf } from '../wall-clock.ts';

/** A body for the editor, decoded; or why it can't be edited. */
type EditableBody = Pick<ShownMessage, 'body' | 'bodyProblem'>;

/** `bytes`: the whole body in its codings, or why there is none. */
async function editableBody(bytes: Buffer | string, headers: RawHeaders): Promise<EditableBody> {
  if (typeof bytes === 'string') return { body: null, bodyProblem: bytes };
  try {
    return { body: await decodeBody(bytes, headers, HELD_BODY_LIMIT), bodyProblem: null };
  } catch (error) {
    const isTooLarge = systemCode(error) === 'ERR_BUFFER_TOO_LARGE';
    return { body: null, bodyProblem: isTooLarge ? TOO_LARGE : 'it cannot be decoded' };
  }
}

/** `bytes`: an edited body in its codings; null: the body continues unchanged. */
export interface SentRequest {
  head: RequestHead;
  bytes: Buffer | null;
}

export interface SentResponse {
  head: ResponseHead;
  bytes: Buffer | null;
}

/** How a request continues. */
export type RequestEnding = { sent: SentRequest } | { answer: Answer } | { fail: Fail } | { aborted: true };

/** Why a body can't be edited manually, as part of a sentence. */
export const TOO_LARGE = `it is larger than ${formatLimit(HELD_BODY_LIMIT)}`;

function refuse(detail: string): never {
  throw roundtripError('rules.release-refused', { detail });
}

function checkCoding(release: Release): void {
  if (!('headers' in release) || release.body === 'kept' || hasKnownCodings(release.headers.flat())) return;
  refuse('its content coding is unknown. Remove the field content-encoding.');
}

async function answerOf({ status, headers, body }: EditedResponse, written: Buffer): Promise<Answer> {
  const bytes = body === 'kept' ? Buffer.alloc(0) : await encodeBody(written, headers.flat());
  return { status, headers, bodyBase64: bytes.toString('base64'), cors: false };
}

interface BreakpointParts {
  client: ClientStream;
  log: ExchangeLog;
  breaks: BreakQueue;
}

/** Holds messages of one exchange in the queue of breakpoints, one at a time. */
export class Breakpoint {
  readonly #parts: BreakpointParts;
  /** Messages of both directions may be held at once. */
  readonly #entries = new Set<HeldEntry>();
  #outcome: RuleOutcome | null = null;
  hasClientLeft = false;

  constructor(parts: BreakpointParts) {
    this.#parts = parts;
  }

  /** Whether a message is held now. If not, `outcomes` get the reason. */
  opens(outcomes: readonly RuleOutcome[]): boolean {
    const { refusal } = this.#parts.breaks;
    this.#outcome = outcomes.find(({ actions }) => actions.includes('break')) ?? null;
    this.#problem(refusal);
    return refusal === null;
  }

  /** `body`: in its codings, or why it can't be edited. Resolves with the decision; null: it continues as planned. */
  async request(hold: Hold, sent: SentRequest, body: Buffer | string): Promise<RequestEnding | null> {
    const { head, bytes } = sent;
    const editable = await editableBody(body, head.headers);
    const shown: ShownMessage = {
      ...this.#common(head, head),
      side: 'request',
      direction: null,
      status: null,
      ...editable,
    };
    const { release, written } = await this.#hold(hold, shown, (asked) => {
      checkCoding(asked);
      if (asked.how === 'message') refuse('it is a request.');
      if (asked.how !== 'request') return;
      if (asked.body === 'written' && editable.body === null)
        refuse(`the body is unchanged, because ${editable.bodyProblem}.`);
      editedRequest(head, asked);
    });
    if (release.how === 'continue') return null;
    if (release.how === 'response') return { answer: await answerOf(release, written) };
    if (release.how === 'request') {
      const edited = editedRequest(head, release);
      return {
        sent: { head: edited, bytes: release.body === 'kept' ? bytes : await encodeBody(written, edited.headers) },
      };
    }
    const status = release.how === 'abort' ? release.status : null;
    return status === null ? { aborted: true } : { answer: { status, headers: [], cors: false } };
  }

  /** The same for a response. */
  async response(
    hold: Hold,
    { head, bytes }: SentResponse,
    body: Buffer | string,
  ): Promise<{ sent: SentResponse } | { aborted: true } | null> {
    const editable = await editableBody(body, head.headers);
    const shown = {
      ...this.#common(this.#parts.client.head, head),
      side: 'response' as const,
      direction: null,
      status: head.status,
    };
    const { release, written } = await this.#hold(hold, { ...shown, ...editable }, (asked) => {
      checkCoding(asked);
      if (asked.how === 'request' || asked.how === 'message') refuse('it is a response.');
      if (asked.how === 'response') editedResponse(head, asked);
    });
    if (release.how === 'response') {
      const edited = editedResponse(head, release);
      return {
        sent: { head: edited, bytes: release.body === 'kept' ? bytes : await encodeBody(written, edited.headers) },
      };
    }
    if (release.how !== 'abort') return null;
    if (release.status === null) return { aborted: true };
    const empty = editedResponse(head, { how: 'response', status: release.status, headers: [], body: 'written' });
    return { sent: { head: empty, bytes: Buffer.alloc(0) } };
  }

  /**
   * One message of a stream. `payload`: decoded, or why it can't be edited. Resolves with the new payload; null: it
   * continues as planned.
   */
  async message(
    hold: Hold,
    direction: 'to-server' | 'to-client',
    payload: Buffer | string,
  ): Promise<Buffer | null | 'drop'> {
    const { head } = this.#parts.client;
    const isText = typeof payload !== 'string';
    const shown: ShownMessage = {
      ...{ ...this.#common(head, head), headers: [], side: 'message', direction, status: null },
      ...{ body: isText ? payload : null, bodyProblem: isText ? null : payload },
    };
    const { release, written } = await this.#hold(hold, shown, ({ how }) => {
      if (how === 'request' || how === 'response') refuse('it is a message of a stream.');
      if (how === 'message' && !isText) refuse(`the message is unchanged, because ${payload}.`);
    });
    if (release.how === 'abort') return 'drop';
    return release.how === 'message' ? written : null;
  }

  #common(request: RequestHead, { version, headers }: RequestHead | ResponseHead) {
    return { method: request.method, url: shownUrl(request), httpVersion: version, headers: shownFields(headers) };
  }

  async #hold(hold: Hold, shown: ShownMessage, check: (release: Release) => void): Promise<Released> {
    const { breaks, log } = this.#parts;
    if (shown.bodyProblem !== null) this.#problem(`the body could not be edited: ${shown.bodyProblem}`);
    const heldAt = epochOf(performance.now());
    const entry = breaks.hold(hold, { exchange: log.exchange.id, heldAt, shown, check });
    this.#entries.add(entry);
    if (this.hasClientLeft) entry.clientLeft();
    // The row shows that the exchange has begun.
    log.changed();
    const released = await entry.released;
    this.#entries.delete(entry);
    return released;
  }

  #problem(problem: string | null): void {
    if (this.#outcome && problem !== null) this.#outcome.problem = problem;
  }

  clientLeft(): void {
    this.hasClientLeft = true;
    for (const entry of this.#entries) entry.clientLeft();
  }

  /** The exchange has ended, but not because of its client: there is nothing to decide. */
  over(): void {
    if (!this.hasClientLeft) for (const entry of this.#entries) entry.continue();
  }
}
