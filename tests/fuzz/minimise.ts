/**
 * The smallest part of `bytes` that still fails: removes whole runs, long ones first, then simplifies single bytes.
 * `fails` must be deterministic.
 */
export async function minimise(bytes: Buffer, fails: (bytes: Buffer) => Promise<boolean>): Promise<Buffer> {
  let least = bytes;
  for (let size = Math.ceil(bytes.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)]);
      if (await fails(shorter)) least = shorter;
      else at += size;
    }
  }
  for (let at = 0; at < least.length; at += 1) {
    const plain = Buffer.from(least);
    plain[at] = 0x61;
    if (await fails(plain)) least = plain;
  }
  return least;
}
