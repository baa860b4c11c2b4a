/** A value in the format of mitmproxy's files. */
export function tnetstring(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return tagged(value, ',');
  if (typeof value === 'string') return tagged(Buffer.from(value), ';');
  if (typeof value === 'number') return tagged(Buffer.from(String(value)), Number.isInteger(value) ? '#' : '^');
  if (typeof value === 'boolean') return tagged(Buffer.from(String(value)), '!');
  if (value === null) return tagged(Buffer.alloc(0), '~');
  if (Array.isArray(value)) return tagged(Buffer.concat(value.map(tnetstring)), ']');
  return tagged(
    Buffer.concat(
      Object.entries(value as object)
        .flat()
        .map(tnetstring),
    ),
    '}',
  );
}

function tagged(payload: Buffer, tag: string): Buffer {
  return Buffer.concat([Buffer.from(`${payload.length}:`), payload, Buffer.from(tag)]);
}
