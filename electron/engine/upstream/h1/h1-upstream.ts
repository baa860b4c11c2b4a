import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../../shared/model/connection.ts';
import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ConnectionEnder, EndReason } from '../../../../shared/model/insight/connection-end.ts';
import type { Limits } from '../../../../shared/model/limits.ts';
import { failureOf, systemCode } from '../../../failures/errors.ts';
import { closerOf, endedNow, lostUpstream } from '../../connection-ending.ts';
import type { HeadMemo } from '../../http/field-block.ts';
import { GatheredWriter } from '../../http/gathered-writer.ts';
import { type BodyReader, bodyReader } from '../../http/h1-body.ts';
import { FramingError } from '../../http/h1-head.ts';
import { takeResponseHead } from '../../http/h1-response.ts';
import { type RequestHead, type ResponseHead, switchesProtocol } from '../../http/message.ts';
import { view } from '../../http/view.ts';
import { turn } from '../../turn.ts';
import type { ConnectionUser } from '../connection-user.ts';
import { cutShort, malformed, markFaulty, mayBeHttp, type Progress } from '../malformed-response.ts';
import { addressOf, type Origin } from '../origin.ts';
import type { AuthVerdict, ConnectionAuth } from '../proxy/connection-auth.ts';
import { asksForLogin, discardResponse } from '../proxy/discard-response.ts';
import { isResendable, RequestWriter } from '../request-writer.ts';
import { closedAs, type RetryCause } from '../retry-policy.ts';
import { silenceFailure } from '../silence-failure.ts';
import { lateAlert } from '../trust/server-trust-failure.ts';
import type {
  ConnectionOwner,
  OpenedLine,
  Opening,
  UpstreamConnection,
  UpstreamHandlers,
  UpstreamStream,
} from '../upstream-stream.ts';
import { Departure } from './departure.ts';
import { HeldBody } from './held-body.ts';

const NOTHING = Buffer.alloc(0);

/** The upstream side of h1: one connection, one exchange at a time. An h1 client's bytes are forwarded unchanged. */
export class H1Upstream implements UpstreamConnection, UpstreamStream {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  opening: Opening | null;
  idleSince = -1;
  user: ConnectionUser | null = null;
  onFirstWord: (() => void) | null = null;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #limits: Limits;
  readonly #writer: GatheredWriter;
  readonly written: Departure;
  readonly #out: RequestWriter;
  /** Authentication to a proxy that accepts plain requests in absolute form; null if bytes go to the origin. */
  readonly #auth: ConnectionAuth | null;
  readonly #heldBody: HeldBody;
  readonly #memo: HeadMemo = {};
  #handlers: UpstreamHandlers | null = null;
  #request: RequestHead | null = null;
  #requestDone = true;
  #responseDone = true;
  #head: ResponseHead | null = null;
  /** The fault of an earlier 1xx response. */
  #fault: string | null = null;
  #reader: BodyReader | null = null;
  #rest: Buffer = NOTHING;
  #firstByteAt = -1;
  #anyByte = false;
  #switched = false;
  #halfClosed = false;
  #dead = false;
  #retired = false;
  #error: Error | null = null;

  constructor({ socket, origin, info, opening, owner, limits }: OpenedLine<Socket>, auth: ConnectionAuth | null) {
    this.#socket = socket;
    this.origin = origin;
    this.info = info;
    this.opening = opening;
    this.#owner = owner;
    this.#limits = limits;
    this.#auth = auth;
    this.#writer = new GatheredWriter(socket);
    this.written = new Departure(socket, this.#writer);
    this.#out = new RequestWriter(this.#writer, auth);
    this.#heldBody = new HeldBody(this.#writer, () => this.#handlers?.drain());
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    socket.on('drain', this.#onDrain);
    socket.on('timeout', this.#onTimeout);
    // Set once, not for each exchange: traffic restarts the timer, and a timeout between exchanges is ignored.
    socket.setTimeout(limits.responseSilence);
    if (socket.isPaused()) socket.resume();
  }

  get hasRoom(): boolean {
    return this.#handlers === null && !this.#dead && !this.#retired && !this.hasSpokenFirst;
  }

  begin(handlers: UpstreamHandlers, user: ConnectionUser): UpstreamStream {
    this.#handlers = handlers;
    this.user = user;
    this.#writer.begin();
    this.written.begin();
    this.#requestDone = false;
    this.#responseDone = false;
    this.#head = null;
    this.#fault = null;
    this.#firstByteAt = -1;
    this.#anyByte = false;
    return this;
  }

  send(head: RequestHead, repeatable: boolean): void {
    this.#request = head;
    // The end of an idle connection may have been read already; it counts until this request has been sent.
    if (!repeatable && this.info.reused) this.#writer.waitForTurnEnd();
    if (!this.#out.head(head)) {
      this.#requestDone = true;
      this.#writer.flush();
    } else if (this.#auth?.mayBeChallenged && !isResendable(head.framing, this.#limits.resendBytes)) {
      this.#heldBody.hold();
    }
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#dead) return true;
    const hasRoom = this.#out.piece(wire, payload);
    this.written.grew();
    return hasRoom;
  }

  end(trailers: RawHeaders): void {
    if (this.#requestDone) return;
    this.#out.end(trailers);
    this.written.ended();
    this.#requestDone = true;
    if (this.#responseDone) this.#release();
  }

  flush(): void {
    if (!this.#dead) this.#writer.flush();
  }

  whenOut(tell: () => void): void {
    this.written.whenOut(tell);
  }

  resume(): void {
    if (this.#socket.isPaused()) this.#socket.setTimeout(this.#limits.responseSilence).resume();
  }

  /** Forwards the half-close: the origin decides what it means. The connection serves no other client after it. */
  halfClose(): boolean {
    this.#halfClosed = true;
    this.info.end ??= endedNow('client', 'closed');
    this.#heldBody.letGo();
    this.#writer.goOut();
    this.#socket.end();
    return true;
  }

  cancel(): void {
    this.#handlers = null;
    this.destroy('client', 'cancelled');
  }

  retire(): void {
    this.#retired = true;
    if (this.#handlers === null && !this.#switched) this.destroy('us', 'settings');
  }

  destroy(by: ConnectionEnder = 'us', why: EndReason = 'fault'): void {
    this.info.end ??= endedNow(by, why);
    this.#dead = true;
    this.#heldBody.stop();
    this.written.stop();
    this.#socket.destroy();
  }

  upgrade(): { socket: Duplex; ahead: Buffer } {
    this.#switched = true;
    this.#handlers = null;
    this.#writer.goOut();
    this.#socket.setTimeout(0);
    this.#socket.pause();
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain);
    return { socket: this.#socket, ahead: this.#rest };
  }

  get hasSpokenFirst(): boolean {
    return this.opening !== null && this.#rest.length > 0;
  }

  readonly #onData = (chunk: Buffer): void => {
    // Unsolicited bytes: what an idle connection sends last (408, a close notice). It cannot be reused.
    if (this.#responseDone) {
      if (this.opening === null || this.onFirstWord === null) {
        this.destroy();
        return;
      }
      this.#rest = Buffer.concat([this.#rest, chunk]);
      this.#socket.pause();
      this.onFirstWord();
      return;
    }
    const at = turn.reads(this.#socket, chunk.length);
    if (this.#firstByteAt < 0) this.#firstByteAt = at;
    this.#anyByte = true;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    try {
      while (this.#step()) {
        // Each step takes one head, or one read's worth of the body.
      }
      this.#handlers?.flush();
    } catch (error) {
      this.#handleError(error);
    }
  };

  /** One bad exchange must not affect another (law 6): an internal error ends only this connection. */
  #handleError(error: unknown): void {
    this.destroy();
    const about =
      error instanceof FramingError ? malformed(this.#progress, error, this.#limits.headBytes) : failureOf(error);
    this.#guarded(() => this.#fail(about, false));
  }

  get #progress(): Progress {
    return { address: addressOf(this.origin), head: this.#head, rest: this.#rest };
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#handleError(error);
    }
  }

  #step(): boolean {
    if (this.#rest.length === 0 || this.#responseDone || this.#switched) return false;
    return this.#head ? this.#readBody() : this.#readHead();
  }

  #readHead(): boolean {
    const request = this.#request;
    const head = request && takeResponseHead(this.#rest, request, this.#memo, this.#limits.headBytes);
    if (!head) {
      if (!mayBeHttp(this.#rest)) throw new FramingError('no status line');
      return false;
    }
    this.#rest = view(this.#rest, head.size, this.#rest.length);
    if (head.fault) this.#fault = head.fault;
    else if (this.#fault) markFaulty(head, this.#fault);
    if (head.status < 200 && head.status !== 101) {
      this.#heldBody.letGo();
      this.#handlers?.informational(head);
      this.#firstByteAt = this.#rest.length > 0 ? turn.arrivedAt : -1;
      return true;
    }
    if (head.status === 101 && !request.upgrade) throw new FramingError('101 without an Upgrade in the request');
    this.#head = head;
    this.#reader = bodyReader(head.framing, 'response');
    const verdict = this.#auth?.responded(head) ?? 'pass';
    if (verdict !== 'pass') return this.#challenged(verdict, head);
    this.#heldBody.letGo();
    this.written.responded();
    this.#handlers?.response(head, this.#firstByteAt);
    if (!this.#reader && !switchesProtocol(head.status, request.method)) this.#finish([]);
    return true;
  }

  /** The proxy did not accept the request. It is sent again, over this connection if that matters, or fails. */
  #challenged(verdict: Exclude<AuthVerdict, 'pass'>, head: ResponseHead): boolean {
    const about = asksForLogin(this.origin, head);
    if (typeof verdict === 'object') this.#fail(verdict, false);
    else if (verdict === 'reconnect' || !this.#requestDone || this.#writer.held || !head.keepAlive)
      this.#fail(about, 'proxy-challenge');
    else {
      // The proxy's page is not the origin's response: it is read and discarded because the connection is needed.
      this.#handlers = discardResponse(this.#handlers, about);
      if (!this.#reader) this.#finish([]);
    }
    return true;
  }

  #readBody(): boolean {
    const reader = this.#reader;
    if (!reader) return false;
    try {
      this.#passBody(reader, reader.consume(this.#rest, 0));
    } catch (error) {
      // The bytes before the error were well framed; the client gets them, as it would without Roundtrip.
      if (error instanceof FramingError) this.#passBody(reader, error.wellFramed);
      throw error;
    }
    if (reader.fault && reader.done && this.#head) markFaulty(this.#head, reader.fault);
    if (reader.done) this.#finish(reader.trailers);
    return false;
  }

  /** `end`: how many of the received bytes belong to the body. */
  #passBody(reader: BodyReader, end: number): void {
    const wire = view(this.#rest, 0, end);
    this.#rest = view(this.#rest, end, this.#rest.length);
    if (end > 0 && this.#handlers && !this.#handlers.piece(wire, reader.payload)) this.#socket.pause();
  }

  #finish(trailers: RawHeaders): void {
    this.#responseDone = true;
    const handlers = this.#handlers;
    if (this.#requestDone) this.#release();
    handlers?.end(trailers);
  }

  /** Both directions are done: the connection is free, or closes. */
  #release(): void {
    const head = this.#head;
    const closer = closerOf(this.#retired, this.#request);
    this.#handlers = null;
    this.#request = null;
    this.#reader = null;
    const isOver = this.#dead || this.#retired || this.#halfClosed || this.#rest.length > 0;
    if (isOver || !head?.keepAlive || head.framing.kind === 'close') {
      // A response may arrive before the end of its request has been sent.
      this.#writer.goOut();
      this.destroy(closer, this.#retired ? 'settings' : 'connection-close');
      return;
    }
    this.info.reused = true;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#owner.free(this);
  }

  readonly #onEnd = (): void => this.#guarded(() => this.#ended());

  #ended(): void {
    if (this.#reader?.endsWithConnection && !this.#responseDone) {
      this.#finish([]);
      this.destroy('upstream', 'connection-close');
      return;
    }
    this.#lost();
  }

  readonly #onError = (error: Error): void => {
    this.#error = error;
  };

  readonly #onClose = (): void => {
    this.#heldBody.stop();
    this.#guarded(() => this.#lost());
    this.#dead = true;
    this.#owner.gone(this);
  };

  readonly #onDrain = (): void => this.#guarded(() => this.#handlers?.drain());

  readonly #onTimeout = (): void => {
    if (this.#responseDone) return;
    const time = this.#limits.responseSilence;
    // The client is not reading the response, or has not finished sending its request.
    const isOurTurn = this.#socket.isPaused() || (!this.#requestDone && this.#socket.writableLength === 0);
    if (isOurTurn) this.#socket.setTimeout(time);
    else this.#fail(silenceFailure(addressOf(this.origin), time), false);
  };

  /** The connection ended while it carried an exchange. */
  #lost(): void {
    this.info.end ??= lostUpstream(this.#socket, this.#switched, this.#error);
    if (this.#responseDone || this.#switched) {
      this.#dead = true;
      this.#socket.destroy();
      if (!this.#requestDone) this.#handlers?.stopped();
      this.#handlers = null;
      return;
    }
    const alert = this.#anyByte || this.info.reused ? null : lateAlert(this.#error, this.origin);
    const about = alert ?? cutShort(this.#progress, this.#error);
    if (alert || this.#anyByte) this.#fail(about, false);
    else this.#fail(about, this.#auth?.guesses ? false : closedAs(this.info.reused, this.#writer.hasWritten));
  }

  #fail(about: Failure, retry: false | RetryCause): void {
    const handlers = this.#handlers;
    this.#handlers = null;
    this.#responseDone = true;
    this.#requestDone = true;
    this.destroy();
    handlers?.failed({
      failure: about,
      retry: this.#halfClosed ? null : retry || null,
      resetCode: 0,
      tcpReset: systemCode(this.#error) === 'ECONNRESET',
    });
  }
}
