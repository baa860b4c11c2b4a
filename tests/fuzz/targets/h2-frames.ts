import { ConnectionFault } from '../../../electron/engine/http2/error-codes.ts';
import { FrameParser, type FrameSink } from '../../../electron/engine/http2/frame-parser.ts';
import { HeaderAssembly } from '../../../electron/engine/http2/header-assembly.ts';
import { FRAME, frame, uint32 } from '../../support/http2-frames.ts';
import { cutUp, type Random } from '../random.ts';
import { type FuzzTarget, kindOf, same, words } from '../target.ts';

/** Frames as received, with header blocks and the pieces of each DATA frame joined. */
class Log implements FrameSink {
  readonly told: string[] = [];
  readonly #blocks = new HeaderAssembly(2048);
  #data = '';

  frame(type: number, flags: number, stream: number, payload: Buffer): void {
    this.told.push(`${type} ${flags} ${stream} ${payload.toString('latin1')}`);
    if (type !== FRAME.headers && type !== FRAME.continuation) return;
    const block =
      type === FRAME.headers
        ? this.#blocks.headers(stream, flags, payload)
        : this.#blocks.continuation(stream, flags, payload);
    if (block) this.told.push(`block ${block.stream} ${block.endStream} ${block.bytes.toString('latin1')}`);
  }

  dataHead(stream: number, length: number): void {
    this.#data = `data ${stream} ${length} `;
  }

  dataPiece(bytes: Buffer): void {
    this.#data += bytes.toString('latin1');
  }

  dataEnd(endStream: boolean): void {
    this.told.push(`${this.#data} ${endStream}`);
    this.#data = '';
  }

  /** The received part of an unfinished DATA frame. */
  get open(): string {
    return this.#data;
  }
}

function read(pieces: readonly Buffer[]): { told: string[]; open: string; fault: string } {
  const log = new Log();
  const parser = new FrameParser(log);
  try {
    for (const piece of pieces) parser.feed(piece);
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error;
    return { told: log.told, open: '', fault: `${error.code} ${error.message}` };
  }
  return { told: log.told, open: log.open, fault: '' };
}

export const h2Frames: FuzzTarget = {
  name: 'h2-frames',
  words: [
    frame(FRAME.data, 0, 1, 'abc'),
    frame(FRAME.data, 9, 1, Buffer.from([1, 97, 0])),
    frame(FRAME.headers, 5, 1, Buffer.from([0x88])),
    frame(FRAME.headers, 0x2c, 3, Buffer.from([1, 0, 0, 0, 0, 9, 0x88, 0])),
    frame(FRAME.continuation, 4, 1, Buffer.from([0x88])),
    frame(FRAME.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])),
    frame(FRAME.reset, 0, 1, uint32(8)),
    frame(FRAME.ping, 0, 0, '12345678'),
    frame(FRAME.goaway, 0, 0, Buffer.alloc(8)),
    frame(FRAME.windowUpdate, 0, 0, uint32(1)),
    frame(200, 255, 0xffff_ffff, 'x'),
    ...words('\0\0\0', '\0\x40\x00', '\0\x40\x01', '\xff\xff\xff', '\0', '\x01', '\x08', '\x80', '\xff'),
  ],
  seeds: [],
  run(bytes: Buffer, random: Random): string {
    const whole = read([bytes]);
    same('whole and in pieces', whole, read(cutUp(bytes, random)));
    const kinds = whole.told.map((each) => /^(?:\d(?= )|block|data)/.exec(each)?.[0] ?? 'unknown');
    return `${kindOf(whole.fault)} ${[...new Set(kinds)].sort().join()} ${whole.open === ''}`;
  },
};
