import { describe, expect, it } from 'vitest';
import { WebSocketScanner } from '../../../../../electron/engine/messages/websocket-scanner.ts';
import { unframe } from '../../../../../electron/session/read/message-payload.ts';
import type { FoundMessage } from '../../../../../shared/model/message-mark.ts';

interface FrameOptions {
  final?: boolean;
  rsv1?: boolean;
  masked?: boolean;
}

/** RFC 6455, section 5.2. */
function frame(
  opcode: number,
  payload: Buffer | string,
  { final = true, rsv1 = false, masked = true }: FrameOptions = {},
): Buffer {
  const body = Buffer.from(payload);
  const length = body.length;
  const size = length < 126 ? Buffer.from([length]) : length < 65_536 ? Buffer.alloc(3, 126) : Buffer.alloc(9, 127);
  if (size.length === 3) size.writeUInt16BE(length, 1);
  if (size.length === 9) size.writeBigUInt64BE(BigInt(length), 1);
  if (masked) size[0] = (size[0] ?? 0) | 0x80;
  const key = masked ? Buffer.from([0x12, 0xfe, 0x00, 0x9a]) : Buffer.alloc(0);
  if (masked) for (let index = 0; index < length; index += 1) body[index] = (body[index] ?? 0) ^ (key[index & 3] ?? 0);
  return Buffer.concat([Buffer.from([(final ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode]), size, key, body]);
}

function scan(bytes: Buffer, step: number, from = 0): FoundMessage[] {
  const scanner = new WebSocketScanner(from);
  const found: FoundMessage[] = [];
  for (let at = 0; at < bytes.length; at += step)
    scanner.scan(bytes.subarray(at, at + step), (each) => found.push(each));
  return found;
}

const STEPS = [1, 2, 3, 7, 1000, 1_000_000];

describe.each(STEPS)('WebSocketScanner, reads of %i bytes', (step) => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536])('finds a message of %i bytes, and its position', (size) => {
    const first = frame(1, 'before');
    const bytes = Buffer.concat([first, frame(2, Buffer.alloc(size, 7), { masked: false }), frame(1, 'x')]);
    const found = scan(bytes, step, 100);
    expect(found.map((each) => [each.opcode, each.size])).toEqual([
      [1, 6],
      [2, size],
      [1, 1],
    ]);
    expect(found[1]?.start).toBe(100 + first.length);
    expect(found[2]?.stop).toBe(100 + bytes.length);
    const second = bytes.subarray((found[1]?.start ?? 0) - 100, (found[1]?.stop ?? 0) - 100);
    expect(unframe(second)).toEqual(Buffer.alloc(size, 7));
  });

  it('joins fragments, and reports a control message between them immediately', () => {
    const bytes = Buffer.concat([
      frame(1, 'one ', { final: false, rsv1: true }),
      frame(9, 'ping'),
      frame(0, 'two ', { final: false }),
      frame(0, 'three'),
    ]);
    const found = scan(bytes, step);
    expect(found).toMatchObject([
      { opcode: 9, size: 4, compressed: false },
      { opcode: 1, size: 13, start: 0, stop: bytes.length, compressed: true },
    ]);
    expect(unframe(bytes).toString()).toBe('one two three');
    expect(unframe(bytes.subarray(found[0]?.start, found[0]?.stop)).toString()).toBe('ping');
  });

  it('reads close codes, masked and not, and the lack of one', () => {
    const code = Buffer.from([0x0f, 0xa1, 0x62, 0x79, 0x65]);
    const found = scan(Buffer.concat([frame(8, code), frame(8, code, { masked: false }), frame(8, '')]), step);
    expect(found.map((each) => each.closeCode)).toEqual([4001, 4001, null]);
  });
});
