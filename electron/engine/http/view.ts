const NOTHING = Buffer.alloc(0);

/** `bytes.subarray(start, end)`; what is all of it is no view of its own, for one costs as much as reading a short head. */
export function view(bytes: Buffer, start: number, end: number): Buffer {
  if (start === end) return NOTHING;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}
