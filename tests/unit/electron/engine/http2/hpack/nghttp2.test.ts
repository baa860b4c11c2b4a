import { once } from 'node:events';
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../../../../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../../../../../electron/engine/http2/hpack/encoder.ts';
import { listen } from '../../../../../support/listen.ts';
import { RawHttp2 } from './raw-http2.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const ASKED = 12;

/** Requests of one connection: what repeats, what changes, what no one may index. */
function request(index: number, authority: string): string[] {
  return [
    ...[':method', index % 3 === 0 ? 'POST' : 'GET', ':scheme', 'http', ':authority', authority],
    ...[':path', `/items/${index % 4}?q=${'a'.repeat(index * 5)}`],
    ...['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'accept', '*/*'],
    ...['x-large', 'l'.repeat(400 * (index % 5)), 'x-count', String(index), 'x-empty', ''],
    ...['x-obs', `caf\xe9 \xff\x80 ${index % 2}`, 'cookie', 'a=1', 'cookie', 'session=0123456789abcdef0123456789'],
    ...['if-none-match', `"${index}"`, 'authorization', 'Bearer abc', 'x-key', 'secret'],
  ];
}

function response(index: number): string[] {
  return [
    ...[':status', index % 2 === 0 ? '200' : '404', 'server', 'test/1', 'content-length', '0'],
    ...[
      'date',
      `Sat, 21 Nov 2026 13:48:1${index % 3} GMT`,
      'etag',
      `W/"${index}"`,
      'x-large',
      'r'.repeat(500 * (index % 4)),
    ],
    ...['set-cookie', 'a=1', 'set-cookie', `b=${index}`, 'x-obs', `\xe9\x80 ${index}`, 'x-key', 'secret'],
  ];
}

describe('nghttp2, as it is in node:http2', () => {
  it.each([0, 100, 1000, 4096, 65_536])('its server with a table of %i bytes reads our requests', async (tableSize) => {
    const seen: { fields: string[]; sensitive: string[] }[] = [];
    const server = http2.createServer({ settings: { headerTableSize: tableSize } });
    server.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
        seen.push({ fields: rawHeaders, sensitive: sensitiveNames(headers) });
        const fields = response(seen.length - 1);
        stream.respond(fieldsForNode(fields, ['x-key']), { endStream: true });
      },
    );
    const port = await listen(server);
    const socket = net.connect(port, '127.0.0.1');
    closing.push(
      () => socket.destroy(),
      () => server.close(),
    );
    const peer = new RawHttp2(socket, 'client', 4096);
    await peer.settings;
    expect(peer.headerTableSize).toBe(tableSize);
    const encoder = new HpackEncoder();
    encoder.maxTableSize = peer.headerTableSize;
    const decoder = new HpackDecoder(4096);
    for (let index = 0; index < ASKED; index++) {
      const fields = request(index, 'shop.example');
      peer.sendHeaders(2 * index + 1, encoder.encode(fields, ['x-key']));
      const { stream, block } = await peer.nextHeaders();
      expect(stream).toBe(2 * index + 1);
      expect(seen[index]?.fields).toEqual(fields);
      expect(new Set(seen[index]?.sensitive)).toEqual(new Set(['cookie', 'authorization', 'x-key']));
      expect(decoder.decode(block, 0, block.length, 65_536, 100)).toEqual(response(index));
      expect(decoder.neverIndexed).toEqual(['x-key']);
    }
  });

  it.each([0, 100, 1000, 4096, 65_536])(
    'we read requests of its client, with a table of %i bytes',
    async (tableSize) => {
      const server = net.createServer();
      const port = await listen(server);
      const client = http2.connect(`http://127.0.0.1:${port}`, { settings: { headerTableSize: 300 } });
      closing.push(
        () => client.destroy(),
        () => server.close(),
      );
      const [socket] = (await once(server, 'connection')) as [net.Socket];
      const peer = new RawHttp2(socket, 'server', tableSize);
      await Promise.all([peer.settings, once(client, 'remoteSettings')]);
      expect(peer.headerTableSize).toBe(300);
      const decoder = new HpackDecoder(tableSize);
      const encoder = new HpackEncoder();
      encoder.maxTableSize = peer.headerTableSize;
      for (let index = 0; index < ASKED; index++) {
        const fields = request(index, `127.0.0.1:${port}`);
        const stream = client.request(fieldsForNode(fields, ['x-key']), { endStream: true });
        const responded = once(stream, 'response') as Promise<[http2.IncomingHttpHeaders, number, string[]]>;
        const arrival = await peer.nextHeaders();
        expect(decoder.decode(arrival.block, 0, arrival.block.length, 65_536, 100)).toEqual(fields);
        expect(decoder.neverIndexed).toEqual(['cookie', 'authorization', 'x-key']);
        peer.sendHeaders(arrival.stream, encoder.encode(response(index), ['x-key']));
        const [headers, , rawHeaders] = await responded;
        expect(rawHeaders).toEqual(response(index));
        expect(sensitiveNames(headers)).toEqual(['x-key']);
        stream.resume();
        await once(stream, 'close');
      }
    },
  );
});

/** Node also accepts a flat array, which keeps the order; its types lack this. */
function fieldsForNode(fields: string[], sensitive: string[]): http2.OutgoingHttpHeaders {
  return Object.assign([...fields], { [http2.sensitiveHeaders]: sensitive }) as unknown as http2.OutgoingHttpHeaders;
}

/** The fields marked "never indexed", as node:http2 reports them. */
function sensitiveNames(headers: http2.IncomingHttpHeaders): string[] {
  return Reflect.get(headers, http2.sensitiveHeaders) as string[];
}
