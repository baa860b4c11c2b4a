import fc from 'fast-check';

/** Where bytes of this length are cut: any number of cuts, anywhere, as a network may. */
export function cuts(): fc.Arbitrary<number[]> {
  return fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
}

/** The bytes in the pieces that the cuts (each a share of the length) make. */
export function split(bytes: Buffer, at: readonly number[]): Buffer[] {
  const offsets = [0, ...at.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length];
  const pieces: Buffer[] = [];
  for (let index = 1; index < offsets.length; index += 1) {
    const piece = bytes.subarray(offsets[index - 1], offsets[index]);
    // A copy: a reader must not depend on what is next to its bytes in memory.
    if (piece.length > 0) pieces.push(Buffer.from(piece));
  }
  return pieces;
}

/** Text that is hard for framers; random bytes would fail at the first one. */
export function framingSoup(words: readonly string[]): fc.Arbitrary<Buffer> {
  return fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...words) },
        { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
      ),
      { maxLength: 24 },
    )
    .map((each) => Buffer.from(each.join(''), 'latin1'));
}
