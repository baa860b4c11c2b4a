/**
 * What the conformance runner writes to a client under test: messages, each after its length in four bytes. Of the
 * message `ClientCompatRequest` only two fields are of interest here (client_compat.proto): `port = 7` and
 * `server_tls_cert = 8`; all others pass as they are.
 */
const PORT = 7;
const SERVER_CERTIFICATE = 8;

interface Field {
  number: number;
  /** Tag included. */
  bytes: Buffer;
  /** Of a varint; 0 for other types. */
  value: number;
}

function varint(buffer: Buffer, at: number): { value: number; next: number } {
  let value = 0;
  let next = at;
  for (let factor = 1; ; factor *= 128) {
    const byte = buffer.readUInt8(next);
    next += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next };
  }
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Protocol Buffers' wire types: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes. */
function valueEnd(message: Buffer, at: number, type: number): { value: number; end: number } {
  if (type === 1) return { value: 0, end: at + 8 };
  if (type === 5) return { value: 0, end: at + 4 };
  const { value, next } = varint(message, at);
  if (type === 0) return { value, end: next };
  if (type === 2) return { value: 0, end: next + value };
  throw new Error(`no such wire type: ${type}`);
}

function* fieldsOf(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const tag = varint(message, at);
    const { value, end } = valueEnd(message, tag.next, tag.value % 8);
    yield { number: Math.floor(tag.value / 8), bytes: message.subarray(at, end), value };
    at = end;
  }
}

/** The message with another port, and another certificate where there was one. */
export async function rewritten(
  message: Buffer,
  portFor: (port: number) => Promise<number>,
  certificate: Buffer,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { number, bytes, value } of fieldsOf(message)) {
    if (number === PORT) parts.push(Buffer.from([PORT * 8]), varintBytes(await portFor(value)));
    else if (number === SERVER_CERTIFICATE)
      parts.push(Buffer.from([SERVER_CERTIFICATE * 8 + 2]), varintBytes(certificate.length), certificate);
    else parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/** Takes a stream apart into its messages. */
export async function* messagesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of stream) {
    held = Buffer.concat([held, piece]);
    for (; held.length >= 4 && held.length >= 4 + held.readUInt32BE(0); ) {
      const end = 4 + held.readUInt32BE(0);
      yield held.subarray(4, end);
      held = held.subarray(end);
    }
  }
}

/** A message after its length. */
export function delimited(message: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}
