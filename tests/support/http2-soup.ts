import fc from 'fast-check';
import { FRAME, frame, uint32 } from './http2-frames.ts';
import { GET, POST } from './http2-peer.ts';

const OK = [':status', '200'];
const streamId = fc.constantFrom(0, 1, 1, 3, 3, 5, 7, 2, 9, 0x7fff_ffff);
const HEADS = [GET, POST, OK, [...OK, 'content-length', '5'], [':status', '103'], ['x', 'y'], [], [...GET, 'X', 'y']];
const STATIC = HEADS.map((fields) => {
  // Literals without indexing: frames may be left out or repeated.
  const text = (of: string): Buffer => Buffer.concat([Buffer.from([of.length]), Buffer.from(of)]);
  return Buffer.concat(
    [...fields.keys()].map((at) => Buffer.concat([Buffer.from(at % 2 === 0 ? [0] : []), text(fields[at] ?? '')])),
  );
});
const flags = fc.constantFrom(0, 0, 1, 1, 4, 4, 5, 5, 8, 0x20, 0x2d, 0xff);
/** A frame, mostly nearly right: pure noise ends at its first. */
export const someFrame = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(4, 5, 5, 0x24), streamId, fc.constantFrom(...STATIC))
      .map(([flag, id, block]) =>
        frame(FRAME.headers, flag, id, flag & 0x20 ? Buffer.concat([Buffer.alloc(5), block]) : block),
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(flags, streamId, fc.uint8Array({ maxLength: 300 }))
      .map(([flag, id, bytes]) => frame(FRAME.data, flag, id, Buffer.from(bytes))),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(FRAME.windowUpdate, FRAME.reset), streamId, fc.constantFrom(0, 1, 8, 1000, 0x7fff_ffff))
      .map(([type, id, value]) => frame(type, 0, id, uint32(value))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 99),
        fc.constantFrom(0, 1, 100, 16_384, 65_535, 0x7fff_ffff, 0xffff_ffff),
      )
      .map(([id, value]) => frame(FRAME.settings, 0, 0, Buffer.concat([Buffer.from([0, id]), uint32(value)]))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(streamId, fc.constantFrom(0, 2, 11))
      .map(([last, code]) => frame(FRAME.goaway, 0, 0, Buffer.concat([uint32(last), uint32(code)]))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 12 }), flags, streamId, fc.uint8Array({ maxLength: 40 }))
      .map(([type, flag, id, bytes]) => frame(type, flag, id, Buffer.from(bytes))),
  },
);
