import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Http2Connection } from '../../electron/engine/http2/connection.ts';
import type { Http2Handlers, Http2Options } from '../../electron/engine/http2/connection-options.ts';
import { HpackDecoder } from '../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../electron/engine/http2/hpack/encoder.ts';
import type { Http2Stream } from '../../electron/engine/http2/stream.ts';
import type { StreamClose, StreamHandlers } from '../../electron/engine/http2/stream-events.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, uint32 } from './http2-frames.ts';

export interface SeenFrame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** The other end of a connection: it sends anything, valid or not, and keeps what arrives. */
export class Http2Peer {
  readonly socket: Duplex;
  readonly frames: SeenFrame[] = [];
  ended = false;
  readonly #encoder = new HpackEncoder();
  readonly #decoder = new HpackDecoder(4096);
  #bytes = Buffer.alloc(0);
  #prefaceLeft: number;

  constructor(socket: Duplex, toServer: boolean) {
    this.socket = socket;
    this.#prefaceLeft = toServer ? 0 : PREFACE.length;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('error', () => {});
  }

  #read(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length < this.#prefaceLeft) return;
    this.#bytes = this.#bytes.subarray(this.#prefaceLeft);
    this.#prefaceLeft = 0;
    while (this.#bytes.length >= 9 && this.#bytes.length >= 9 + this.#bytes.readUIntBE(0, 3)) {
      const end = 9 + this.#bytes.readUIntBE(0, 3);
      const [type, flags, stream] = [this.#bytes[3] ?? 0, this.#bytes[4] ?? 0, this.#bytes.readUInt32BE(5)];
      this.frames.push({ type, flags, stream, payload: this.#bytes.subarray(9, end) });
      this.#bytes = this.#bytes.subarray(end);
    }
  }

  /** Sends, and waits until it is read and answered. */
  async send(...pieces: Buffer[]): Promise<void> {
    this.socket.write(Buffer.concat(pieces));
    await quiet();
  }

  headers(stream: number, fields: readonly string[], flags = END_HEADERS): Buffer {
    return frame(FRAME.headers, flags, stream, this.#encoder.encode(fields, null));
  }

  get(stream: number): Buffer {
    return this.headers(stream, GET, END_HEADERS | END_STREAM);
  }

  of(type: number, stream?: number): SeenFrame[] {
    return this.frames.filter((each) => each.type === type && (stream === undefined || each.stream === stream));
  }

  /** The codes of the streams that were reset: `[stream, code]`. */
  get resets(): [number, number][] {
    return this.of(FRAME.reset).map(({ stream, payload }) => [stream, payload.readUInt32BE(0)]);
  }

  /** `[last stream, code]` of each GOAWAY. */
  get goaways(): [number, number][] {
    return this.of(FRAME.goaway).map(({ payload }) => [payload.readUInt32BE(0), payload.readUInt32BE(4)]);
  }

  /** WINDOW_UPDATEs of a stream, or of the connection (0), added up. */
  granted(stream: number): number {
    return this.of(FRAME.windowUpdate, stream).reduce((sum, { payload }) => sum + payload.readUInt32BE(0), 0);
  }

  data(stream: number): string {
    return Buffer.concat(this.of(FRAME.data, stream).map(({ payload }) => payload)).toString('latin1');
  }

  /** A received header block; call it for all of them, in order. */
  fields(of: SeenFrame): string[] {
    return this.#decoder.decode(of.payload, 0, of.payload.length, 65_536, 100);
  }
}

export const GET = [':method', 'GET', ':scheme', 'https', ':authority', 'a.test', ':path', '/'];
export const POST = [':method', 'POST', ':scheme', 'https', ':authority', 'a.test', ':path', '/'];
export const SETTINGS = frame(FRAME.settings, 0, 0);

/** The head of a response. */
export const OK = [':status', '200'];
export const BOTH = END_HEADERS | END_STREAM;
export const setting = (id: number, value: number): Buffer =>
  frame(FRAME.settings, 0, 0, Buffer.concat([Buffer.from([0, id]), uint32(value)]));
export const data = (stream: number, bytes: Buffer | string, flags = 0): Buffer =>
  frame(FRAME.data, flags, stream, bytes);
export const windowUpdate = (stream: number, by: number): Buffer => frame(FRAME.windowUpdate, 0, stream, uint32(by));
export const reset = (stream: number, code: number): Buffer => frame(FRAME.reset, 0, stream, uint32(code));
export const goaway = (last: number, code: number): Buffer =>
  frame(FRAME.goaway, 0, 0, Buffer.concat([uint32(last), uint32(code)]));

/** The events of a stream, in order. */
export class StreamLog implements StreamHandlers {
  readonly told: string[] = [];
  readonly heads: string[][] = [];
  trailers: readonly string[] | null = null;
  closed: StreamClose | null = null;
  bytes = 0;
  drained = 0;
  text = '';
  /** The consumer's reply to each piece; or what it throws, or does. */
  onPiece: () => boolean = () => true;
  also: (what: string) => void = () => {};

  #tell(what: string): void {
    this.told.push(what);
    this.also(what);
  }

  onHead(fields: readonly string[]): void {
    this.heads.push([...fields]);
    this.#tell('head');
  }

  onData(bytes: Buffer): boolean {
    this.bytes += bytes.length;
    this.text += bytes.toString('latin1');
    this.#tell('data');
    return this.onPiece();
  }

  onEnd(trailers: readonly string[]): void {
    this.trailers = trailers;
    this.#tell('end');
  }

  onReadOver(): void {
    this.#tell('read over');
  }

  onDrained(): void {
    this.drained += 1;
    this.#tell('drained');
  }

  onSilence(): void {
    this.#tell('silence');
  }

  onClosed(how: StreamClose): void {
    this.closed = how;
    this.#tell('closed');
  }
}

export interface Joined {
  connection: Http2Connection;
  peer: Http2Peer;
  socket: Duplex;
  /** By their ids: streams that the peer opened. */
  streams: Map<number, Http2Stream>;
  logs: Map<number, StreamLog>;
  refused: (string | null)[];
  goneAway: number[];
  over: number[];
  /** Undefined until it has closed. */
  closed: Error | null | undefined;
  /** Called for each request; without it, the stream is only listened to. */
  onRequest: (stream: Http2Stream, log: StreamLog) => void;
}

export const OPTIONS: Omit<Http2Options, 'server'> = {
  streamWindow: 65_535,
  connectionWindow: 131_072,
  streams: 100,
  headBytes: 65_536,
  headFields: 100,
  floods: { http2Pings: 100, http2Resets: 100, http2ControlBytes: 1_000_000 },
  idleTime: 60_000,
  streamSilence: 60_000,
};

/** A connection of ours, and its peer; both have sent their preface. */
export async function joined(server: boolean, options: Partial<Http2Options> = {}): Promise<Joined> {
  const [near, far] = duplexPair();
  const all: Joined = {
    ...{ peer: new Http2Peer(far, server), socket: near, streams: new Map(), logs: new Map() },
    ...{ refused: [], goneAway: [], over: [], closed: undefined },
    connection: undefined as unknown as Http2Connection,
    onRequest: (stream, log) => stream.listen(log),
  };
  const handlers: Http2Handlers = {
    request: (stream) => {
      const log = new StreamLog();
      all.streams.set(stream.id, stream);
      all.logs.set(stream.id, log);
      all.onRequest(stream, log);
    },
    refused: (fault) => void all.refused.push(fault),
    settings: () => {},
    goaway: (code) => void all.goneAway.push(code),
    streamOver: (stream) => void all.over.push(stream.id),
    closed: (error) => {
      all.closed = error;
    },
  };
  all.connection = new Http2Connection(near, { ...OPTIONS, ...options, server }, handlers);
  onTestFinished(() => {
    near.destroy();
    far.destroy();
  });
  all.connection.start();
  await all.peer.send(server ? Buffer.concat([Buffer.from(PREFACE), SETTINGS]) : SETTINGS);
  return all;
}

/** Some turns of the event loop: in-memory data has passed both ways. */
export async function quiet(turns = 12): Promise<void> {
  for (let count = 0; count < turns; count += 1) await turn();
}
