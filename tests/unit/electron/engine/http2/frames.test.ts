import { describe, expect, it } from 'vitest';
import {
  FLAG,
  FRAME,
  frameHead,
  goawayFrame,
  pingAck,
  wordFrame,
} from '../../../../../electron/engine/http2/frames.ts';

describe('frames as RFC 9113 lays them out', () => {
  it.each([
    ['a head', frameHead(5, FRAME.data, FLAG.endStream, 1), '000005 00 01 00000001'],
    ['the longest', frameHead(0xff_ffff, FRAME.data, 0, 0x7fff_ffff), 'ffffff 00 00 7fffffff'],
    ['RST_STREAM', wordFrame(FRAME.reset, 3, 8), '000004 03 00 00000003 00000008'],
    ['WINDOW_UPDATE', wordFrame(FRAME.windowUpdate, 0, 0x7fff_ffff), '000004 08 00 00000000 7fffffff'],
    ['a PING answered', pingAck(Buffer.from('12345678')), '000008 06 01 00000000 3132333435363738'],
    ['GOAWAY', goawayFrame(7, 1, 'why'), '00000b 07 00 00000000 00000007 00000001 776879'],
    ['GOAWAY without a word', goawayFrame(0, 0, ''), '000008 07 00 00000000 00000000 00000000'],
  ])('%s', (_what, frame, hex) => {
    expect(frame.toString('hex')).toBe(hex.replaceAll(' ', ''));
  });
});
