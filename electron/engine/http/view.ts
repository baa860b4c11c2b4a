const NOTHING = Buffer.alloc(0);

/**
 * `bytes.subarray(start, end)`. Returns `bytes` itself for the full range: a view costs as much as parsing a short
 * head.
 */
export function view(bytes: Buffer, start: number, end: number): Buffer {
  if (start === end) return NOTHING;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}
