import { describe, expect, it } from 'vitest';
import { PeerSettings, SETTINGS_ACK, settingsFrame } from '../../../../../electron/engine/http2/settings.ts';

const payload = (...pairs: [number, number][]): Buffer => settingsFrame(new Map(pairs)).subarray(9);
const after = (...pairs: [number, number][]): PeerSettings => {
  const peer = new PeerSettings();
  peer.take(payload(...pairs));
  return peer;
};

it('writes SETTINGS and its ACK', () => {
  expect(
    settingsFrame(
      new Map([
        [3, 100],
        [4, 0x1_0000],
      ]),
    ).toString('hex'),
  ).toBe('00000c040000000000' + '000300000064' + '000400010000');
  expect(SETTINGS_ACK.toString('hex')).toBe('000000040100000000');
});

it('knows the defaults of RFC 9113; a server that has sent nothing gets as many requests as browsers send', () => {
  const peer = new PeerSettings();
  expect(peer).toEqual({
    ...{ known: false, headerTableSize: 4096, maxConcurrentStreams: 100, initialWindowSize: 65_535 },
    ...{ maxFrameSize: 16_384, enableConnectProtocol: false },
  });
  peer.take(payload());
  expect(peer.known).toBe(true);
  expect(peer.maxConcurrentStreams).toBe(Number.POSITIVE_INFINITY);
});

it('applies each value, the last of duplicates, and ignores unknown ones', () => {
  const peer = after([1, 0], [2, 0], [3, 5], [4, 0x7fff_ffff], [5, 0xff_ffff], [6, 1], [8, 1], [99, 7]);
  expect(peer).toEqual({
    ...{ known: true, headerTableSize: 0, maxConcurrentStreams: 5, initialWindowSize: 0x7fff_ffff },
    ...{ maxFrameSize: 0xff_ffff, enableConnectProtocol: true },
  });
  const twice = Buffer.concat([payload([4, 1]), payload([4, 2])]);
  peer.take(twice);
  expect(peer.initialWindowSize).toBe(2);
  peer.take(payload([3, 9]));
  expect(peer.maxConcurrentStreams).toBe(9);
});

describe('an invalid value is refused with its code', () => {
  it.each([
    ['ENABLE_PUSH of 2', [2, 2], 1],
    ['a window of 2^31', [4, 0x8000_0000], 3],
    ['a frame size of 16,383', [5, 16_383], 1],
    ['a frame size of 2^24', [5, 0x100_0000], 1],
    ['ENABLE_CONNECT_PROTOCOL of 2', [8, 2], 1],
  ] as [string, [number, number], number][])('%s', (_what, pair, code) => {
    expect(() => after(pair)).toThrow(expect.objectContaining({ code }));
  });

  it.each([1, 5, 7])('%i bytes', (length) => {
    expect(() => new PeerSettings().take(Buffer.alloc(length))).toThrow(expect.objectContaining({ code: 6 }));
  });
});
