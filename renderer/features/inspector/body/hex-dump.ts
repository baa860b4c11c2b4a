/** One row of a hex dump, as text for its three columns. */
export interface HexRow {
  /** Hexadecimal; 6 digits, or 8 for a body above 16 MiB. */
  offset: string;
  /** `48 65 6c`, padded to the full width. */
  bytes: string;
  /** The same bytes as ASCII. */
  text: string;
}

/** Row `index` of a dump with `width` bytes per row. Bytes that aren't printable ASCII show as dots. */
export function hexRow(bytes: Uint8Array, index: number, width: number): HexRow {
  const offset = index * width;
  const digits = bytes.length > 0xff_ffff ? 8 : 6;
  const row = [...bytes.subarray(offset, offset + width)];
  return {
    offset: offset.toString(16).padStart(digits, '0'),
    bytes: row
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(' ')
      .padEnd(width * 3 - 1),
    text: row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
  };
}
