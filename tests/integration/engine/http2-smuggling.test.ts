import { expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { type Field, firstRequest, type RawRequest, verdictOn } from '../../support/raw-http2.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const INJECTED = `a\r\n\r\n${SMUGGLED}`;

/** `AUTHORITY` stands for the origin's. */
const request = (changes: Record<string, string | null>, ...more: Field[]): readonly Field[] => {
  const pseudo = { ':method': 'POST', ':scheme': 'https', ':authority': 'AUTHORITY', ':path': '/', ...changes };
  return [...Object.entries(pseudo).filter((each): each is [string, string] => each[1] !== null), ...more];
};
const field = (name: string, value: string): RawRequest => ({ fields: request({}, [name, value]), body: SMUGGLED });
const line = (changes: Record<string, string | null>): RawRequest => ({ fields: request(changes) });
const trailer = (name: string, value: string): RawRequest => ({
  fields: request({}),
  body: 'abc',
  trailers: [[name, value]],
});

/** Malformed by RFC 9113, sections 8.1 to 8.3: in HTTP/1.1 they would be another request, or two. */
const REFUSED: Record<string, RawRequest> = {
  'transfer-encoding (H2.TE)': field('transfer-encoding', 'chunked'),
  'a signed length': field('content-length', `+${SMUGGLED.length}`),
  'a list of lengths': field('content-length', `${SMUGGLED.length}, ${SMUGGLED.length}`),
  'two lengths': { fields: request({}, ['content-length', '3'], ['content-length', '4']), body: 'abc' },
  connection: field('connection', 'keep-alive'),
  'keep-alive': field('keep-alive', 'x'),
  'proxy-connection': field('proxy-connection', 'x'),
  upgrade: field('upgrade', 'h2c'),
  'te that is not trailers': field('te', 'chunked'),
  'a name in upper case': field('Transfer-Encoding', 'chunked'),
  'a pseudo-header field that there is none of': field(':x', 'a'),
  'a second path': field(':path', '/b'),
  'a path behind the fields': { fields: [...request({ ':path': null }), ['x', 'a'], [':path', '/']] },
  'no path': line({ ':path': null }),
  'an empty path': line({ ':path': '' }),
  'no method': line({ ':method': null }),
  'no scheme': line({ ':scheme': null }),
  'a space in the path': line({ ':path': '/ HTTP/1.1' }),
  'a line break in the path': line({ ':path': `/ HTTP/1.1\r\n${INJECTED}` }),
  'a path without a slash': line({ ':path': 'smuggled' }),
  'a space in the method': line({ ':method': 'GET /smuggled' }),
  'a line break in the method': line({ ':method': `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET` }),
  'an empty method': line({ ':method': '' }),
  'a line break in the authority': line({ ':authority': 'AUTHORITY\r\nX: a' }),
  'a space in the authority': line({ ':authority': 'AUTHORITY b.test' }),
  'a user in the authority': line({ ':authority': 'b.test@AUTHORITY' }),
  'a path in the authority': line({ ':authority': 'AUTHORITY/b' }),
  'a line break in the scheme': line({ ':scheme': 'https\r\n' }),
  'a host that is not the authority': field('host', 'b.test'),
  'a line break in a value': field('x', INJECTED),
  'a bare LF in a value': field('x', 'a\nTransfer-Encoding: chunked'),
  'a bare CR in a value': field('x', 'a\rTransfer-Encoding: chunked'),
  'a NUL in a value': field('x', 'a\0b'),
  'a line break in a name': field('x: a\r\ny', 'b'),
  'a colon in a name': field('transfer-encoding: chunked\r\nx', 'a'),
  'a space in a name': field('transfer-encoding ', 'chunked'),
  'an empty name': field('', 'a'),
  'two hosts': { fields: request({ ':authority': null }, ['host', 'AUTHORITY'], ['host', 'b.test']) },
};

/** Malformed after the head may have been sent: the request is cut off, and no byte after its head is forwarded. */
const CUT_OFF: Record<string, RawRequest> = {
  'a length that is too short (H2.CL)': field('content-length', '1'),
  'a length of nothing': field('content-length', '0'),
  'a length that is too long': field('content-length', '999'),
  'a pseudo-header field among the trailers': trailer(':path', '/b'),
  'a coding among the trailers': trailer('transfer-encoding', 'chunked'),
  'a length among the trailers': trailer('content-length', '9'),
  'a login among the trailers': trailer('proxy-authorization', 'Basic x'),
  'a line break in a trailer': trailer('x', INJECTED),
};

/** Sends the gadget to an engine that speaks HTTP/1.1 upstream. */
async function send(gadget: RawRequest) {
  const origin = await secureRawOrigin((socket, received) => {
    if (received.endsWith('0\r\n\r\n')) socket.write(OK);
  });
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Upstream: false });
  const socket = await openSecureTunnel(through, origin.port, ['h2']);
  const authority = `localhost:${origin.port}`;
  const fields = gadget.fields.map(([name, value]): Field => [name, value.replace('AUTHORITY', authority)]);
  socket.write(firstRequest({ ...gadget, fields }));
  const verdict = await verdictOn(socket);
  socket.destroy();
  await through.clientCount(0);
  return { verdict, received: origin.received(), authority };
}

it.each(Object.entries(REFUSED))('HTTP/2 to HTTP/1.1, refused: %s', async (_name, gadget) => {
  expect(await send(gadget)).toMatchObject({ verdict: 'reset', received: '' });
});

it('what the engine itself refuses is in the list', async () => {
  const gadget = REFUSED['a host that is not the authority'] ?? line({});
  const origin = await secureRawOrigin(() => {});
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Upstream: false });
  const socket = await openSecureTunnel(through, origin.port, ['h2']);
  socket.write(firstRequest(gadget));
  expect(await verdictOn(socket)).toBe('reset');
  socket.destroy();
  expect((await through.seen.ended1()).failure?.code).toBe('client.bad-request');
});

it.each(Object.entries(CUT_OFF))('HTTP/2 to HTTP/1.1, cut off: %s', async (_name, gadget) => {
  const { verdict, received, authority } = await send(gadget);
  expect(['reset', 'goaway']).toContain(verdict);
  expect(received.replace(/(?:content-length: \d+|Transfer-Encoding: chunked)\r\n/, '')).toBe(
    received === '' ? '' : `POST / HTTP/1.1\r\nHost: ${authority}\r\n\r\n`,
  );
});
