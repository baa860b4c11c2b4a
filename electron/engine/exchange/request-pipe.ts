import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '../../../shared/model/failure.ts';
import { firstHeader, type RawHeaders } from '../../../shared/model/headers.ts';
import type { Fail } from '../../../shared/model/rule/actions.ts';
import { describe, failure } from '../../failures/errors.ts';
import type { ClientStream, Reset } from '../http/client-stream.ts';
import type { RequestHead, ResponseHead } from '../http/message.ts';
import { WITHOUT_GOAWAY } from '../http2/connection-loss.ts';
import { type LocalResponse, localResponse } from '../rules/actions/answer.ts';
import { changeRequestHead, withBodyLength } from '../rules/actions/change-request.ts';
import { mapRequest } from '../rules/actions/map-to.ts';
import { changesBody, EDIT_LIMIT, editBody, isStreamed } from '../rules/body-changes.ts';
import type { RequestPlan } from '../rules/rule-book.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { PipeParts } from './pipe-parts.ts';
import { RetainedBody } from './retained-body.ts';
import { WholeMessage } from './whole-message.ts';

/** The exchange whose request the pipe holds. */
export interface RequestPipeOwner {
  /** Whether the exchange still waits for the pipe. */
  readonly connects: boolean;
  listen(): void;
  /** Lets the request go upstream. `body`: what has been taken of it, or null if nothing was. */
  proceed(head: RequestHead, body: RetainedBody | null): void;
  answerLocally(response: LocalResponse): void;
  failByRule(about: Failure, reset: Reset): void;
  guarded(work: () => unknown): void;
}

const CONTINUE: ResponseHead = {
  status: 100,
  statusText: 'Continue',
  version: 'HTTP/1.1',
  headers: [],
  framing: { kind: 'none' },
  wire: Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'),
  size: 25,
  keepAlive: true,
};

/** How a rule's failure looks to the client. */
function resetOf({ how, code }: Fail): Reset {
  if (how === 'rst-stream') return { code, tcpReset: true, lost: 'stream' };
  if (how === 'goaway') return { code, tcpReset: false, lost: { goaway: { code, text: '' } } };
  return { code: 0, tcpReset: how === 'reset', lost: WITHOUT_GOAWAY };
}

/**
 * Holds and changes one request between the client and the attempts upstream, as its rules plan. An exchange that no
 * rule matches has no pipe.
 */
export class RequestPipe {
  /** Whether the pipe takes the body. If not, the body takes its usual way. */
  takes = false;
  readonly #plan: RequestPlan;
  readonly #owner: RequestPipeOwner;
  readonly #stream: ClientStream;
  readonly #clock: ExchangeClock;
  /** The body, if it is edited; null: it is discarded, or not taken. */
  #whole: WholeMessage | null = null;

  constructor(plan: RequestPlan, { client, clock }: PipeParts, owner: RequestPipeOwner) {
    this.#plan = plan;
    this.#stream = client;
    this.#clock = clock;
    this.#owner = owner;
  }

  /** A black hole: a client that closes its side has nothing to wait for. */
  get neverAnswers(): boolean {
    const { fate } = this.#plan;
    return fate !== null && 'fail' in fate && fate.fail.how === 'black-hole';
  }

  start(): void {
    const { delayMs, fate, changes } = this.#plan;
    const isSent = fate === null || 'mapTo' in fate;
    if (isSent && changes.some(changesBody)) this.#take();
    if (!isSent) this.takes = true;
    if (delayMs === 0 && isSent && !this.takes) {
      this.#owner.proceed(this.#changedHead(), null);
      return;
    }
    this.#owner.listen();
    this.#run().catch((error: unknown) =>
      this.#owner.guarded(() => {
        throw error;
      }),
    );
  }

  #take(): void {
    const { headers, framing, upgrade } = this.#stream.head;
    if (upgrade || isStreamed(headers)) {
      this.#problem('the body is unchanged: it is a stream');
      return;
    }
    this.takes = true;
    this.#whole = new WholeMessage(EDIT_LIMIT);
    if (framing.kind === 'none') this.#whole.end([]);
    // The client waits for this before it sends the body, which nobody else will ask for.
    if (/^100-continue$/i.test(firstHeader(headers, 'expect') ?? '')) this.#stream.informational(CONTINUE);
  }

  /** Whether more of the body is welcome. One over the limit waits until it goes on unchanged. */
  get hasRoom(): boolean {
    return this.takes && !this.#whole?.isOverLimit;
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): void {
    this.#whole?.add(wire, payload);
  }

  /** Returns whether the request ends here: nothing of it goes upstream. */
  end(trailers: RawHeaders): boolean {
    this.#whole?.end(trailers);
    return this.#whole === null;
  }

  async #run(): Promise<void> {
    const { delayMs, fate } = this.#plan;
    const from = performance.now();
    if (delayMs > 0) await pause(delayMs);
    await this.#whole?.settled;
    const isSent = fate === null || 'mapTo' in fate;
    const response = !isSent && 'answer' in fate ? await this.#localResponse(fate.answer) : null;
    const sent = isSent ? await this.#changedRequest() : null;
    if (!this.#owner.connects) {
      response?.body?.destroy();
      return;
    }
    this.#clock.held(from, performance.now());
    this.#owner.guarded(() => {
      if (sent) this.#owner.proceed(sent.head, sent.body);
      else if (response) this.#owner.answerLocally(response);
      else if (fate && 'fail' in fate) this.#fail(fate.fail);
      else throw new Error('a final action without an end');
    });
  }

  #fail(fail: Fail): void {
    if (fail.how === 'black-hole') return;
    const about = failure('rules.failed', { name: this.#lastRule, how: fail.how });
    this.#owner.failByRule(about, resetOf(fail));
  }

  get #lastRule(): string {
    return this.#plan.outcomes.at(-1)?.name ?? '';
  }

  async #localResponse(answer: Parameters<typeof localResponse>[0]): Promise<LocalResponse | null> {
    try {
      return await localResponse(answer, this.#stream.head);
    } catch (error) {
      if (!this.#owner.connects) return null;
      const path = answer.file ?? answer.folder ?? '';
      const about = failure('rules.answer-missing', { name: this.#lastRule, path, detail: describe(error) });
      this.#owner.failByRule(about, { code: 0, tcpReset: false, lost: WITHOUT_GOAWAY });
      return null;
    }
  }

  #changedHead(): RequestHead {
    const { changes, fate } = this.#plan;
    let head = this.#stream.head;
    for (const change of changes) head = changeRequestHead(head, change);
    return fate && 'mapTo' in fate ? mapRequest(head, fate.mapTo) : head;
  }

  async #changedRequest(): Promise<{ head: RequestHead; body: RetainedBody | null }> {
    const head = this.#changedHead();
    const whole = this.#whole;
    if (whole === null) return { head, body: null };
    if (whole.isOverLimit) {
      this.#problem(`the body is unchanged: it is larger than ${EDIT_LIMIT / 1024 / 1024} MiB`);
      return { head, body: this.#asItCame(whole) };
    }
    const changes = this.#plan.changes.filter(changesBody);
    const { bytes, problem } = await editBody(whole.bytes, this.#stream.head.headers, changes);
    if (problem !== null) {
      this.#problem(problem);
      return { head, body: this.#asItCame(whole) };
    }
    const body = new RetainedBody(Number.POSITIVE_INFINITY);
    if (bytes.length > 0) body.add(bytes, [bytes]);
    body.end([]);
    return { head: withBodyLength(head, bytes.length), body };
  }

  /** What has arrived of the body. More may follow, which is kept for another attempt up to a MiB. */
  #asItCame({ pieces, trailers }: WholeMessage): RetainedBody | null {
    if (this.#stream.head.framing.kind === 'none') return null;
    const size = pieces.reduce((sum, { wire, payload }) => sum + (wire?.length ?? Buffer.concat(payload).length), 0);
    this.takes = false;
    const body = new RetainedBody(size + 1024 * 1024);
    for (const { wire, payload } of pieces) body.add(wire, payload);
    if (trailers) body.end(trailers);
    return body;
  }

  #problem(problem: string): void {
    const outcome = this.#plan.outcomes.findLast(({ actions }) => actions.includes('changeRequest'));
    if (outcome) outcome.problem = problem;
  }
}
