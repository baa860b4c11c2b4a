/** The protocol that a connection's first bytes indicate. `more`: too few bytes to tell. */
export type Spoken = 'tls' | 'http1' | 'http2' | 'socks' | 'unknown' | 'more';

/** RFC 9113, section 3.4. */
const PREFACE = 'PRI * HTTP/2.0\r\n';
// RFC 9110, section 5.6.2: a method is a token; empty lines before it are allowed (RFC 9112, section 2.2).
const METHOD_START = /^[!#$%&'*+\-.^_`|~0-9A-Za-z\r\n]/;

const CONNECT = 'CONNECT ';

/** Whether bytes that `sniff` identified as HTTP/1.1 start with CONNECT. */
export function isConnect(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, CONNECT.length) === CONNECT;
}

export function sniff(bytes: Buffer): Spoken {
  const first = bytes[0];
  if (first === undefined) return 'more';
  if (first === 0x16) return 'tls';
  if (first === 0x04 || first === 0x05) return 'socks';
  const text = bytes.toString('latin1', 0, PREFACE.length);
  if (text === PREFACE) return 'http2';
  // "P" may still become POST; after "PRI", no registered method fits except the preface's own.
  if (PREFACE.startsWith(text) || (text.length < CONNECT.length && CONNECT.startsWith(text))) return 'more';
  return METHOD_START.test(text) ? 'http1' : 'unknown';
}

/** Bytes of a first line after which HTTP is assumed: long targets are common only there. */
const LINE_LIMIT = 16 * 1024;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const LINE_START = new RegExp(`^(?:${TOKEN}(?: [\\t -~\\x80-\\xff]*)?)?\\r?$`);
const REQUEST_LINE = new RegExp(`^${TOKEN} [\\t -~\\x80-\\xff]* HTTP/\\d[!-~\\x80-\\xff]*$`);

/**
 * The same for a tunnel, which may carry any protocol. Many begin with text, which their clients send without waiting
 * for the server (SSH, IRC, Redis, AMQP): only a request line is HTTP/1.1 there.
 */
export function sniffTunnel(bytes: Buffer): Spoken {
  const spoken = sniff(bytes);
  if (spoken !== 'http1') return spoken;
  const text = bytes.toString('latin1', 0, LINE_LIMIT).replace(/^(?:\r\n)+/, '');
  const end = text.indexOf('\n');
  if (end >= 0) return REQUEST_LINE.test(text.slice(0, end).replace(/\r$/, '')) ? 'http1' : 'unknown';
  if (!LINE_START.test(text)) return 'unknown';
  return bytes.length < LINE_LIMIT ? 'more' : 'http1';
}

/** Formats the first bytes for display: as text if they are text, otherwise as hex. */
export function describeBytes(bytes: Buffer): string {
  const start = bytes.subarray(0, 16);
  const text = start.toString('latin1');
  return /^[\x20-\x7e\r\n\t]+$/.test(text) ? JSON.stringify(text) : start.toString('hex');
}
