import type { Piece } from '../whole-message.ts';

export function sizeOf(payload: readonly Buffer[]): number {
  return payload.reduce((sum, { length }) => sum + length, 0);
}

/** A piece in parts of at most `limit` bytes. One with its own framing (chunked) stays whole. */
export function slices(wire: Buffer | null, payload: readonly Buffer[], limit: number): Piece[] {
  const size = sizeOf(payload);
  if (size <= limit || (wire !== null && wire.length !== size)) return [{ wire, payload: [...payload] }];
  return payload.flatMap((buffer) => {
    const parts: Piece[] = [];
    for (let from = 0; from < buffer.length; from += limit) {
      const part = buffer.subarray(from, from + limit);
      parts.push({ wire: wire === null ? null : part, payload: [part] });
    }
    return parts;
  });
}
