import { expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';

/** Sends each request from another client, one after another; returns the ids of their upstream connections. */
async function connectionsOf(engine: TestEngine, url: string, methods: readonly string[]) {
  for (const [index, method] of methods.entries()) {
    expect((await curl(engine, '-X', method, url)).stdout).toBe('hello');
    await engine.seen.ended1((each) => each.id === index + 1);
  }
  expect(new Set(engine.seen.all.map(({ client }) => client.id)).size).toBe(methods.length);
  return engine.seen.all.map(({ upstream }) => upstream?.id);
}

it('a new client of a known origin uses the idle connection, and none is opened for it', async () => {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
  expect(new Set(await connectionsOf(engine, origin.url, ['GET', 'GET', 'GET'])).size).toBe(1);
  expect(engine.engine.connections().upstream).toBe(1);
});

// RFC 9110, section 9.2.2: it could not be sent again if the server is just closing that connection.
it('a POST never uses the idle connection that another client left', async () => {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const [first, posted] = await connectionsOf(engine, origin.url, ['GET', 'POST']);
  expect(posted).not.toBe(first);
});

it('the first POST of a tunnel uses the connection that was opened for the tunnel', async () => {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
  await connectionsOf(engine, origin.url, ['POST']);
  expect(engine.engine.connections().upstream).toBe(1);
});

it('a second connection to an origin resumes the TLS session of the first', async () => {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath], keepAlive: false });
  await connectionsOf(engine, origin.url, ['GET', 'GET']);
  expect(engine.seen.all.map(({ upstream }) => upstream?.tls?.resumed)).toEqual([false, true]);
});
