import { once } from 'node:events';
import type http2 from 'node:http2';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, PREFACE, requestHead } from '../support/http2-frames.ts';
import { http2Origin } from '../support/http2-origin.ts';
import { openSecureTunnel } from '../support/tunnel.ts';

/** The frames of stream 1, each by its type, its length where it is DATA, and whether it ends the stream. */
async function framesOf(socket: tls.TLSSocket, port: number): Promise<string[]> {
  const get = frame(FRAME.headers, END_STREAM | END_HEADERS, 1, requestHead('GET', `localhost:${port}`));
  socket.write(Buffer.concat([PREFACE, get]));
  const frames: string[] = [];
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let size = 0; bytes.length >= 9; bytes = bytes.subarray(size)) {
      size = 9 + bytes.readUIntBE(0, 3);
      if (bytes.length < size) break;
      const [type = 0, flags = 0] = [bytes[3], bytes[4]];
      if (bytes.readUInt32BE(5) !== 1) continue;
      const name = type === FRAME.data ? `DATA ${size - 9}` : type === FRAME.headers ? 'HEADERS' : `type ${type}`;
      const ends = (type === FRAME.data || type === FRAME.headers) && (flags & END_STREAM) !== 0;
      frames.push(ends ? `${name}, END_STREAM` : name);
      if (ends) {
        socket.destroy();
        return frames;
      }
    }
  }
  return frames;
}

type Responder = (stream: http2.ServerHttp2Stream) => void;

const RESPONSES: [name: string, frames: string[], respond: Responder][] = [
  [
    'a body and no length',
    ['HEADERS', 'DATA 4, END_STREAM'],
    (stream) => {
      stream.respond({ ':status': 200 });
      stream.end('body');
    },
  ],
  [
    'a body and its length',
    ['HEADERS', 'DATA 4, END_STREAM'],
    (stream) => {
      stream.respond({ ':status': 200, 'content-length': 4 });
      stream.end('body');
    },
  ],
  [
    'trailers behind a body',
    ['HEADERS', 'DATA 4', 'HEADERS, END_STREAM'],
    (stream) => {
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }));
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.end('body');
    },
  ],
  ['no body', ['HEADERS, END_STREAM'], (stream) => stream.respond({ ':status': 200 }, { endStream: true })],
];

describe('the frames of an HTTP/2 response are those that the origin sent', () => {
  it.each(RESPONSES)('%s', async (_name, expected, respond) => {
    const origin = await http2Origin(respond);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const options = { servername: 'localhost', ca: origin.caPem, ALPNProtocols: ['h2'] };
    const direct = tls.connect({ port: origin.port, host: '127.0.0.1', ...options });
    await once(direct, 'secureConnect');
    expect(await framesOf(direct, origin.port)).toEqual(expected);
    const proxied = await framesOf(await openSecureTunnel(through, origin.port, ['h2']), origin.port);
    expect(proxied).toEqual(expected);
  });
});
