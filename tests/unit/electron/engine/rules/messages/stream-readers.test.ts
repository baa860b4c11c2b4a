import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { EventReader } from '../../../../../../electron/engine/rules/messages/event-reader.ts';
import { GrpcReader } from '../../../../../../electron/engine/rules/messages/grpc-reader.ts';
import { MessageEditor } from '../../../../../../electron/engine/rules/messages/message-editor.ts';
import { MESSAGE_LIMIT, type StreamReader } from '../../../../../../electron/engine/rules/messages/stream-part.ts';
import { WebSocketReader } from '../../../../../../electron/engine/rules/messages/websocket-reader.ts';

/** What comes out when the bytes arrive in pieces of `size`, and each message is put into brackets. */
async function bracketed(reader: StreamReader, bytes: Buffer, size: number) {
  const out: Buffer[] = [];
  const problems: string[] = [];
  const edits = {
    edit: async ({ payload }: { payload: Buffer }) => Buffer.from(`[${payload.toString('latin1')}]`, 'latin1'),
    problem: (problem: string) => void problems.push(problem),
  };
  const editor = new MessageEditor(reader, edits, { out: (part) => void out.push(part), roomy: () => undefined });
  for (let at = 0; at < bytes.length; at += size) editor.push(bytes.subarray(at, at + size));
  await new Promise<void>((resolve) => editor.end(resolve));
  return { text: Buffer.concat(out).toString('latin1'), problems };
}

const frame = (first: number, payload: string) =>
  Buffer.concat([Buffer.from([first, payload.length]), Buffer.from(payload)]);
const grpc = (flag: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([flag, 0, 0, payload.length >> 8, payload.length & 0xff]), payload]);

const STREAMS: [string, () => StreamReader, Buffer, string][] = [
  [
    'events with ids, comments, several lines of data, and both line ends',
    () => new EventReader(null),
    Buffer.from(': hi\n\nid: 1\ndata: a\nevent: x\ndata:b\n\ndata: c\r\nid: 2\r\n\r\ndata\n\nid: 3\n\ndata: cut'),
    ': hi\n\nid: 1\ndata: [a\ndata: b]\nevent: x\n\ndata: [c]\r\nid: 2\r\n\r\ndata: []\n\nid: 3\n\ndata: cut',
  ],
  [
    'WebSocket frames: whole, in fragments around a ping, compressed, and cut short',
    () => new WebSocketReader(),
    Buffer.concat([
      ...[frame(0x81, 'one'), frame(0x01, 'tw'), frame(0x89, 'ping'), frame(0x80, 'o')],
      ...[frame(0xc1, 'zip'), frame(0x82, ''), frame(0x81, 'rest').subarray(0, 4)],
    ]),
    Buffer.concat([
      ...[frame(0x81, '[one]'), frame(0x89, 'ping'), frame(0x81, '[two]')],
      ...[frame(0xc1, 'zip'), frame(0x82, '[]'), frame(0x81, 'rest').subarray(0, 4)],
    ]).toString('latin1'),
  ],
  [
    'gRPC messages with their length, and one cut short',
    () => new GrpcReader(undefined),
    Buffer.concat([grpc(0, Buffer.from('one')), grpc(0, Buffer.alloc(0)), Buffer.from([0, 0, 0, 0, 9, 1])]),
    Buffer.concat([
      grpc(0, Buffer.from('[one]')),
      grpc(0, Buffer.from('[]')),
      Buffer.from([0, 0, 0, 0, 9, 1]),
    ]).toString('latin1'),
  ],
];

describe.each(STREAMS)('a stream of %s', (_name, reader, bytes, expected) => {
  it.each([1, 2, 3, 7, 1000])('is cut the same in pieces of %i bytes', async (size) => {
    expect((await bracketed(reader(), bytes, size)).text).toBe(expected);
  });
});

describe('messages over the limit', () => {
  const large = Buffer.alloc(MESSAGE_LIMIT + 1, 0x61);
  const longFrame = (first: number) => {
    const head = Buffer.from([first, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeBigUInt64BE(BigInt(large.length), 2);
    return Buffer.concat([head, large]);
  };
  const prefix = Buffer.from([0, 0, 0, 0, 0]);
  prefix.writeUInt32BE(large.length, 1);

  it.each([
    [
      'event in many pieces',
      new EventReader(null),
      Buffer.concat([Buffer.from('data: '), large, large, Buffer.from('\n\ndata: a\n\n')]),
      'data: [a]\n\n',
    ],
    [
      'event',
      new EventReader(null),
      Buffer.concat([Buffer.from('data: '), large, Buffer.from('\n\ndata: a\n\n')]),
      'data: [a]\n\n',
    ],
    ['frame', new WebSocketReader(), Buffer.concat([longFrame(0x81), frame(0x81, 'a')]), '[a]'],
    [
      'fragment',
      new WebSocketReader(),
      Buffer.concat([frame(0x01, 'b'), longFrame(0x00), frame(0x80, 'c'), frame(0x81, 'a')]),
      '[a]',
    ],
    ['gRPC message', new GrpcReader(undefined), Buffer.concat([prefix, large, grpc(0, Buffer.from('a'))]), '[a]'],
  ])('pass unchanged, and are reported: %s', async (_name, reader, bytes, end) => {
    const { text, problems } = await bracketed(reader, bytes, 65_000);
    expect(text.endsWith(end)).toBe(true);
    expect(text.length).toBe(bytes.length + 2);
    expect(problems).toEqual([expect.stringContaining('larger than 1 MB')]);
  });
});

it('a compressed gRPC message names its coding', () => {
  const coded = gzipSync('hello');
  const parts = new GrpcReader('gzip').read(Buffer.concat([grpc(1, coded), grpc(0, Buffer.from('plain'))]));
  expect(parts.map(({ message }) => message?.codings)).toEqual([['content-encoding', 'gzip'], []]);
  expect(parts[0]?.message?.payload).toEqual(coded);
});
