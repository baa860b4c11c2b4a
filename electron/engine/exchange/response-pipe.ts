import { setTimeout as pause } from 'node:timers/promises';
import { formatLimit } from '../../../shared/format/sizes.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { HELD_BODY_LIMIT } from '../../../shared/model/rule/held-message.ts';
import { failure } from '../../failures/errors.ts';
import type { ClientStream, Reset } from '../http/client-stream.ts';
import { lastChunk } from '../http/header-rules.ts';
import type { ResponseHead } from '../http/message.ts';
import { CODE } from '../http2/error-codes.ts';
import type { Hold } from '../rules/actions/break.ts';
import {
  changedResponse,
  changeResponseHead,
  withoutBody,
  withResponseLength,
  withStreamFraming,
  withTrailingResponse,
  withWrongLength,
} from '../rules/actions/change-response.ts';
import { bodilessProblem, EDIT_LIMIT, isStreamed } from '../rules/body-changes.ts';
import type { MessagePassage } from '../rules/messages/message-editor.ts';
import { asksForWebSocket, bodyReader, webSocketReader } from '../rules/messages/stream-reader.ts';
import { bodyChanges, editBodyAsPlanned, noteBodyProblem, noteProblem } from '../rules/planned-change.ts';
import type { ResponsePlan } from '../rules/plans.ts';
import { trailersAfterEdit, trailersProblem } from '../rules/trailers.ts';
import { type Breakpoint, type SentResponse, TOO_LARGE } from './edits/breakpoint.ts';
import { chunkOf, editedPieces } from './edits/edited-body.ts';
import type { StreamEdits } from './edits/stream-edits.ts';
import { TrailerEdit, trailerEdit } from './edits/trailer-edit.ts';
import type { UpstreamRequest } from './edits/upstream-request.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { PipeParts } from './pipe-parts.ts';
import type { ScriptStage } from './scripts/script-stage.ts';
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
  /** The rest of upstream's response is not needed. */
  abandonUpstream(): void;
  failByRule(about: Failure, reset: Reset): void;
  guarded(work: () => unknown): void;
}

/** Holds and changes one response between upstream and the client, as its rules plan. */
export class ResponsePipe {
  readonly #plan: ResponsePlan;
  readonly #breakpoint: Breakpoint;
  readonly #scripts: ScriptStage;
  readonly #owner: ResponsePipeOwner;
  readonly #whole: WholeMessage;
  readonly #client: ClientStream;
  readonly #request: UpstreamRequest;
  readonly #clock: ExchangeClock;
  readonly #log: ExchangeLog;
  readonly #upstream: ResponseHead;
  #head: ResponseHead;
  /** Rules edit the body. */
  #edits = false;
  /** Waits for the whole body. */
  #collects = false;
  /** Body bytes until the planned failure. */
  #left: number;
  /** The head was sent: everything passes at once. */
  isPassing = false;
  /** The client has a different response: what upstream sends is discarded. */
  #isReplaced = false;
  readonly #stream: StreamEdits;
  /** Null: no message is changed individually. */
  #messages: MessagePassage | null = null;
  /** Null: the trailers stay. */
  #trailers: TrailerEdit | null = null;
  /** Messages leave some time after they arrived: the client may have requested a pause meanwhile. */
  #isClientFull = false;

  constructor(plan: ResponsePlan, head: ResponseHead, parts: PipeParts, owner: ResponsePipeOwner) {
    this.#plan = plan;
    this.#client = parts.client;
    this.#request = parts.request;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#owner = owner;
    this.#head = head;
    this.#upstream = head;
    this.#left = plan.fail && !this.#liesAboutLength ? plan.fail.bytes : Number.POSITIVE_INFINITY;
    this.#breakpoint = parts.breakpoint;
    this.#scripts = parts.scripts;
    const isEdited = bodyChanges(plan.changes).length > 0 || plan.scripts.length > 0;
    this.#whole = new WholeMessage(isEdited ? EDIT_LIMIT : HELD_BODY_LIMIT);
    this.#stream = parts.stream;
  }

  start(): void {
    const upstream = this.#upstream;
    const { changes, delayMs, hold, scripts } = this.#plan;
    for (const { change, outcome } of changes) {
      const changed = changeResponseHead(this.#head, change, this.#client.head);
      noteProblem(outcome, changed.problem);
      this.#head = changed.head;
    }
    const bodiless = bodilessProblem(this.#client.head.method, this.#head.status);
    if (bodiless !== null) noteBodyProblem(changes, bodiless);
    this.#edits = bodiless === null && bodyChanges(changes).length > 0;
    if (this.#isStream) this.#editMessages();
    const wantsBody = hold !== null || scripts.some(({ script }) => script.body);
    this.#collects = this.#edits || (wantsBody && upstream.framing.kind !== 'none' && !this.#isStream);
    if (delayMs === 0 && !this.#edits && hold === null && scripts.length === 0) {
      this.#send({ head: this.#head, bytes: null });
      return;
    }
    this.#run(upstream.headers).catch((error: unknown) =>
      this.#owner.guarded(() => {
        throw error;
      }),
    );
  }

  /** Messages are changed as they pass. */
  #editMessages(): void {
    const { method, headers } = this.#client.head;
    const isWebSocket = method === 'CONNECT' && asksForWebSocket(method, headers);
    this.#edits = false;
    this.#messages = this.#stream.editor(
      'to-client',
      isWebSocket ? webSocketReader() : bodyReader(this.#upstream.headers),
      {
        out: (bytes) => this.#owner.guarded(() => this.#message(bytes)),
        roomy: () => this.#owner.resumeUpstream(),
      },
    );
    if (this.#messages) this.#head = withStreamFraming(this.#head);
  }

  #message(bytes: Buffer): void {
    if (!this.#owner.receives) return;
    this.#isClientFull = !this.#out(this.#head.wire && this.#framed(bytes), [bytes]);
    this.#client.flush();
  }

  /** The client accepts more. */
  drained(): void {
    this.#isClientFull = false;
  }

  #endMessages(trailers: RawHeaders): void {
    if (!this.#owner.receives) return;
    const isChunked = this.#head.wire !== null && this.#head.framing.kind === 'chunked';
    if (isChunked) this.#owner.emit(lastChunk(trailers), []);
    this.#owner.finish(trailers);
    this.#client.flush();
  }

  /** Whether the body may never end: then nothing waits for all of it. */
  get #isStream(): boolean {
    return isStreamed(this.#upstream.headers) || this.#client.head.method === 'CONNECT';
  }

  async #run(headers: RawHeaders): Promise<void> {
    const { delayMs, hold } = this.#plan;
    const from = performance.now();
    if (delayMs > 0) await pause(delayMs);
    if (this.#collects) await this.#whole.settled;
    const changed = { head: this.#head, bytes: this.#edits ? await this.#edited(headers) : null };
    const planned = await this.#scripted(changed);
    const decision = hold && this.#owner.receives ? await this.#released(hold, planned) : null;
    if (!this.#owner.receives) return;
    this.#clock.held(from, performance.now());
    this.#owner.guarded(() => {
      if (decision && 'aborted' in decision) this.#abort();
      else this.#send(decision?.sent ?? planned);
    });
  }

  /** The body arrives whole, with a wrong Content-Length. */
  get #liesAboutLength(): boolean {
    return this.#plan.fail?.how === 'wrong-length';
  }

  #respond(head: ResponseHead): void {
    const { fail } = this.#plan;
    this.#owner.respond(fail && this.#liesAboutLength ? withWrongLength(head, fail.bytes) : head);
  }

  async #scripted(changed: SentResponse): Promise<SentResponse> {
    const { scripts } = this.#plan;
    if (scripts.length === 0) return changed;
    const isWhole = this.#collects && !this.#whole.isOverLimit && this.#whole.trailers !== null;
    const arrived = isWhole ? { bytes: this.#whole.bytes, headers: this.#upstream.headers } : null;
    return await this.#scripts.response(scripts, this.#request.head, changed, arrived);
  }

  /** The user's decision at a breakpoint; null: none. */
  async #released(hold: Hold, planned: SentResponse) {
    if (!this.#breakpoint.opens(this.#plan.outcomes)) return null;
    const arrived = this.#whole.isOverLimit ? TOO_LARGE : this.#whole.bytes;
    const body = this.#isStream ? 'it is a stream' : (planned.bytes ?? arrived);
    return await this.#breakpoint.response(hold, planned, body);
  }

  #abort(): void {
    const about = failure('rules.failed', { name: this.#plan.hold?.rule ?? '', how: 'aborted manually' });
    this.#owner.failByRule(about, { code: CODE.CANCEL, tcpReset: true, lost: 'stream' });
  }

  async #edited(headers: RawHeaders): Promise<Buffer | null> {
    const { changes } = this.#plan;
    if (this.#whole.isOverLimit) {
      noteBodyProblem(changes, `the body is unchanged: it is larger than ${formatLimit(EDIT_LIMIT)}`);
      return null;
    }
    const bytes = await editBodyAsPlanned(this.#whole.bytes, headers, changes, this.#head.headers);
    // A response without a body is not one with an empty one: the latter announces its length.
    return bytes?.length === 0 && this.#upstream.framing.kind === 'none' ? null : bytes;
  }

  #send({ head, bytes }: SentResponse): void {
    const { method } = this.#client.head;
    const hasBody = bodilessProblem(method, head.status) === null;
    this.#head = this.#withTrailers(head, hasBody);
    // A different status may remove the body, or need a length where there was no body.
    const { status, framing } = this.#upstream;
    const isOther = head.status !== status && method !== 'CONNECT' && hasBody !== (framing.kind !== 'none');
    if (bytes === null && !isOther) this.#pass();
    else this.#sendWhole(this.#head, hasBody ? (bytes ?? Buffer.alloc(0)) : null);
  }

  /** The head for the trailers that rules want. If there can be none, the rules get the reason. */
  #withTrailers(head: ResponseHead, hasBody: boolean): ResponseHead {
    const { method, version } = this.#client.head;
    const problem = this.#liesAboutLength
      ? 'the trailers are unchanged: none can follow a body with a wrong length'
      : trailersProblem([head.version, version], hasBody && method !== 'CONNECT');
    const planned = trailerEdit(head, this.#plan.changes, problem, changedResponse);
    // A cut may fall into the middle of upstream's chunk: the client would read our framing as a part of the body.
    const cuts = Number.isFinite(this.#left);
    this.#trailers = planned?.edit ?? (cuts ? new TrailerEdit([], head) : null);
    return planned?.head ?? head;
  }

  /** `bytes`: null if the status or the method allows no body. */
  #sendWhole(head: ResponseHead, bytes: Buffer | null): void {
    this.isPassing = true;
    this.#isReplaced = true;
    if (this.#whole.trailers === null && this.#upstream.framing.kind !== 'none') this.#owner.abandonUpstream();
    // A body with a length, even a wrong one, has no trailers over HTTP/1.1.
    const keepsTrailers = bytes !== null && !this.#liesAboutLength;
    const arrived = this.#whole.trailers ?? [];
    const kept = keepsTrailers ? trailersAfterEdit(arrived) : [];
    const trailers = this.#trailers?.changed(kept) ?? kept;
    if (trailers.length > 0) this.#head = withTrailingResponse(head);
    else this.#head = bytes === null ? withoutBody(head) : withResponseLength(head, bytes.length);
    this.#respond(this.#head);
    this.#log.otherTrailers('received', arrived);
    const isWhole = this.#whole.trailers !== null || this.#upstream.framing.kind === 'none';
    this.#log.otherBody(
      'received',
      this.#whole.pieces.flatMap(({ payload }) => payload),
      isWhole,
    );
    for (const { wire, payload } of editedPieces(bytes ?? Buffer.alloc(0), trailers))
      if (this.#owner.receives) this.#out(wire, payload);
    if (this.#owner.receives) this.#owner.finish(trailers);
  }

  /** Sends the head and what waits for it; the rest passes as it arrives. */
  #pass(): void {
    this.isPassing = true;
    this.#respond(this.#head);
    if (this.#left === 0) this.#cut();
    for (const { wire, payload } of this.#whole.pieces) if (this.#owner.receives) this.#passed(wire, payload);
    if (!this.#owner.receives) return;
    if (this.#whole.trailers) this.#finish(this.#whole.trailers);
    else this.#owner.resumeUpstream();
    this.#client.flush();
  }

  /** Returns false to pause upstream: while the head waits, and when the client requests it. */
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#isReplaced) return true;
    if (this.isPassing) return this.#passed(wire, payload);
    this.#whole.add(wire, payload);
    return this.#collects && !this.#whole.isOverLimit;
  }

  end(trailers: RawHeaders): void {
    if (this.#isReplaced) return;
    if (this.isPassing) this.#finish(trailers);
    else this.#whole.end(trailers);
  }

  #passed(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const messages = this.#messages;
    if (messages === null) return this.#out(wire, payload);
    return payload.map((piece) => messages.push(piece)).every((hasRoom) => hasRoom) && !this.#isClientFull;
  }

  #finish(arrived: RawHeaders): void {
    const trailers = this.#trailers?.changed(arrived) ?? arrived;
    this.#log.otherTrailers('received', arrived);
    if (this.#messages === null) {
      const last = this.#trailers?.end(trailers);
      if (last) this.#owner.emit(last, []);
      this.#owner.finish(trailers);
    } else this.#messages.end(() => this.#owner.guarded(() => this.#endMessages(trailers)));
  }

  #out(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const size = payload.reduce((sum, { length }) => sum + length, 0);
    if (size < this.#left) {
      this.#left -= size;
      // Chunks would be framed in a body whose head no longer says that it has chunks.
      if (this.#liesAboutLength) return this.#owner.emit(null, payload);
      // A replacement body already has its chunks.
      const edit = this.#isReplaced ? null : this.#trailers;
      return this.#owner.emit(edit ? edit.framed(wire, payload) : wire, payload);
    }
    const part = Buffer.concat(payload).subarray(0, this.#left);
    if (part.length > 0) this.#owner.emit(wire && this.#framed(part), [part]);
    this.#cut();
    return true;
  }

  /** In the framing of the head that the client has. */
  #framed(part: Buffer): Buffer {
    return this.#head.framing.kind === 'chunked' ? chunkOf(part) : part;
  }

  #cut(): void {
    const { fail, outcomes } = this.#plan;
    if (fail === null) return;
    this.#client.flush();
    const about = failure('rules.failed', { name: outcomes.at(-1)?.name ?? '', how: fail.how });
    const isReset = fail.how === 'reset-in-response';
    // The other streams of an HTTP/2 connection do not concern the body that is cut short.
    this.#owner.failByRule(about, {
      code: isReset ? fail.code : CODE.INTERNAL_ERROR,
      tcpReset: isReset,
      lost: 'stream',
      afterBody: true,
    });
  }
}
