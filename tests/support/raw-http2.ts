import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';

/** Frames of RFC 9113 as bytes, unchecked: what a library would refuse to send. */
export type Field = readonly [name: string, value: string];

const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const GOAWAY = 7;
const END_STREAM = 1;
const END_HEADERS = 4;
const FRAME_HEAD = 9;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** RFC 7541, section 5.2, without Huffman; lengths under 16 kB. */
function text(of: string): Buffer {
  const bytes = Buffer.from(of, 'latin1');
  const rest = bytes.length - 127;
  if (rest < 0) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = rest < 128 ? [127, rest] : [127, (rest % 128) + 128, rest >> 7];
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** RFC 7541, section 6.2.2: literals without indexing, which need no table. */
function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

export interface RawRequest {
  fields: readonly Field[];
  body?: string;
  trailers?: readonly Field[];
}

/** The first request of a connection, its preface included. */
export function firstRequest({ fields, body, trailers }: RawRequest): Buffer {
  const last = trailers ? 'trailers' : body === undefined ? 'head' : 'body';
  const pieces = [Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, 0, Buffer.alloc(0))];
  pieces.push(frame(HEADERS, END_HEADERS | (last === 'head' ? END_STREAM : 0), 1, block(fields)));
  if (body !== undefined) pieces.push(frame(DATA, last === 'body' ? END_STREAM : 0, 1, Buffer.from(body, 'latin1')));
  if (trailers) pieces.push(frame(HEADERS, END_HEADERS | END_STREAM, 1, block(trailers)));
  return Buffer.concat(pieces);
}

/** How a server met the first request: with a response, or by ending the stream or the connection. */
export async function verdictOn(socket: TLSSocket): Promise<'answered' | 'reset' | 'goaway' | 'closed'> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const read = socket.read() as Buffer | null;
    if (read === null) {
      if (socket.readableEnded || socket.destroyed) return 'closed';
      await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
      continue;
    }
    bytes = Buffer.concat([bytes, read]);
    while (bytes.length >= FRAME_HEAD && bytes.length >= FRAME_HEAD + bytes.readUIntBE(0, 3)) {
      const type = bytes.readUInt8(3);
      if (type === HEADERS) return 'answered';
      if (type === RST_STREAM) return 'reset';
      if (type === GOAWAY) return 'goaway';
      bytes = bytes.subarray(FRAME_HEAD + bytes.readUIntBE(0, 3));
    }
  }
}
