/** HTTP/2 frames as only an abuser sends them (RFC 9113, section 4.1). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;

export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

export const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.settings, 0, 0)]);

/** GET or POST of `/`, HPACK's static table and one literal (RFC 7541). */
export function requestHead(method: 'GET' | 'POST', host: string): Buffer {
  const authority = Buffer.from(host);
  return Buffer.concat([Buffer.from([method === 'GET' ? 0x82 : 0x83, 0x87, 0x84, 0x01, authority.length]), authority]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A literal header field without indexing, its name and value as they are. */
export function literal(name: string, size: number): Buffer {
  const length = (value: number): Buffer => {
    if (value < 127) return Buffer.from([value]);
    const rest: number[] = [127];
    let left = value - 127;
    for (; left >= 128; left = Math.floor(left / 128)) rest.push((left % 128) + 128);
    return Buffer.from([...rest, left]);
  };
  return Buffer.concat([
    Buffer.from([0]),
    length(name.length),
    Buffer.from(name),
    length(size),
    Buffer.alloc(size, 'v'),
  ]);
}
