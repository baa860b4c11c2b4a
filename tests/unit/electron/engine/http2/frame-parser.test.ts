import { describe, expect, it } from 'vitest';
import { FrameParser, type FrameSink } from '../../../../../electron/engine/http2/frame-parser.ts';
import { frame } from '../../../../support/http2-frames.ts';

const PADDED = 0x8;

class Sink implements FrameSink {
  readonly seen: string[] = [];
  #data = '';
  onFrame = (): void => {};

  frame(type: number, flags: number, stream: number, payload: Buffer): void {
    this.seen.push(`${type} ${flags} ${stream} ${payload.toString('latin1')}`);
    this.onFrame();
  }

  dataHead(stream: number, length: number): void {
    this.#data = `data of ${stream}, ${length} bytes: `;
  }

  dataPiece(bytes: Buffer): void {
    expect(bytes.length).toBeGreaterThan(0);
    this.#data += bytes.toString('latin1');
  }

  dataEnd(endStream: boolean): void {
    this.seen.push(this.#data + (endStream ? '.' : ''));
  }
}

const padded = (bytes: string, padding: number): Buffer =>
  Buffer.concat([Buffer.from([padding]), Buffer.from(bytes), Buffer.alloc(padding)]);

const BYTES = Buffer.concat([
  frame(4, 0, 0),
  frame(1, 5, 1, 'block'),
  frame(0, 0, 1, 'some data'),
  frame(0, 0, 1, ''),
  frame(0, PADDED, 1, padded('within', 3)),
  frame(0, PADDED, 1, padded('', 200)),
  frame(0, PADDED, 1, padded('', 0)),
  frame(0, PADDED | 1, 0x8000_0003, padded('last', 1)),
  frame(200, 255, 0xffff_ffff, 'of a kind that nobody knows'),
  frame(0, 1, 5, ''),
]);
const SEEN = [
  '4 0 0 ',
  '1 5 1 block',
  'data of 1, 9 bytes: some data',
  'data of 1, 0 bytes: ',
  'data of 1, 10 bytes: within',
  'data of 1, 201 bytes: ',
  'data of 1, 1 bytes: ',
  'data of 3, 6 bytes: last.',
  `200 255 ${0x7fff_ffff} of a kind that nobody knows`,
  'data of 5, 0 bytes: .',
];

function parsed(...chunks: Buffer[]): string[] {
  const sink = new Sink();
  const parser = new FrameParser(sink);
  for (const chunk of chunks) parser.feed(Buffer.from(chunk));
  return sink.seen;
}

describe('frames are the same however the bytes are cut', () => {
  it('in one piece', () => expect(parsed(BYTES)).toEqual(SEEN));

  it('in two, cut at every byte', () => {
    for (let at = 0; at <= BYTES.length; at += 1)
      expect(parsed(BYTES.subarray(0, at), BYTES.subarray(at))).toEqual(SEEN);
  });

  it('in pieces of each size up to 40', () => {
    for (let size = 1; size <= 40; size += 1) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < BYTES.length; at += size) chunks.push(BYTES.subarray(at, at + size));
      expect(parsed(...chunks)).toEqual(SEEN);
    }
  });
});

it('gives the bytes of a DATA frame as they come', () => {
  const pieces: string[] = [];
  const sink = Object.assign(new Sink(), { dataPiece: (bytes: Buffer) => void pieces.push(bytes.toString()) });
  const parser = new FrameParser(sink);
  parser.feed(frame(0, 0, 1, 'abcdef').subarray(0, 11));
  expect(pieces).toEqual(['ab']);
});

describe('an invalid frame is refused with its code', () => {
  it.each([
    ['a frame over 16 KiB', frame(1, 0, 1, Buffer.alloc(16_385)), 6],
    ['DATA over 16 KiB, of which the head is enough', frame(0, 0, 1, Buffer.alloc(16_385)).subarray(0, 9), 6],
    ['padding whose length is missing', frame(0, PADDED, 1), 6],
    ['padding as long as its frame', frame(0, PADDED, 1, Buffer.from([1])), 1],
    ['padding longer than its frame', frame(0, PADDED, 1, Buffer.from([255, 0, 0])), 1],
  ])('%s', (_what, bytes, code) => {
    expect(() => parsed(bytes)).toThrow(expect.objectContaining({ code }));
    const bytewise = [...bytes].map((each) => Buffer.from([each]));
    expect(() => parsed(...bytewise)).toThrow(expect.objectContaining({ code }));
  });

  it('16 KiB are allowed', () => {
    expect(parsed(frame(0, 0, 1, Buffer.alloc(16_384, 'x')))[0]).toContain('16384 bytes: xxx');
    expect(parsed(frame(9, 0, 1, Buffer.alloc(16_384, 'x')))[0]).toHaveLength(6 + 16_384);
  });
});

it('reports nothing once it is stopped, within a chunk or after it', () => {
  const sink = new Sink();
  const parser = new FrameParser(sink);
  sink.onFrame = () => parser.stop();
  parser.feed(BYTES);
  parser.feed(BYTES);
  expect(sink.seen).toEqual(SEEN.slice(0, 1));
});
