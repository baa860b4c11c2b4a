import { expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';

it('a new client of a known origin uses the idle connection, and none is opened for it', async () => {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
  for (let id = 1; id <= 3; id += 1) {
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    await engine.seen.ended1((each) => each.id === id);
  }
  expect(new Set(engine.seen.all.map(({ client }) => client.id)).size).toBe(3);
  expect(new Set(engine.seen.all.map(({ upstream }) => upstream?.id)).size).toBe(1);
  expect(engine.seen.ends.filter(({ side }) => side === 'upstream')).toEqual([]);
});

it('a second connection to an origin resumes the TLS session of the first', async () => {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath], keepAlive: false });
  for (let id = 1; id <= 2; id += 1) {
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    await engine.seen.ended1((each) => each.id === id);
  }
  expect(engine.seen.all.map(({ upstream }) => upstream?.tls?.resumed)).toEqual([false, true]);
});
