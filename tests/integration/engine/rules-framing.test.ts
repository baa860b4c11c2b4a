import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeRequest } from '../../../shared/model/rule/actions.ts';
import { curl } from '../../support/curl.ts';
import { echoOrigin } from '../../support/echo-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { rawOrigin, sendRaw } from '../../support/raw-origin.ts';
import { ruleList } from '../../support/rule-list.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** An engine with this rule in front of an origin that answers each request with `ok`. */
async function start(action: object) {
  const counts = new Map<net.Socket, number>();
  const origin = await rawOrigin((socket, received) => {
    const asked = received.split('\r\n\r\n').length - 1;
    for (let left = asked - (counts.get(socket) ?? 0); left > 0; left -= 1)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    counts.set(socket, asked);
  });
  const through = await testEngine();
  through.engine.applyRules(ruleList({ name: 'r', do: [action] }));
  const url = `http://127.0.0.1:${origin.port}`;
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n${more}\r\n`;
  const last = head(`GET ${url}/last`, 'Connection: close\r\n');
  return {
    ...{ origin, ...through, url, head },
    /** What the client gets for a request with a body, followed by another one, which ends its connection. */
    post: (where: string) =>
      sendRaw(through.port, `${head(`POST ${url}${where}`, 'Content-Length: 4\r\n')}body${last}`),
    get: (where: string) => sendRaw(through.port, `${head(`GET ${url}${where}`)}${last}`),
  };
}

/** The first line, and the fields, of each message. */
const bodiesOf = (text: string) => text.split(/HTTP\/1\.1 \d{3} [\w ]*\r\n(?:[^\r\n]+\r\n)*\r\n/).slice(1);

describe('a rule that changes fields', () => {
  it.each<[string, Partial<ChangeRequest>]>([
    ['sets a Content-Length', { setHeaders: [['Content-Length', '2']] }],
    ['adds a second Content-Length', { addHeaders: [['Content-Length', '9']] }],
    ['adds a Transfer-Encoding', { addHeaders: [['Transfer-Encoding', 'chunked']] }],
    ['removes the Content-Length', { removeHeaders: ['content-length'] }],
    ['removes all that begins so', { removeHeaders: ['content-*', 'c*o*n*t*-*l*'] }],
  ])('keeps the framing of a request where it %s', async (_what, change) => {
    const { post, origin, seen } = await start({ changeRequest: change });
    const got = await post('/a');
    expect(origin.received()).toContain('POST /a HTTP/1.1\r\n');
    expect(origin.received()).toMatch(/^Content-Length: 4\r\n/m);
    expect(origin.received().match(/content-length|transfer-encoding/gi)).toHaveLength(1);
    expect(origin.received()).toContain('\r\n\r\nbodyGET /last HTTP/1.1\r\n');
    expect(bodiesOf(got)).toEqual(['ok', 'ok']);
    const named = [...(change.setHeaders ?? []), ...(change.addHeaders ?? [])].length > 0;
    const { rules } = await seen.ended1();
    if (named) expect(rules[0]?.problem).toMatch(/^(Content-Length|Transfer-Encoding) is unchanged: /);
  });

  it.each([
    ['sets a Content-Length', { setHeaders: [['Content-Length', '1']] }],
    ['adds a Transfer-Encoding', { addHeaders: [['Transfer-Encoding', 'chunked']] }],
    ['removes the Content-Length', { removeHeaders: ['Content-Length'] }],
  ])('keeps the framing of a response where it %s', async (_what, change) => {
    const { post, seen } = await start({ changeResponse: change });
    const got = await post('/a');
    expect(bodiesOf(got)).toEqual(['ok', 'ok']);
    expect(got.match(/content-length: 2|transfer-encoding/gi)).toHaveLength(2);
    expect((await seen.ended1()).rules[0]?.problem).toContain(' is unchanged: it follows from the body');
  });

  it('leaves the bytes of a message alone that it does not change', async () => {
    const response = 'HTTP/1.1 200 Fine\r\nX-Odd:\t two  \r\ncontent-LENGTH: 2\r\n\r\nok';
    const origin = await rawOrigin((socket) => socket.write(response));
    const through = await testEngine();
    const change = { removeHeaders: ['x-none'], replaceBody: [{ find: 'bird', with: 'dog' }] };
    const rules = [{ name: 'r', do: [{ changeRequest: change }, { changeResponse: change }] }];
    through.engine.applyRules(ruleList(...rules));
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    const request = 'POST / HTTP/1.1\r\nHost:   a.test\r\nX-Odd:\t two  \r\ncontent-LENGTH: 3\r\n\r\ncat';
    socket.write(request);
    let got = '';
    for await (const piece of socket.setEncoding('latin1')) {
      got += piece;
      if (got.length >= response.length) break;
    }
    expect([origin.received(), got]).toEqual([request, response]);
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ sent: null, received: null, rules: [{ problem: null }, { problem: null }] });
  });

  it('gives HTTP/2 no field that it forbids', async () => {
    const origin = await echoOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const fields = {
      setHeaders: [
        ['Connection', 'x'],
        ['X-Set', 'yes'],
      ],
    };
    const rules = [{ name: 'r', do: [{ changeRequest: fields }, { changeResponse: fields }] }];
    through.engine.applyRules(ruleList(...rules));
    const { stdout, exitCode } = await curl(through, '-i', '--http2', `https://localhost:${origin.port}/echo`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('x-set: yes');
    const [request, response] = (await through.seen.ended1()).rules;
    for (const outcome of [request, response])
      expect(outcome?.problem).toBe('Connection is left out: HTTP/2 has no such field');
  });
});

describe('a rule that changes the request line', () => {
  it.each([
    ['a line feed', '/b HTTP/1.1\r\nHost: other\r\n\r\nGET /c', '/b%20HTTP/1.1%0D%0AHost:%20other%0D%0A%0D%0AGET%20/c'],
    ['a character that Latin-1 cuts to a line feed', '/b\u010a', '/b%C4%8A'],
    ['half a character', '/b\ud800', '/b%EF%BF%BD'],
    ['nothing', '', '/'],
    ['a URL', 'http://other/', '/http://other/'],
  ])('sends one path where it puts in %s', async (_what, by, path) => {
    const { post, origin } = await start({ changeRequest: { replacePath: [{ find: '/a', with: by }] } });
    await post('/a');
    const lines = origin.received().match(/^.* HTTP\/1\.1\r$/gm);
    expect(lines?.[0]).toBe(`POST ${path} HTTP/1.1\r`);
    expect(origin.received()).not.toMatch(/^Host: other/m);
  });

  it('keeps the other bytes of a path that is not ASCII', async () => {
    const { port, origin, url, head } = await start({ changeRequest: { replacePath: [{ find: 'a', with: ' ' }] } });
    await sendRaw(port, Buffer.from(head(`GET ${url}/\xfca`, 'Connection: close\r\n'), 'latin1'));
    expect(origin.received()).toContain('GET /\xfc%20 HTTP/1.1\r\n');
  });

  it('encodes half a character in a query', async () => {
    const { get, origin } = await start({ changeRequest: { setQuery: [['q', '\ud800']] } });
    await get('/a');
    expect(origin.received()).toContain('GET /a?q=%EF%BF%BD HTTP/1.1');
  });

  it.each(['HEAD', 'CONNECT'])('does not make it a %s, whose response is framed in another way', async (method) => {
    const { post, origin, seen } = await start({ changeRequest: { method } });
    expect(bodiesOf(await post('/a'))).toEqual(['ok', 'ok']);
    expect(origin.received()).toMatch(/^POST \/a /);
    expect((await seen.ended1()).rules[0]?.problem).toContain(`a response to ${method} `);
  });

  it('skips a regular expression that never ends, and continues', async () => {
    const find = '^/(a+)+$';
    const { get, origin, seen } = await start({ mapTo: { replacePath: [{ find, with: '/x', regex: true }] } });
    const where = `/${'a'.repeat(60)}!`;
    expect(bodiesOf(await get(where))).toEqual(['ok', 'ok']);
    expect(origin.received()).toContain(`GET ${where} HTTP/1.1`);
    expect((await seen.ended1()).rules[0]?.problem).toMatch(/^the path is unchanged: ".*" ran for more than 1 s/);
  });
});

it.each([204, 304])('removes the body of a response that becomes a %i', async (status) => {
  const { post } = await start({ changeResponse: { status } });
  const got = await post('/a');
  expect(bodiesOf(got)).toEqual(['', '']);
  expect(got).not.toMatch(/content-length/i);
});

describe('an answer', () => {
  it.each([
    ['Content-Length', '2'],
    ['Transfer-Encoding', 'chunked'],
  ])('has the framing of its body, whatever %s its rule names', async (name, value) => {
    const { post, get, port, url, head } = await start({ answer: { headers: [[name, value]], body: 'hello' } });
    expect(bodiesOf(await post('/a'))).toEqual(['hello', 'hello']);
    const got = await get('/a');
    expect(got.match(/content-length: 5|transfer-encoding/gi)).toHaveLength(2);
    const announced = await sendRaw(port, head(`HEAD ${url}/a`, 'Connection: close\r\n'));
    expect(announced).toContain(name === 'Content-Length' ? 'Content-Length: 2\r\n' : 'Content-Length: 5\r\n');
  });

  it('from a folder never follows a link out of it, and never opens a pipe', async () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 'site/sub'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'secret'), 'secret');
    fs.writeFileSync(path.join(folder, 'site/open'), 'open');
    fs.symlinkSync(path.join(folder, 'secret'), path.join(folder, 'site/sub/index.html'));
    const { get } = await start({ answer: { folder: path.join(folder, 'site') } });
    for (const where of ['/sub', '/sub/', '/sub/index.html', '/%00', '/..%2fsecret', '/sub/..%2f..%2fsecret']) {
      const got = await get(where);
      expect(got).toMatch(/^HTTP\/1\.1 404 /);
      expect(got).not.toContain('secret');
    }
    expect(await get('/open')).toMatch(/\r\n\r\nopenHTTP/);
  });

  it.each([
    ['longer', 'complete'],
    ['shorter', 'failed'],
  ])('of a file that becomes %s while it is read is %s at the length that it announced', async (change, state) => {
    const file = path.join(temporaryFolder(), 'changing');
    // More than the sockets' buffers hold: the file is read while the client reads.
    const size = 32 * 1024 * 1024;
    fs.writeFileSync(file, Buffer.alloc(size, 'a'));
    const { port, head, url, seen } = await start({ answer: { file } });
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(head(`GET ${url}/`, 'Connection: close\r\n'));
    await once(socket, 'readable');
    if (change === 'longer') fs.appendFileSync(file, 'more');
    else fs.truncateSync(file, size - 1);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    await new Promise((resolve) => socket.once('close', resolve));
    const [body = ''] = bodiesOf(text);
    if (change === 'longer') expect(body).toHaveLength(size);
    else expect(body.length).toBeLessThan(size);
    expect((await seen.ended1()).state).toBe(state);
  });
});
