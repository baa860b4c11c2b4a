import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { type RawOrigin, rawOrigin, sendRaw } from '../../support/raw-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';
import { BODIES, type Gadget, HEADS, RESPONSES, TO_THE_PROXY } from './smuggling.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CODES = ['client.bad-request', 'client.bad-body'];

/** An origin that answers everything that it reads as a request. */
const respondingOrigin = (): Promise<RawOrigin> =>
  rawOrigin((socket, received) => {
    if (received.includes('\r\n\r\n')) socket.write(OK);
  });

function bytesFor(text: string, origin: RawOrigin, target: string): string {
  return text.replaceAll('TARGET', target).replaceAll('AUTHORITY', `127.0.0.1:${origin.port}`);
}

const named = (gadgets: readonly Gadget[]): [string, Gadget][] => gadgets.map((each) => [each.name, each]);
const statuses = (response: string): string[] => response.match(/HTTP\/1\.1 \d{3}/g) ?? [];

describe('ambiguous framing gets a 400, and upstream gets no byte of it', () => {
  it.each(named([...HEADS, ...BODIES, ...TO_THE_PROXY]))('to the proxy: %s', async (_name, { head, body }) => {
    const origin = await respondingOrigin();
    const through = await testEngine();
    const bytes = bytesFor(head + body, origin, `http://127.0.0.1:${origin.port}/`);
    const response = await sendRaw(through.port, Buffer.from(bytes, 'latin1'));
    expect(statuses(response)).toEqual(['HTTP/1.1 400']);
    expect(origin.received()).toBe('');
    expect(CODES).toContain((await through.seen.ended1()).failure?.code);
  });

  it.each(named([...HEADS, ...BODIES]))('inside a tunnel, after a good request: %s', async (_name, { head, body }) => {
    const origin = await respondingOrigin();
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1');
    });
    const good = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`;
    socket.write(good);
    await through.seen.ended1();
    socket.write(Buffer.from(bytesFor(head + body, origin, '/'), 'latin1'));
    await once(socket, 'close');
    expect(statuses(response)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(origin.received()).toBe(good);
  });

  it.each(named(BODIES))('a body that goes wrong while upstream waits for it: %s', async (_name, { head, body }) => {
    const origin = await rawOrigin(() => {});
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1');
    });
    const good = bytesFor(head, origin, '/');
    socket.write(good);
    await origin.receives(good);
    socket.write(Buffer.from(body, 'latin1'));
    await once(socket, 'close');
    expect(statuses(response)).toEqual(['HTTP/1.1 400']);
    expect(origin.received()).toBe(good);
    expect((await through.seen.ended1()).failure?.code).toBe('client.bad-body');
  });
});

it.each(named(RESPONSES))(
  'an ambiguous response resets the client and has its code: %s',
  async (_name, { head, body }) => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(Buffer.from(head + body, 'latin1'));
    });
    const through = await testEngine();
    const target = `http://127.0.0.1:${origin.port}/`;
    const response = await sendRaw(through.port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`);
    // The well-framed part of a faulty body is sent, never an end: the client sees that it was cut off.
    const begun = response.slice(head.length);
    expect(['', head]).toContain(response.slice(0, head.length));
    expect(body.startsWith(begun)).toBe(true);
    expect(begun).not.toMatch(/\r\n\r\n/);
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'failed', failure: { code: 'upstream.bad-response' } });
  },
);
