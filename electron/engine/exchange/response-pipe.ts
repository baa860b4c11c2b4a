import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { failure } from '../../failures/errors.ts';
import type { ClientStream, Reset } from '../http/client-stream.ts';
import type { ResponseHead } from '../http/message.ts';
import { WITHOUT_GOAWAY } from '../http2/connection-loss.ts';
import { changeResponseHead, withResponseLength } from '../rules/actions/change-response.ts';
import { changesBody, EDIT_LIMIT, editBody, isStreamed } from '../rules/body-changes.ts';
import type { ResponsePlan } from '../rules/rule-book.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { PipeParts } from './pipe-parts.ts';
import { WholeMessage } from './whole-message.ts';

/** The exchange whose response the pipe holds. */
export interface ResponsePipeOwner {
  /** Whether the response can still reach the client. */
  readonly receives: boolean;
  respond(head: ResponseHead): void;
  /** Returns false if the client asks for a pause. */
  emit(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  finish(trailers: RawHeaders): void;
  resumeUpstream(): void;
  failByRule(about: Failure, reset: Reset): void;
  guarded(work: () => unknown): void;
}

/** Holds and changes one response between upstream and the client, as its rules plan. */
export class ResponsePipe {
  readonly #plan: ResponsePlan;
  readonly #owner: ResponsePipeOwner;
  readonly #whole: WholeMessage;
  readonly #client: ClientStream;
  readonly #clock: ExchangeClock;
  #head: ResponseHead;
  #edits = false;
  /** Body bytes until the planned failure. */
  #left: number;
  /** The head is out: everything passes at once. */
  isPassing = false;

  constructor(plan: ResponsePlan, head: ResponseHead, { client, clock }: PipeParts, owner: ResponsePipeOwner) {
    this.#plan = plan;
    this.#client = client;
    this.#clock = clock;
    this.#owner = owner;
    this.#head = head;
    this.#left = plan.fail?.bytes ?? Number.POSITIVE_INFINITY;
    this.#whole = new WholeMessage(EDIT_LIMIT);
  }

  start(): void {
    const upstream = this.#head;
    const { changes, delayMs } = this.#plan;
    for (const change of changes) this.#head = changeResponseHead(this.#head, change);
    this.#edits = changes.some(changesBody) && upstream.framing.kind !== 'none';
    if (this.#edits && isStreamed(upstream.headers)) {
      this.#edits = false;
      this.#problem('the body is unchanged: it is a stream');
    }
    if (delayMs === 0 && !this.#edits) {
      this.#pass();
      return;
    }
    this.#run(upstream.headers).catch((error: unknown) =>
      this.#owner.guarded(() => {
        throw error;
      }),
    );
  }

  async #run(headers: RawHeaders): Promise<void> {
    const from = performance.now();
    if (this.#plan.delayMs > 0) await pause(this.#plan.delayMs);
    if (this.#edits) await this.#whole.settled;
    const edited = this.#edits ? await this.#edited(headers) : null;
    if (!this.#owner.receives) return;
    this.#clock.held(from, performance.now());
    this.#owner.guarded(() => (edited ? this.#sendEdited(edited) : this.#pass()));
  }

  async #edited(headers: RawHeaders): Promise<Buffer | null> {
    if (this.#whole.isOverLimit) {
      this.#problem(`the body is unchanged: it is larger than ${EDIT_LIMIT / 1024 / 1024} MiB`);
      return null;
    }
    const { bytes, problem } = await editBody(this.#whole.bytes, headers, this.#plan.changes.filter(changesBody));
    if (problem === null) return bytes;
    this.#problem(problem);
    return null;
  }

  #sendEdited(bytes: Buffer): void {
    this.isPassing = true;
    this.#owner.respond(withResponseLength(this.#head, bytes.length));
    if (bytes.length > 0) this.#out(bytes, [bytes]);
    if (this.#owner.receives) this.#owner.finish([]);
  }

  /** Sends the head and what waits behind it; the rest passes as it comes. */
  #pass(): void {
    this.isPassing = true;
    this.#owner.respond(this.#head);
    if (this.#left === 0) this.#cut();
    for (const { wire, payload } of this.#whole.pieces) if (this.#owner.receives) this.#out(wire, payload);
    if (!this.#owner.receives) return;
    if (this.#whole.trailers) this.#owner.finish(this.#whole.trailers);
    else this.#owner.resumeUpstream();
    this.#client.flush();
  }

  /** Returns false to pause upstream: while the head waits, and as the client asks. */
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.isPassing) return this.#out(wire, payload);
    this.#whole.add(wire, payload);
    return this.#edits && !this.#whole.isOverLimit;
  }

  end(trailers: RawHeaders): void {
    if (this.isPassing) this.#owner.finish(trailers);
    else this.#whole.end(trailers);
  }

  #out(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const size = payload.reduce((sum, { length }) => sum + length, 0);
    if (size < this.#left) {
      this.#left -= size;
      return this.#owner.emit(wire, payload);
    }
    const part = Buffer.concat(payload).subarray(0, this.#left);
    if (part.length > 0) this.#owner.emit(wire && this.#framed(part), [part]);
    this.#cut();
    return true;
  }

  /** In the framing of the head that the client has. */
  #framed(part: Buffer): Buffer {
    if (this.#head.framing.kind !== 'chunked') return part;
    return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  }

  #cut(): void {
    const { fail, outcomes } = this.#plan;
    if (fail === null) return;
    this.#client.flush();
    const about = failure('rules.failed', { name: outcomes.at(-1)?.name ?? '', how: fail.how });
    const isReset = fail.how === 'reset-in-response';
    const reset = isReset ? { code: fail.code, tcpReset: true, lost: 'stream' as const } : { code: 0, tcpReset: false };
    this.#owner.failByRule(about, isReset ? reset : { ...reset, lost: WITHOUT_GOAWAY });
  }

  #problem(problem: string): void {
    const outcome = this.#plan.outcomes.findLast(({ actions }) => actions.includes('changeResponse'));
    if (outcome) outcome.problem = problem;
  }
}
