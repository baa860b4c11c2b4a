import { once } from 'node:events';
import tls from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

it('only a client that renegotiates TLS is refused', async () => {
  const origin = await httpsOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const open = async (): Promise<tls.TLSSocket> => {
    const socket = await openTunnel(through, `localhost:${new URL(origin.url).port}`);
    const secure = tls.connect({ socket, servername: 'localhost', ca: through.caPem, maxVersion: 'TLSv1.2' });
    secure.on('error', () => {});
    onTestFinished(() => void secure.destroy());
    await once(secure, 'secureConnect');
    return secure;
  };
  const [greedy, other] = [await open(), await open()];
  const renegotiated = await new Promise<boolean>((resolve) => {
    greedy.once('close', () => resolve(false));
    greedy.resume();
    greedy.renegotiate({}, (error) => resolve(error === null));
  });
  expect(renegotiated).toBe(false);
  other.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(other, 'readable');
  expect(String(other.read())).toMatch(/^HTTP\/1.1 200 /);
});
