/** Bytes of a response that are read. */
const MOST = 10_000;

/**
 * Spans or data points that a collector rejected, by its response's `partial_success`: Protocol Buffers (field 1, with
 * the count as its field 1), or JSON from collectors that always use it. 0 if the response has none.
 */
export function rejectedItems(body: Uint8Array, contentType: string): number {
  const bytes = body.subarray(0, MOST);
  if (/json/i.test(contentType)) {
    const text = new TextDecoder().decode(bytes);
    return Number(/"rejected(?:Spans|DataPoints)"\s*:\s*"?(\d+)/.exec(text)?.[1] ?? 0);
  }
  const MESSAGE_1 = 0x0a;
  const VARINT_1 = 0x08;
  if (bytes[0] !== MESSAGE_1) return 0;
  const [, inside] = varint(bytes, 1);
  return bytes[inside] === VARINT_1 ? varint(bytes, inside + 1)[0] : 0;
}

/** The number at `place`, and the place after it. */
function varint(bytes: Uint8Array, place: number): [value: number, after: number] {
  let value = 0;
  let at = place;
  for (let factor = 1; at < bytes.length; factor *= 0x80) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value += (byte % 0x80) * factor;
    if (byte < 0x80) break;
  }
  return [value, at];
}
