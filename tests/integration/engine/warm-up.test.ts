import { expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';

it('a warm-up takes the whole path of a secure request, reports nothing, and leaves nothing open', async () => {
  const engine = await testEngine();
  expect(await engine.engine.warmUp()).toBe(true);
  expect(engine.sightings).toEqual([]);
  expect(engine.seen.all).toEqual([]);
  await engine.clientCount(0);
  expect(engine.engine.connections().upstream).toBe(0);
});

it('a warm-up of a closing engine fails silently', async () => {
  const { engine } = await testEngine();
  await engine.close({ graceMs: 0 });
  expect(await engine.warmUp()).toBe(false);
});
