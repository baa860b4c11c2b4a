/**
 * WinINet's flags for one connection (wininet.h): a proxy, a PAC file, and automatic detection (WPAD), which exists
 * only here and not as a separate registry value.
 */
const FLAG = { direct: 1, proxy: 2, autoConfig: 4, autoDetect: 8 };

/** Version, counter, flags, then texts with their lengths; at least this much precedes the first text. Bytes. */
const HEAD = 12;

function withText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * The value `DefaultConnectionSettings` for `server` alone, with `bypass` as its exceptions. `before`: the value as hex
 * digits; its version, its counter and the data after the texts are kept; null if it can't be read.
 */
export function proxyOnly(before: string, server: string, bypass: string): string | null {
  const bytes = Buffer.from(before, 'hex');
  if (bytes.length < HEAD) return null;
  const texts: string[] = [];
  let at = HEAD;
  for (let count = 0; count < 3; count += 1) {
    if (at + 4 > bytes.length) return null;
    const length = bytes.readUInt32LE(at);
    texts.push(bytes.toString('latin1', at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (at > bytes.length) return null;
  const head = Buffer.from(bytes.subarray(0, HEAD));
  // Programs notice a change by the counter.
  head.writeUInt32LE((head.readUInt32LE(4) + 1) >>> 0, 4);
  head.writeUInt32LE(FLAG.direct | FLAG.proxy, 8);
  const pac = withText(texts[2] ?? '');
  return Buffer.concat([head, withText(server), withText(bypass), pac, bytes.subarray(at)])
    .toString('hex')
    .toUpperCase();
}
