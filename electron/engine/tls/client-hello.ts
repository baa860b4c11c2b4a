import { describe } from '../../failures/errors.ts';
import { ByteReader } from './byte-reader.ts';

/** What a client offers in its first TLS message, without GREASE values (RFC 8701). */
export interface ClientHello {
  /** As sent; null if there was none, or if it is not printable ASCII. */
  serverName: string | null;
  /** In the client's order of preference; `h2`, `http/1.1`. Empty: no ALPN. */
  alpn: string[];
  /** `TLSv1.3`, `TLSv1.2` ..., in the client's order. */
  versions: string[];
  /** IANA numbers in the client's order. */
  cipherSuites: number[];
}

export type ClientHelloReading =
  | { state: 'incomplete' }
  | { state: 'not-tls'; detail: string }
  | { state: 'read'; hello: ClientHello };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
/** RFC 8446, section 5.1. */
const RECORD_LIMIT = 2 ** 14;
/** Bytes. Real ClientHellos are below 2 KB, even with post-quantum key shares; reading stops at this limit. */
export const CLIENT_HELLO_LIMIT = 64 * 1024;

const VERSIONS = new Map([
  [0x0304, 'TLSv1.3'],
  [0x0303, 'TLSv1.2'],
  [0x0302, 'TLSv1.1'],
  [0x0301, 'TLSv1'],
  [0x0300, 'SSLv3'],
]);

const SERVER_NAME = 0;
const ALPN = 16;
const SUPPORTED_VERSIONS = 43;

function isGrease(value: number): boolean {
  return (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);
}

function numbers(reader: ByteReader): number[] {
  const values: number[] = [];
  while (reader.left > 0) values.push(reader.uint(2));
  return values.filter((value) => !isGrease(value));
}

function versionNames(values: number[]): string[] {
  return values.map((value) => VERSIONS.get(value) ?? `0x${value.toString(16).padStart(4, '0')}`);
}

/** RFC 6066, section 3: the first name of type host_name. */
function readServerName(extension: ByteReader): string | null {
  const list = extension.vector(2);
  while (list.left > 0) {
    const type = list.uint(1);
    const name = list.bytes(list.uint(2)).toString('latin1');
    if (type === 0) return /^[\x21-\x7e]+$/.test(name) ? name : null;
  }
  return null;
}

/** RFC 7301, section 3.1. */
function readAlpn(extension: ByteReader): string[] {
  const list = extension.vector(2);
  const names: string[] = [];
  while (list.left > 0) {
    const name = list.bytes(list.uint(1));
    if (!(name.length === 2 && isGrease(name.readUInt16BE(0)))) names.push(name.toString('latin1'));
  }
  return names;
}

/** RFC 8446, section 4.1.2. */
function readMessage(message: ByteReader): ClientHello {
  const legacyVersion = message.uint(2);
  message.bytes(32);
  message.vector(1);
  const cipherSuites = numbers(message.vector(2));
  message.vector(1);
  const hello: ClientHello = { serverName: null, alpn: [], versions: versionNames([legacyVersion]), cipherSuites };
  if (message.left === 0) return hello;
  const extensions = message.vector(2);
  while (extensions.left > 0) {
    const type = extensions.uint(2);
    const body = extensions.vector(2);
    if (type === SERVER_NAME) hello.serverName = readServerName(body);
    else if (type === ALPN) hello.alpn = readAlpn(body);
    else if (type === SUPPORTED_VERSIONS) hello.versions = versionNames(numbers(body.vector(1)));
  }
  return hello;
}

interface Handshake {
  bytes: Buffer;
  /** What was found in place of the next handshake record, if anything. */
  interruption: string | null;
}

function recordProblem(bytes: Buffer, at: number): string | null {
  if (bytes[at] !== HANDSHAKE || (bytes[at + 1] ?? 3) !== 3) {
    return `the bytes ${bytes.subarray(at, at + 3).toString('hex')}`;
  }
  if (at + 5 > bytes.length) return null;
  const length = bytes.readUInt16BE(at + 3);
  return length === 0 || length > RECORD_LIMIT ? `a record of ${length} bytes` : null;
}

/** Joins the handshake bytes of the received records, up to the first of another type (RFC 8446, section 5.1). */
function joinRecords(bytes: Buffer): Handshake {
  const fragments: Buffer[] = [];
  let interruption: string | null = null;
  let at = 0;
  while (at < bytes.length) {
    interruption = recordProblem(bytes, at);
    if (interruption !== null || at + 5 > bytes.length) break;
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    fragments.push(bytes.subarray(at + 5, end));
    at = end;
  }
  return { bytes: fragments.length === 1 ? (fragments[0] ?? bytes) : Buffer.concat(fragments), interruption };
}

/**
 * Reads the ClientHello from the first bytes of a connection: TLS records, with the message in one of them or split
 * over several. A pure function of all bytes so far; call it again with more bytes while it returns `incomplete`.
 */
export function readClientHello(bytes: Buffer): ClientHelloReading {
  const { bytes: handshake, interruption } = joinRecords(bytes);
  const more: ClientHelloReading =
    interruption === null ? { state: 'incomplete' } : { state: 'not-tls', detail: interruption };
  if (handshake.length > 0 && handshake[0] !== CLIENT_HELLO) {
    return { state: 'not-tls', detail: `handshake message ${handshake[0]} instead of a ClientHello` };
  }
  if (handshake.length < 4) return more;
  const length = handshake.readUIntBE(1, 3);
  if (length > CLIENT_HELLO_LIMIT) return { state: 'not-tls', detail: `a ClientHello of ${length} bytes` };
  if (handshake.length < 4 + length) return more;
  try {
    return { state: 'read', hello: readMessage(new ByteReader(handshake.subarray(4, 4 + length))) };
  } catch (error) {
    return { state: 'not-tls', detail: `a malformed ClientHello: ${describe(error)}` };
  }
}
