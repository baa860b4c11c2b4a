import { CODE, ConnectionFault, StreamFault } from '../error-codes.ts';
import { FLAG, FRAME, frameHead } from '../frames.ts';
import { FIRST_WINDOW, LARGEST_WINDOW, type PeerSettings } from '../settings.ts';
import type { Http2Stream } from '../stream.ts';
import { BlockedTime } from './blocked-time.ts';
import { type FrameOutput, type FrameSource, WRITE_BYTES } from './frame-output.ts';

/** Sends stream data round-robin, one frame per stream, as far as flow-control windows and the socket allow. */
export class DataSender implements FrameSource {
  readonly #peer: PeerSettings;
  readonly #sendTrailers: (stream: Http2Stream) => void;
  #window = FIRST_WINDOW;
  /** When streams had data and a closed window, their own or the connection's. */
  readonly blocked = new BlockedTime();
  #streams: Http2Stream[] = [];
  /** Streams that sent data and whose sources are paused. */
  #drained: Http2Stream[] = [];

  constructor(peer: PeerSettings, sendTrailers: (stream: Http2Stream) => void) {
    this.#peer = peer;
    this.#sendTrailers = sendTrailers;
  }

  add(stream: Http2Stream): void {
    if (stream.sending) return;
    stream.sending = true;
    this.#streams.push(stream);
  }

  /** Applies a connection WINDOW_UPDATE. Throws ConnectionFault. */
  grow(bytes: number): void {
    if (bytes === 0) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'a WINDOW_UPDATE of 0 bytes');
    this.#window += bytes;
    if (this.#window > LARGEST_WINDOW) throw new ConnectionFault(CODE.FLOW_CONTROL_ERROR, 'a window that overflows');
  }

  /** Applies a stream WINDOW_UPDATE. Throws StreamFault. */
  growStream(stream: Http2Stream, bytes: number): void {
    if (bytes === 0) throw new StreamFault(CODE.PROTOCOL_ERROR, 'a WINDOW_UPDATE of 0 bytes');
    stream.sendWindow += bytes;
    if (stream.sendWindow > LARGEST_WINDOW) throw new StreamFault(CODE.FLOW_CONTROL_ERROR, 'a window that overflows');
  }

  fill(output: FrameOutput): boolean {
    if (this.#streams.length === 0) return false;
    const now = performance.now();
    while (this.#streams.length > 0 && !output.blocked && output.bytes < WRITE_BYTES) {
      if (!this.#turn(output, now)) return false;
    }
    return this.#streams.length > 0 && !output.blocked;
  }

  /**
   * One frame per stream. Streams that sent nothing because the write was full or the window closed go first next turn.
   */
  #turn(output: FrameOutput, now: number): boolean {
    const turn = this.#streams;
    let passedOver: Http2Stream[] | null = null;
    this.#streams = [];
    let any = false;
    for (const stream of turn) {
      const sent = !stream.closed && output.bytes < WRITE_BYTES && this.#send(stream, output);
      if (sent) {
        any = true;
        stream.activeAt = now;
      }
      this.#noteBlocked(stream, sent, now);
      if (!this.#hasMore(stream)) stream.sending = false;
      else if (sent) this.#streams.push(stream);
      else if (passedOver) passedOver.push(stream);
      else passedOver = [stream];
    }
    if (passedOver) this.#streams = passedOver.concat(this.#streams);
    return any;
  }

  #noteBlocked(stream: Http2Stream, sent: boolean, now: number): void {
    if (sent) this.unblock(stream, now);
    const isBlocked = !stream.closed && stream.out.bytes > 0 && Math.min(stream.sendWindow, this.#window) <= 0;
    if (isBlocked && stream.blockedSince < 0) stream.blockedSince = now;
  }

  /** A stream sends again, or has closed. */
  unblock(stream: Http2Stream, now: number): void {
    if (stream.blockedSince < 0) return;
    this.blocked.add(stream.blockedSince, now);
    stream.blockedSince = -1;
  }

  /** Before a reset, sends as much of an unfinished body as the windows allow: it was written before the reset. */
  sendBeforeReset(stream: Http2Stream, output: FrameOutput): void {
    while (stream.out.bytes > 0 && !stream.out.ended && !output.blocked) if (!this.#send(stream, output)) return;
  }

  written(): void {
    if (this.#drained.length === 0) return;
    const drained = this.#drained;
    this.#drained = [];
    for (const stream of drained) stream.sent();
  }

  /** A stream that waits for its own window is re-queued by WINDOW_UPDATE. */
  #hasMore(stream: Http2Stream): boolean {
    if (stream.closed || stream.localEnded) return false;
    return stream.out.bytes > 0 ? stream.sendWindow > 0 : stream.out.ended;
  }

  /** Sends one frame. False if a window is closed. */
  #send(stream: Http2Stream, output: FrameOutput): boolean {
    const { out } = stream;
    if (out.bytes > 0) {
      const most = Math.min(stream.sendWindow, this.#window, this.#peer.maxFrameSize);
      if (most <= 0) return false;
      const bytes = out.take(most);
      stream.sendWindow -= bytes.length;
      this.#window -= bytes.length;
      const last = out.ended && out.bytes === 0 && !out.trailers && out.endsByReset === null;
      output.push(frameHead(bytes.length, FRAME.data, last ? FLAG.endStream : 0, stream.id));
      output.push(bytes);
      output.pushedFor(stream.stamps);
      if (stream.needsDrain) this.#drained.push(stream);
      if (last) stream.sentEnd();
      if (!out.trailers || out.bytes > 0) return true;
    }
    if (!out.ended || stream.localEnded) return false;
    if (out.endsByReset !== null) {
      stream.sentAll(out.endsByReset);
      return true;
    }
    if (out.trailers) {
      this.#sendTrailers(stream);
    } else {
      output.push(frameHead(0, FRAME.data, FLAG.endStream, stream.id));
      output.pushedFor(stream.stamps);
    }
    stream.sentEnd();
    return true;
  }
}
