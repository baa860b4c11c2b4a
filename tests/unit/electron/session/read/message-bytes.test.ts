import { expect, test } from 'vitest';
import { MessageBytes } from '../../../../../electron/session/read/message-bytes.ts';
import type { BodySide } from '../../../../../shared/model/body-side.ts';
import type { MessageMark } from '../../../../../shared/model/message-mark.ts';

/** Bodies in pieces, as a session file keeps them; `reads`: where they were read from. */
class Bodies {
  readonly reads: string[] = [];
  readonly pieces: Record<BodySide, string[]>;

  constructor(request: string[], response: string[]) {
    this.pieces = { request, response };
  }

  *bodyPieces(_id: number, side: BodySide, offset: number): Generator<Uint8Array> {
    this.reads.push(`${side} ${offset}`);
    let at = 0;
    for (const piece of this.pieces[side]) {
      if (at + piece.length > offset) yield Buffer.from(piece.slice(Math.max(0, offset - at)));
      at += piece.length;
    }
  }
}

function mark(side: BodySide, start: number, stop: number): MessageMark {
  return { ordinal: 0, side, at: 0, opcode: 1, start, stop, size: stop - start, compressed: false, closeCode: null };
}

test('messages that follow each other are read forward, each side once', () => {
  const bodies = new Bodies(['ab', 'cd', 'ef'], ['12345', '6']);
  const bytes = new MessageBytes(bodies, 1);
  const marks = [
    mark('request', 0, 2),
    mark('response', 0, 2),
    mark('request', 2, 3),
    mark('response', 2, 4),
    mark('request', 3, 6),
    mark('response', 4, 6),
  ];
  expect(marks.map((each) => bytes.of(each).toString())).toEqual(['ab', '12', 'c', '34', 'def', '56']);
  expect(bodies.reads).toEqual(['request 0', 'response 0']);
});

test('one before the last, and one after a gap, are looked up', () => {
  const bodies = new Bodies(['abcd', 'efgh', 'ijkl'], []);
  const bytes = new MessageBytes(bodies, 1);
  const marks = [mark('request', 4, 6), mark('request', 0, 2), mark('request', 9, 10)];
  expect(marks.map((each) => bytes.of(each).toString())).toEqual(['ef', 'ab', 'j']);
  expect(bodies.reads).toEqual(['request 4', 'request 0', 'request 9']);
});

test('what was written after the end was reached is read, too', () => {
  const bodies = new Bodies(['ab'], []);
  const bytes = new MessageBytes(bodies, 1);
  const next = mark('request', 2, 4);
  expect(bytes.of(mark('request', 0, 2)).toString()).toBe('ab');
  expect(bytes.of(next)).toBe('The message was not kept: the disk could not keep up.');
  bodies.pieces.request.push('cd');
  expect(bytes.of(next).toString()).toBe('cd');
});

test('an empty message has no bytes, at any position', () => {
  const bytes = new MessageBytes(new Bodies(['ab'], []), 1);
  expect(bytes.of(mark('request', 2, 2))).toEqual(Buffer.alloc(0));
  expect(bytes.of(mark('response', 0, 0))).toEqual(Buffer.alloc(0));
});
