import { describe, expect, it } from 'vitest';
import { RetainedBody } from '../../../../../../electron/engine/exchange/flow/retained-body.ts';
import type { UpstreamStream } from '../../../../../../electron/engine/upstream/upstream-stream.ts';

/** The parts of the body that a try receives, in order. */
function recordingStream(): { stream: UpstreamStream; told: string[] } {
  const told: string[] = [];
  const stream: UpstreamStream = {
    piece: (wire, payload) => {
      told.push(`${wire ?? ''}|${payload.join(',')}`);
      return true;
    },
    end: (trailers) => void told.push(`end ${trailers.join(' ')}`.trim()),
    flush: () => void told.push('flush'),
    send: () => void told.push('send'),
    whenOut: () => {},
    resume: () => {},
    cancel: () => {},
    upgrade: () => null,
    halfClose: () => false,
    written: { firstAt: -1, lastAt: -1 },
  };
  return { stream, told };
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('a body kept for another try', () => {
  it('is replayed unchanged, and reports whether it is complete', () => {
    const kept = new RetainedBody(100);
    kept.add(bytes('3\r\nabc\r\n'), [bytes('abc')]);
    const early = recordingStream();
    expect(kept.replay(early.stream)).toBe(false);
    expect(early.told).toEqual(['3\r\nabc\r\n|abc']);
    kept.add(null, [bytes('d'), bytes('e')]);
    kept.end(['T', '1']);
    const whole = recordingStream();
    expect(kept.replay(whole.stream)).toBe(true);
    expect(whole.told).toEqual(['3\r\nabc\r\n|abc', '|d,e', 'end T 1']);
  });

  // What more there is of this turn goes out with it: a head and a small body leave in one write.
  it('is not flushed by itself', () => {
    const { stream, told } = recordingStream();
    new RetainedBody(100).replay(stream);
    expect(told).toEqual([]);
  });

  it('is kept up to the limit, to the byte', () => {
    const kept = new RetainedBody(4);
    kept.add(null, [bytes('abc')]);
    kept.add(null, [bytes('d')]);
    expect(kept.complete).toBe(true);
    kept.add(null, [bytes('e')]);
    expect(kept.complete).toBe(false);
    const { stream, told } = recordingStream();
    kept.replay(stream);
    expect(told).toEqual([]);
  });

  it('counts the framing that it keeps: extensions of chunks may be longer than what they frame', () => {
    const kept = new RetainedBody(1000);
    for (let index = 0; index < 10; index += 1) kept.add(bytes(`1;${'x'.repeat(120)}\r\na\r\n`), [bytes('a')]);
    expect(kept.complete).toBe(false);
  });

  it('accepts nothing more once it was dropped', () => {
    const kept = new RetainedBody(100);
    kept.drop();
    kept.add(null, [bytes('a')]);
    const { stream, told } = recordingStream();
    kept.replay(stream);
    expect([kept.complete, told]).toEqual([false, []]);
  });
});
