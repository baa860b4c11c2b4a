import type { Socket } from 'node:net';
import { END_HEADERS, END_STREAM, FRAME, frame } from '../../../../../support/http2-frames.ts';

const ACK = 1;
const PADDED = 8;
const PRIORITY = 0x20;
const HEADER_TABLE_SIZE = 1;

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** A header block as received, from all its frames. */
export interface Arrival {
  stream: number;
  block: Buffer;
}

/** Just enough HTTP/2 on a socket to exchange header blocks with the other side. */
export class RawHttp2 {
  readonly #socket: Socket;
  readonly #arrivals: Arrival[] = [];
  #waiting: ((arrival: Arrival) => void) | null = null;
  #failed: ((error: Error) => void) | null = null;
  #failure: Error | null = null;
  #bytes = Buffer.alloc(0);
  #preface: number;
  #block: Buffer[] = [];
  /** The other side's SETTINGS_HEADER_TABLE_SIZE. */
  headerTableSize = 4096;
  /** Resolves when its SETTINGS have arrived. */
  readonly settings: Promise<void>;
  #settled: () => void = () => {};

  /** `tableSize` is announced as our SETTINGS_HEADER_TABLE_SIZE. */
  constructor(socket: Socket, side: 'client' | 'server', tableSize: number) {
    this.#socket = socket;
    this.#preface = side === 'server' ? PREFACE.length : 0;
    this.settings = new Promise((resolve) => {
      this.#settled = resolve;
    });
    if (side === 'client') socket.write(PREFACE);
    const setting = Buffer.alloc(6);
    setting.writeUInt16BE(HEADER_TABLE_SIZE, 0);
    setting.writeUInt32BE(tableSize, 2);
    socket.write(frame(FRAME.settings, 0, 0, setting));
    socket.on('data', (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#read();
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  /** Sends a block as a separate message without a body, in three frames that the receiver joins. */
  sendHeaders(stream: number, block: Buffer): void {
    const third = Math.floor(block.length / 3);
    this.#socket.write(
      Buffer.concat([
        frame(FRAME.headers, END_STREAM, stream, block.subarray(0, third)),
        frame(FRAME.continuation, 0, stream, block.subarray(third, 2 * third)),
        frame(FRAME.continuation, END_HEADERS, stream, block.subarray(2 * third)),
      ]),
    );
  }

  /** The next header block. */
  nextHeaders(): Promise<Arrival> {
    const arrival = this.#arrivals.shift();
    if (arrival) return Promise.resolve(arrival);
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting = resolve;
      this.#failed = reject;
    });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#failed?.(this.#failure);
  }

  #read(): void {
    if (this.#preface > 0) {
      if (this.#bytes.length < this.#preface) return;
      this.#bytes = this.#bytes.subarray(this.#preface);
      this.#preface = 0;
    }
    while (this.#bytes.length >= 9) {
      const end = 9 + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) return;
      const [type, flags] = [this.#bytes[3] as number, this.#bytes[4] as number];
      this.#take(type, flags, this.#bytes.readUInt32BE(5), this.#bytes.subarray(9, end));
      this.#bytes = this.#bytes.subarray(end);
    }
  }

  #take(type: number, flags: number, stream: number, payload: Buffer): void {
    if (type === FRAME.settings && (flags & ACK) === 0) {
      for (let at = 0; at < payload.length; at += 6) {
        if (payload.readUInt16BE(at) === HEADER_TABLE_SIZE) this.headerTableSize = payload.readUInt32BE(at + 2);
      }
      this.#socket.write(frame(FRAME.settings, ACK, 0, Buffer.alloc(0)));
      this.#settled();
    } else if (type === FRAME.ping && (flags & ACK) === 0) {
      this.#socket.write(frame(FRAME.ping, ACK, 0, payload));
    } else if (type === FRAME.goaway) {
      this.#fail(new Error(`GOAWAY with code ${payload.readUInt32BE(4)}`));
    } else if (type === FRAME.headers || type === FRAME.continuation) {
      const padding = type === FRAME.headers && (flags & PADDED) !== 0 ? (payload[0] as number) : 0;
      const start = type === FRAME.headers ? ((flags & PADDED) !== 0 ? 1 : 0) + ((flags & PRIORITY) !== 0 ? 5 : 0) : 0;
      this.#block.push(payload.subarray(start, payload.length - padding));
      if ((flags & END_HEADERS) === 0) return;
      const arrival = { stream, block: Buffer.concat(this.#block) };
      this.#block = [];
      const waiting = this.#waiting;
      this.#waiting = null;
      if (waiting) waiting(arrival);
      else this.#arrivals.push(arrival);
    }
  }
}
