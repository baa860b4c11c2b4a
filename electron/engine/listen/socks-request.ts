import type { Socket } from 'node:net';
import { SocketReader } from './socket-reader.ts';

/** The target of a SOCKS client, and the replies in its version of the protocol. */
export interface SocksRequest {
  version: 'SOCKS4' | 'SOCKS5';
  host: string;
  port: number;
  /** Sent before the tunnel's first byte. */
  granted: Buffer;
  /** Sent before the connection ends: the target is not allowed. */
  refused: Buffer;
  /** Bytes of the conversation so far. */
  size: number;
  /** Bytes that belong to the tunnel. */
  ahead: Buffer;
}

/** A SOCKS client requested something that an HTTP proxy does not offer, or violated the protocol. */
export class SocksError extends Error {
  override readonly name = 'SocksError';
}

const NO_LOGIN = 0;
const PASSWORD = 2;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;
/** RFC 1928, section 6: general failure, not allowed, command not supported, address type not supported. */
const REPLY = { granted: 0, notAllowed: 2, badCommand: 7, badAddress: 8 };
/** SOCKS4 defines no limit for its strings; a host name has at most 255 bytes, and so does SOCKS5's user. */
const TEXT_LIMIT = 255;

/** The reply names the address that we would connect from, which no client of a CONNECT uses. */
function reply5(code: number): Buffer {
  return Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

function reply4(granted: boolean): Buffer {
  return Buffer.from([0, granted ? 0x5a : 0x5b, 0, 0, 0, 0, 0, 0]);
}

function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  // In its shortest form, for comparison.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** A refusal that the client can read, then the error. */
function refuse(socket: Socket, reply: Buffer, detail: string): never {
  socket.write(reply);
  throw new SocksError(detail);
}

/**
 * Any user and password are accepted (RFC 1929): the proxy has no logins, but some clients send one whenever it is
 * configured.
 */
async function login(socket: Socket, reader: SocketReader): Promise<void> {
  const [count = 0] = await reader.take(1);
  const methods = await reader.take(count);
  if (methods.includes(NO_LOGIN)) {
    socket.write(Buffer.from([5, NO_LOGIN]));
    return;
  }
  if (!methods.includes(PASSWORD)) {
    refuse(socket, Buffer.from([5, NONE_ACCEPTABLE]), 'it offers neither "no authentication" nor a password');
  }
  socket.write(Buffer.from([5, PASSWORD]));
  const [, userLength = 0] = await reader.take(2);
  await reader.take(userLength);
  const [passwordLength = 0] = await reader.take(1);
  await reader.take(passwordLength);
  socket.write(Buffer.from([1, 0]));
}

async function host5(socket: Socket, reader: SocketReader, type: number | undefined): Promise<string> {
  if (type === 1) return (await reader.take(4)).join('.');
  if (type === 4) return ipv6(await reader.take(16));
  if (type !== 3) refuse(socket, reply5(REPLY.badAddress), `address type ${type}`);
  const [length = 0] = await reader.take(1);
  return (await reader.take(length)).toString('latin1');
}

/** RFC 1928. */
async function socks5(socket: Socket, reader: SocketReader): Promise<SocksRequest> {
  await login(socket, reader);
  const [, command, , type] = await reader.take(4);
  if (command !== CONNECT) refuse(socket, reply5(REPLY.badCommand), `command ${command}; only CONNECT is supported`);
  const host = await host5(socket, reader, type);
  const port = (await reader.take(2)).readUInt16BE();
  const replies = { granted: reply5(REPLY.granted), refused: reply5(REPLY.notAllowed) };
  return { version: 'SOCKS5', host, port, ...replies, size: reader.taken, ahead: reader.rest() };
}

/** SOCKS4, and 4A, in which the address 0.0.0.x announces a name. */
async function socks4(socket: Socket, reader: SocketReader): Promise<SocksRequest> {
  const [command] = await reader.take(1);
  if (command !== CONNECT) refuse(socket, reply4(false), `command ${command}; only CONNECT is supported`);
  const port = (await reader.take(2)).readUInt16BE();
  const address = await reader.take(4);
  await reader.takeText(TEXT_LIMIT);
  const isNamed = address.readUInt32BE() < 256 && address[3] !== 0;
  const host = isNamed ? await reader.takeText(TEXT_LIMIT) : address.join('.');
  const replies = { granted: reply4(true), refused: reply4(false) };
  return { version: 'SOCKS4', host, port, ...replies, size: reader.taken, ahead: reader.rest() };
}

/**
 * Reads a SOCKS client's request up to its target, and replies to earlier messages. `ahead`: bytes already read.
 * Rejects with a SocksError, after which the socket is unusable.
 */
export async function readSocksRequest(socket: Socket, ahead: Buffer): Promise<SocksRequest> {
  const reader = new SocketReader(socket, ahead);
  try {
    const [version] = await reader.take(1);
    return version === 5 ? await socks5(socket, reader) : await socks4(socket, reader);
  } catch (error) {
    if (error instanceof SocksError) throw error;
    throw new SocksError(error instanceof Error ? error.message : String(error));
  }
}
