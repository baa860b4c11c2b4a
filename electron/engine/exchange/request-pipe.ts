import { setTimeout as pause } from 'node:timers/promises';
import { formatLimit } from '../../../shared/format/sizes.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import { firstHeader, type RawHeaders } from '../../../shared/model/headers.ts';
import type { Answer, Fail } from '../../../shared/model/rule/actions.ts';
import { HELD_BODY_LIMIT } from '../../../shared/model/rule/held-message.ts';
import { describe, failure } from '../../failures/errors.ts';
import type { ClientStream, Reset } from '../http/client-stream.ts';
import type { RequestHead, ResponseHead } from '../http/message.ts';
import { CODE } from '../http2/error-codes.ts';
import { type LocalResponse, localResponse } from '../rules/actions/answer.ts';
import type { Hold } from '../rules/actions/break.ts';
import { changedHead, withBodyLength, withTrailingBody } from '../rules/actions/change-request.ts';
import { EDIT_LIMIT, isStreamed } from '../rules/body-changes.ts';
import { bodyChanges, editBodyAsPlanned, noteBodyProblem } from '../rules/planned-change.ts';
import type { RequestPlan } from '../rules/plans.ts';
import { trailersAfterEdit, trailersProblem } from '../rules/trailers.ts';
import { type Breakpoint, type RequestEnding, type SentRequest, TOO_LARGE } from './edits/breakpoint.ts';
import { editedPieces } from './edits/edited-body.ts';
import { plannedHead } from './edits/planned-head.ts';
import { resetOf } from './edits/planned-reset.ts';
import { carriesMessages } from './edits/stream-edits.ts';
import { type TrailerEdit, trailerEdit } from './edits/trailer-edit.ts';
import type { UpstreamRequest } from './edits/upstream-request.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { RetainedBody } from './flow/retained-body.ts';
import type { PipeParts } from './pipe-parts.ts';
import type { CodedBody, ScriptStage } from './scripts/script-stage.ts';
import { WholeMessage } from './whole-message.ts';

/** The exchange whose request the pipe holds. */
export interface RequestPipeOwner {
  /** Whether the exchange still waits for the pipe. */
  readonly connects: boolean;
  listen(): void;
  /** Sends the request upstream. `body`: the part that was read, or null. */
  proceed(head: RequestHead, body: RetainedBody | null): void;
  /** `isWhole`: nothing of the request is left to arrive. `about`: the failure of a response that breaks off. */
  respondLocally(response: LocalResponse, isWhole: boolean, about: (detail: string) => Failure): void;
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

/**
 * Holds and changes one request between the client and the attempts upstream, as its rules plan. An exchange that no
 * rule matches has no pipe.
 */
export class RequestPipe {
  /** Whether the pipe reads the body. If not, the body takes its usual path. */
  takes = false;
  readonly #plan: RequestPlan;
  readonly #breakpoint: Breakpoint;
  readonly #scripts: ScriptStage;
  readonly #owner: RequestPipeOwner;
  readonly #stream: ClientStream;
  readonly #upstream: UpstreamRequest;
  readonly #clock: ExchangeClock;
  readonly #log: ExchangeLog;
  /** Changes the trailers of what passes; null: they stay, or the pipe reads the body. */
  #trailers: TrailerEdit | null = null;
  /** The body, if it is edited; null: it is discarded, or not read. */
  #whole: WholeMessage | null = null;
  #hasEnded = false;
  /** Why the body can't be edited, as part of a sentence; null: it can. */
  #uneditable: string | null = null;

  constructor(plan: RequestPlan, parts: PipeParts, owner: RequestPipeOwner) {
    this.#plan = plan;
    this.#stream = parts.client;
    this.#upstream = parts.request;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#owner = owner;
    this.#breakpoint = parts.breakpoint;
    this.#scripts = parts.scripts;
  }

  /** A black hole: a client that closes its side need not wait. */
  get neverResponds(): boolean {
    const { fate } = this.#plan;
    return fate !== null && 'fail' in fate && fate.fail.how === 'black-hole';
  }

  get #isSent(): boolean {
    const { fate } = this.#plan;
    return fate === null || 'mapTo' in fate;
  }

  start(): void {
    const { delayMs, hold, scripts } = this.#plan;
    if (hold) this.#hold();
    else if (!this.#isSent) this.takes = true;
    else if (this.#edits) this.#take();
    if (delayMs === 0 && this.#isSent && !this.takes && scripts.length === 0) {
      this.#send({ head: plannedHead(this.#plan, this.#stream.head), bytes: null });
      return;
    }
    this.#owner.listen();
    this.#run().catch((error: unknown) =>
      this.#owner.guarded(() => {
        throw error;
      }),
    );
  }

  /** Whether the body is edited, or may be by a script. */
  get #edits(): boolean {
    const { changes, scripts } = this.#plan;
    return bodyChanges(changes).length > 0 || scripts.some(({ script }) => script.body);
  }

  /** Whether the body may never end: then nothing waits for all of it. */
  get #isStream(): boolean {
    const { headers, upgrade, method } = this.#stream.head;
    return upgrade || method === 'CONNECT' || isStreamed(headers);
  }

  #take(): void {
    if (this.#isStream) {
      // The messages of some streams are changed as they pass.
      if (!carriesMessages(this.#stream.head))
        noteBodyProblem(this.#plan.changes, 'the body is unchanged: it is a stream');
      return;
    }
    this.#collect(EDIT_LIMIT);
  }

  /** A breakpoint keeps what arrives, and shows a complete body. */
  #hold(): void {
    if (this.#edits) this.#take();
    if (!this.takes) this.#collect(HELD_BODY_LIMIT);
    if (this.#isStream) this.#uneditable = 'it is a stream';
  }

  #collect(limit: number): void {
    const { headers, framing } = this.#stream.head;
    this.takes = true;
    this.#whole = new WholeMessage(limit);
    if (framing.kind === 'none') this.#whole.end([]);
    // The client waits for this before it sends the body, and nothing else will request it.
    const waits = /^100-continue$/i.test(firstHeader(headers, 'expect') ?? '');
    if (waits && !this.#isStream) this.#stream.informational(CONTINUE);
  }

  /** Whether more of the body is accepted. One over the limit waits until it continues unchanged. */
  get hasRoom(): boolean {
    return this.takes && !this.#whole?.isOverLimit;
  }

  /** Returns `hasRoom`. */
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    this.#whole?.add(wire, payload);
    return this.hasRoom;
  }

  /** Returns whether the request ends here: nothing of it goes upstream. */
  end(trailers: RawHeaders): boolean {
    this.#hasEnded = true;
    this.#whole?.end(trailers);
    return this.#whole === null;
  }

  /** A part of the body that passes, in the bytes of HTTP/1.1. */
  framed(wire: Buffer | null, payload: readonly Buffer[]): Buffer | null {
    return this.#trailers ? this.#trailers.framed(wire, payload) : wire;
  }

  /** The end of a body that passes. `last`: the bytes that end it; null: unchanged. */
  ended(trailers: RawHeaders): { trailers: RawHeaders; last: Buffer | null } {
    if (this.#trailers === null) return { trailers, last: null };
    const changed = this.#trailers.changed(trailers);
    this.#log.otherTrailers('sent', changed);
    return { trailers: changed, last: this.#trailers.end(changed) };
  }

  async #run(): Promise<void> {
    const { delayMs, hold } = this.#plan;
    const from = performance.now();
    if (delayMs > 0) await pause(delayMs);
    if (this.#uneditable === null) await this.#whole?.settled;
    const planned = await this.#planned();
    const decision = hold && this.#owner.connects ? await this.#released(hold, planned) : null;
    const ending = decision ?? planned;
    const response = 'answer' in ending ? await this.#localResponse(ending.answer) : null;
    if (!this.#owner.connects) {
      response?.body?.destroy();
      return;
    }
    this.#clock.held(from, performance.now());
    this.#owner.guarded(() => {
      if (response && 'answer' in ending) this.#respondLocally(response, ending.answer);
      else if ('sent' in ending) this.#send(ending.sent);
      else if ('fail' in ending) this.#fail(ending.fail);
      else if ('aborted' in ending) this.#abort();
    });
  }

  async #planned(): Promise<RequestEnding> {
    const { fate } = this.#plan;
    if (fate && ('answer' in fate || 'fail' in fate)) return fate;
    const sent = await this.#changedRequest();
    const { scripts } = this.#plan;
    return scripts.length === 0 ? { sent } : await this.#scripts.request(scripts, sent, this.#wholeBody);
  }

  /** The body as it arrived; null: it is unavailable or incomplete. */
  get #wholeBody(): CodedBody | null {
    const whole = this.#whole;
    if (whole === null || whole.isOverLimit || whole.trailers === null) return null;
    return { bytes: whole.bytes, headers: this.#stream.head.headers };
  }

  /** The user's decision at a breakpoint; null: none. An edited request may still have its final action. */
  async #released(hold: Hold, planned: RequestEnding): Promise<RequestEnding | null> {
    if (!this.#breakpoint.opens(this.#plan.outcomes)) return null;
    const sent = 'sent' in planned ? planned.sent : await this.#changedRequest();
    const whole = this.#whole;
    const arrived = whole === null || whole.isOverLimit ? TOO_LARGE : whole.bytes;
    const decision = await this.#breakpoint.request(hold, sent, this.#uneditable ?? sent.bytes ?? arrived);
    return decision && 'sent' in decision && !this.#isSent ? null : decision;
  }

  /** The rest of the request is discarded. */
  #respondLocally(response: LocalResponse, answer: Answer): void {
    this.takes = true;
    this.#whole = null;
    this.#owner.respondLocally(response, this.#hasEnded, (detail) => this.#missing(answer, detail));
  }

  #missing({ file, folder }: Answer, detail: string): Failure {
    return failure('rules.answer-missing', { name: this.#lastRule, path: file ?? folder ?? '', detail });
  }

  #abort(): void {
    this.#whole = null;
    const about = failure('rules.failed', { name: this.#plan.hold?.rule ?? '', how: 'aborted manually' });
    this.#owner.failByRule(about, { code: CODE.CANCEL, tcpReset: true, lost: 'stream' });
  }

  #fail(fail: Fail): void {
    this.#whole = null;
    if (fail.how === 'black-hole') return;
    const about = failure('rules.failed', { name: this.#lastRule, how: fail.how });
    this.#owner.failByRule(about, resetOf(fail));
  }

  get #lastRule(): string {
    return this.#plan.outcomes.at(-1)?.name ?? '';
  }

  async #localResponse(answer: Answer): Promise<LocalResponse | null> {
    try {
      return await localResponse(answer, this.#stream.head);
    } catch (error) {
      if (!this.#owner.connects) return null;
      // Other requests of an HTTP/2 connection do not concern the file.
      const about = this.#missing(answer, describe(error));
      this.#owner.failByRule(about, { code: CODE.INTERNAL_ERROR, tcpReset: false, lost: 'stream' });
      return null;
    }
  }

  /** The request after the rules' changes. */
  async #changedRequest(): Promise<SentRequest> {
    const head = plannedHead(this.#plan, this.#stream.head);
    const { changes } = this.#plan;
    const whole = this.#whole;
    if (whole === null || bodyChanges(changes).length === 0 || this.#uneditable !== null) return { head, bytes: null };
    if (whole.isOverLimit) {
      noteBodyProblem(changes, `the body is unchanged: it is larger than ${formatLimit(EDIT_LIMIT)}`);
      return { head, bytes: null };
    }
    return { head, bytes: await editBodyAsPlanned(whole.bytes, this.#stream.head.headers, changes, head.headers) };
  }

  #send({ head: planned, bytes }: SentRequest): void {
    const head = this.#withTrailers(planned);
    if (bytes === null) {
      this.#proceed(head, this.#whole && this.#asItCame(this.#whole));
      return;
    }
    const kept = trailersAfterEdit(this.#whole?.trailers ?? []);
    const trailers = this.#trailers?.changed(kept) ?? kept;
    const body = new RetainedBody(Number.POSITIVE_INFINITY);
    for (const { wire, payload } of editedPieces(bytes, trailers)) body.add(wire, payload);
    body.end(trailers);
    this.#log.otherTrailers('sent', trailers);
    this.#proceed(trailers.length > 0 ? withTrailingBody(head) : withBodyLength(head, bytes.length), body);
    this.#log.otherBody('sent', [bytes], true);
  }

  #proceed(head: RequestHead, body: RetainedBody | null): void {
    this.#upstream.head = head;
    this.#owner.proceed(head, body);
  }

  /** The head for the trailers that rules want. If there can be none, the rules get the reason. */
  #withTrailers(head: RequestHead): RequestHead {
    const { framing, version, upgrade, method } = this.#stream.head;
    const hasBody = framing.kind !== 'none' && !upgrade && method !== 'CONNECT';
    const planned = trailerEdit(head, this.#plan.changes, trailersProblem([version], hasBody), changedHead);
    this.#trailers = planned?.edit ?? null;
    return planned?.head ?? head;
  }

  /** What has arrived of the body. More may follow, which is kept for another attempt up to a MiB. */
  #asItCame({ pieces, trailers }: WholeMessage): RetainedBody | null {
    this.takes = false;
    if (this.#stream.head.framing.kind === 'none') return null;
    const framed = pieces.map(({ wire, payload }) => ({ wire: this.framed(wire, payload), payload }));
    const end = trailers && this.ended(trailers);
    if (end?.last) framed.push({ wire: end.last, payload: [] });
    const size = framed.reduce((sum, { wire, payload }) => sum + (wire?.length ?? Buffer.concat(payload).length), 0);
    const body = new RetainedBody(size + 1024 * 1024);
    for (const { wire, payload } of framed) body.add(wire, payload);
    if (end) body.end(end.trailers);
    return body;
  }
}
