import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import { allHeaders, type RawHeaders } from '../../../shared/model/headers.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { failure, failureOf, systemCode } from '../errors.ts';
import type { HeadMemo } from '../http/field-block.ts';
import { GatheredWriter } from '../http/gathered-writer.ts';
import { type BodyReader, bodyReader } from '../http/h1-body.ts';
import { FramingError, findHeadEnd } from '../http/h1-head.ts';
import { readResponseHead } from '../http/h1-response.ts';
import { lastChunk, proxiedHeadToOrigin, requestToHttp1 } from '../http/header-rules.ts';
import type { Framing, RequestHead, ResponseHead } from '../http/message.ts';
import { view } from '../http/view.ts';
import { offeredSchemes, readChallenges } from './auth-challenge.ts';
import type { ConnectionUser } from './connection-user.ts';
import { addressOf, type Origin } from './origin.ts';
import { pastAnswer } from './past-answer.ts';
import type { ProxyTalk, TalkVerdict } from './proxy-talk.ts';
import type { RetryCause } from './retry-policy.ts';
import { lateAlert } from './server-trust-failure.ts';
import type {
  ConnectionOwner,
  Opening,
  UpstreamConnection,
  UpstreamHandlers,
  UpstreamStream,
} from './upstream-stream.ts';

const NOTHING = Buffer.alloc(0);
const CRLF = Buffer.from('\r\n');

/** How long a large body waits for a proxy that may ask who it is, milliseconds: as long as curl waits for a 100 (Continue). */
const CHALLENGE_TIME = 1_000;

type RequestBody = 'none' | 'wire' | 'chunked' | 'plain';

/** The h1 face to upstream: one connection, one exchange at a time. An h1 client's bytes pass as they came. */
export class H1Upstream implements UpstreamConnection, UpstreamStream {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  opening: Opening | null;
  idleSince = -1;
  user: ConnectionUser | null = null;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #limits: Limits;
  readonly #writer: GatheredWriter;
  /** With a proxy that takes plain requests in absolute form; null where bytes go to the origin. */
  readonly #talk: ProxyTalk | null;
  readonly #memo: HeadMemo = {};
  #handlers: UpstreamHandlers | null = null;
  #request: RequestHead | null = null;
  #requestBody: RequestBody = 'none';
  #requestDone = true;
  #responseDone = true;
  #head: ResponseHead | null = null;
  #reader: BodyReader | null = null;
  #rest: Buffer = NOTHING;
  #firstByteAt = -1;
  #anyByte = false;
  #switched = false;
  #halfClosed = false;
  #challengeTimer: NodeJS.Timeout | null = null;
  #dead = false;
  #retired = false;
  #error: Error | null = null;

  constructor(
    socket: Socket,
    origin: Origin,
    info: ConnectionInfo,
    opening: Opening,
    owner: ConnectionOwner,
    limits: Limits,
    talk: ProxyTalk | null,
  ) {
    this.#socket = socket;
    this.origin = origin;
    this.info = info;
    this.opening = opening;
    this.#owner = owner;
    this.#limits = limits;
    this.#talk = talk;
    this.#writer = new GatheredWriter(socket);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    socket.on('drain', this.#onDrain);
    socket.on('timeout', this.#onTimeout);
    // Once, not for each exchange: what is sent and received starts it anew, and between exchanges nobody minds it.
    socket.setTimeout(limits.responseSilence);
    if (socket.isPaused()) socket.resume();
  }

  get hasRoom(): boolean {
    return this.#handlers === null && !this.#dead && !this.#retired;
  }

  begin(handlers: UpstreamHandlers, user: ConnectionUser): UpstreamStream {
    this.#handlers = handlers;
    this.user = user;
    this.#writer.begin();
    this.#requestDone = false;
    this.#responseDone = false;
    this.#head = null;
    this.#firstByteAt = -1;
    this.#anyByte = false;
    return this;
  }

  send(head: RequestHead, repeatable: boolean): void {
    this.#request = head;
    // The end of an idle connection may have been read already, behind this request, and counts before the request is out.
    if (!repeatable && this.info.reused) this.#writer.waitForTurnEnd();
    const { framing } = head;
    if (head.wire) {
      this.#requestBody = framing.kind === 'none' ? 'none' : 'wire';
      this.#writer.write(this.#forProxy(head, head.wire));
    } else {
      const named = head.headers.some((name, index) => index % 2 === 0 && name === 'content-length');
      this.#requestBody = framing.kind === 'none' ? 'none' : named ? 'plain' : 'chunked';
      this.#writer.write(this.#forProxy(head, requestToHttp1(head, this.#requestBody === 'chunked')));
    }
    if (this.#requestBody === 'none') {
      this.#requestDone = true;
      this.#writer.flush();
    } else if (this.#talk?.mayBeChallenged && !this.#canResend(framing)) {
      this.#writer.hold();
      this.#challengeTimer = setTimeout(() => this.#letBodyGo(), CHALLENGE_TIME);
    }
  }

  #canResend(framing: Framing): boolean {
    return framing.kind === 'length' && framing.length <= this.#limits.resendBytes;
  }

  /** The proxy has let the head by, or is one that reads the body first. */
  #letBodyGo(): void {
    if (!this.#writer.held) return;
    this.#stopWaiting();
    if (this.#writer.letGo()) this.#handlers?.drain();
  }

  #stopWaiting(): void {
    if (this.#challengeTimer) clearTimeout(this.#challengeTimer);
    this.#challengeTimer = null;
  }

  /** A plain request through a proxy names its origin (RFC 9112, section 3.2.2); through a tunnel nothing changes. */
  #forProxy(head: RequestHead, bytes: Buffer): Buffer {
    if (!this.#talk) return bytes;
    const target = `http://${head.authority}${head.path === '*' ? '' : head.path}`;
    const authorization = this.#talk.header(head.method, target);
    const field = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    return proxiedHeadToOrigin(bytes.toString('latin1'), target, { host: null, extra: field });
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#dead) return true;
    if (this.#requestBody === 'wire' && wire) return this.#writer.write(wire);
    let open = true;
    for (const bytes of payload) open = this.#writePayload(bytes);
    return open;
  }

  #writePayload(bytes: Buffer): boolean {
    if (bytes.length === 0) return true;
    if (this.#requestBody === 'plain') return this.#writer.write(bytes);
    this.#writer.write(Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1'));
    this.#writer.write(bytes);
    return this.#writer.write(CRLF);
  }

  end(trailers: RawHeaders): void {
    if (this.#requestDone) return;
    if (this.#requestBody === 'chunked') this.#writer.write(lastChunk(trailers));
    this.#writer.flush();
    this.#requestDone = true;
    if (this.#responseDone) this.#release();
  }

  flush(): void {
    if (!this.#dead) this.#writer.flush();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Passed on as it came: what it means is the origin's to decide. The connection serves nobody else after it. */
  halfClose(): boolean {
    this.#halfClosed = true;
    this.#letBodyGo();
    this.#writer.goOut();
    this.#socket.end();
    return true;
  }

  cancel(): void {
    this.#handlers = null;
    this.destroy();
  }

  retire(): void {
    this.#retired = true;
    if (this.#handlers === null && !this.#switched) this.destroy();
  }

  destroy(): void {
    this.#dead = true;
    this.#stopWaiting();
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

  readonly #onData = (chunk: Buffer): void => {
    // Bytes that nobody asked for: what an idle connection says last (408, a close notice). It can't be used again.
    if (this.#responseDone) {
      this.destroy();
      return;
    }
    if (this.#firstByteAt < 0) this.#firstByteAt = performance.now();
    this.#anyByte = true;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    try {
      while (this.#step()) {
        // Each step takes one head, or one read's worth of the body.
      }
      this.#handlers?.flush();
    } catch (error) {
      this.#broken(error);
    }
  };

  /** One bad exchange takes no other down (law 6): a fault of ours ends this connection, and no more. */
  #broken(error: unknown): void {
    this.destroy();
    this.#guarded(() => this.#fail(error instanceof FramingError ? this.#malformed(error) : failureOf(error), false));
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#broken(error);
    }
  }

  #step(): boolean {
    if (this.#rest.length === 0 || this.#responseDone || this.#switched) return false;
    return this.#head ? this.#readBody() : this.#readHead();
  }

  #readHead(): boolean {
    const end = findHeadEnd(this.#rest, 0, this.#limits.headBytes);
    if (end < 0 || !this.#request) return false;
    const head = readResponseHead(view(this.#rest, 0, end), this.#request, this.#memo);
    this.#rest = view(this.#rest, end, this.#rest.length);
    if (head.status < 200 && head.status !== 101) {
      this.#letBodyGo();
      this.#handlers?.informational(head);
      this.#firstByteAt = this.#rest.length > 0 ? performance.now() : -1;
      return true;
    }
    if (head.status === 101 && !this.#request.upgrade) throw new FramingError('101 without an Upgrade in the request');
    this.#head = head;
    this.#reader = bodyReader(head.framing);
    const verdict = this.#talk?.answered(head) ?? 'pass';
    if (verdict !== 'pass') return this.#challenged(verdict, head);
    this.#letBodyGo();
    this.#handlers?.response(head, this.#firstByteAt);
    if (!this.#reader && head.status !== 101) this.#finish([]);
    return true;
  }

  /** The proxy let the request not by: it is sent again, over this connection where that matters, or fails. */
  #challenged(verdict: Exclude<TalkVerdict, 'pass'>, head: ResponseHead): boolean {
    const address = this.origin.proxy ? addressOf(this.origin.proxy) : '';
    const schemes = offeredSchemes(readChallenges(allHeaders(head.headers, 'proxy-authenticate')));
    const about = failure('proxy.authentication-required', { address, schemes });
    if (typeof verdict === 'object') this.#fail(verdict, false);
    else if (verdict === 'reconnect' || !this.#requestDone || this.#writer.held || !head.keepAlive)
      this.#fail(about, 'proxy-challenge');
    else {
      // Its page is not the origin's answer: read past, for the connection is needed.
      this.#handlers = pastAnswer(this.#handlers, about);
      if (!this.#reader) this.#finish([]);
    }
    return true;
  }

  #readBody(): boolean {
    const reader = this.#reader;
    if (!reader) return false;
    const end = reader.consume(this.#rest, 0);
    const wire = view(this.#rest, 0, end);
    this.#rest = view(this.#rest, end, this.#rest.length);
    if (end > 0 && this.#handlers && !this.#handlers.piece(wire, reader.payload)) this.#socket.pause();
    if (reader.done) this.#finish(reader.trailers);
    return false;
  }

  #finish(trailers: RawHeaders): void {
    this.#responseDone = true;
    const handlers = this.#handlers;
    if (this.#requestDone) this.#release();
    handlers?.end(trailers);
  }

  /** Both directions are done: the connection is free, or has served its purpose. */
  #release(): void {
    const head = this.#head;
    this.#handlers = null;
    this.#request = null;
    this.#reader = null;
    if (
      this.#dead ||
      this.#retired ||
      this.#halfClosed ||
      !head?.keepAlive ||
      head.framing.kind === 'close' ||
      this.#rest.length > 0
    ) {
      // An answer may come before the last of its request has gone out.
      this.#writer.goOut();
      this.destroy();
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
      this.destroy();
      return;
    }
    this.#lost();
  }

  readonly #onError = (error: Error): void => {
    this.#error = error;
  };

  readonly #onClose = (): void => {
    this.#stopWaiting();
    this.#guarded(() => this.#lost());
    this.#dead = true;
    this.#owner.gone(this);
  };

  readonly #onDrain = (): void => this.#guarded(() => this.#handlers?.drain());

  readonly #onTimeout = (): void => {
    const about = { address: addressOf(this.origin), seconds: this.#limits.responseSilence / 1000 };
    if (!this.#responseDone) this.#fail(failure('upstream.timeout', about, 'ETIMEDOUT'), false);
  };

  #malformed(error: FramingError): Failure {
    const address = addressOf(this.origin);
    return error.tooLarge
      ? failure('upstream.head-too-large', { address, limit: this.#limits.headBytes })
      : failure('upstream.bad-response', { address, detail: error.message });
  }

  /** The connection ended while it carried an exchange. */
  #lost(): void {
    if (this.#responseDone || this.#switched) {
      this.#dead = true;
      this.#socket.destroy();
      if (!this.#requestDone) this.#handlers?.stopped();
      this.#handlers = null;
      return;
    }
    const address = addressOf(this.origin);
    const code = systemCode(this.#error);
    const alert = this.#anyByte || this.info.reused ? null : lateAlert(this.#error, this.origin);
    if (alert) this.#fail(alert, false);
    else if (this.#anyByte) this.#fail(failure('upstream.body-cut-short', { address }, code), false);
    else {
      const about = this.#error
        ? failure('upstream.reset', { address }, code)
        : failure('upstream.empty-response', { address });
      this.#fail(about, this.#talk?.guesses ? false : this.#closedAs());
    }
  }

  #closedAs(): RetryCause {
    if (!this.info.reused) return 'fresh-connection-closed';
    return this.#writer.hasWritten ? 'reused-connection-closed' : 'connection-found-closed';
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
