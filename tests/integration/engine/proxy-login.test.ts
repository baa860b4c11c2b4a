import net from 'node:net';
import { expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

const LOGIN = Buffer.from('user:secret').toString('base64');
const WITH_LOGIN = ['--proxy-user', 'user:secret', '--proxy-basic'];

// RFC 9110, section 11.7.2; law 7
it("a client's login for the proxy is neither recorded nor sent on", async () => {
  const origin = await rawOrigin((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const through = await testEngine({ intercept: false });
  expect((await curl(through, ...WITH_LOGIN, `http://127.0.0.1:${origin.port}/`)).stdout).toBe('ok');
  expect(origin.received().toLowerCase()).not.toContain('proxy-authorization');
  const tunnelled = `http://127.0.0.1:${origin.port}/in-tunnel`;
  expect((await curl(through, ...WITH_LOGIN, '--proxytunnel', tunnelled)).stdout).toBe('ok');
  await through.seen.ended1(() => through.seen.all.length === 2);
  expect(JSON.stringify(through.seen.all)).not.toContain(LOGIN);
});

it("a client's login does not reach an HTTP/2 origin from an HTTP/1.1 client", async () => {
  const reached: string[][] = [];
  const origin = await http2Origin((stream, _headers, raw) => {
    reached.push(raw);
    stream.end('ok');
  });
  const through = await testEngine({ http2Client: false, upstreamCaFiles: [origin.caPath] });
  const fields = `Host: localhost:${origin.port}\r\nProxy-Authorization: Basic ${LOGIN}\r\n`;
  const absolute = `GET ${origin.url}/ HTTP/1.1\r\n${fields}\r\n`;
  const response = await new Promise<string>((resolve) => {
    const client = net.connect(through.port, '127.0.0.1', () => client.write(absolute));
    client.once('data', (bytes) => {
      client.destroy();
      resolve(String(bytes));
    });
  });
  expect(response).toContain('200 OK');
  expect(reached).toHaveLength(1);
  expect(reached.flat()).not.toContain(`Basic ${LOGIN}`);
  expect(JSON.stringify(await through.seen.ended1())).not.toContain(LOGIN);
});
