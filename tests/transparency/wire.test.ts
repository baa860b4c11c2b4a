import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine } from '../support/engine.ts';
import { testCa } from '../support/test-ca.ts';
import { allowed } from './allowed-differences.ts';
import { difference } from './difference.ts';
import { BODY_CASES } from './wire/bodies.ts';
import { CONNECTION_CASES } from './wire/connections.ts';
import { REQUEST_CASES } from './wire/requests.ts';
import { RESPONSE_CASES } from './wire/responses.ts';
import { runBoth, type Surroundings, type Way } from './wire/run.ts';

const TABLES = [
  ['requests', REQUEST_CASES],
  ['responses', RESPONSE_CASES],
  ['bodies', BODY_CASES],
  ['connections', CONNECTION_CASES],
] as const;

/** HTTP/1.1, byte for byte: each case direct and through Roundtrip, compared at both ends. */
describe.each(['tls', 'tunnel', 'forward'] as const satisfies readonly Way[])('HTTP/1.1, %s', (way) => {
  let around: Surroundings;
  let remove = (): void => {};

  beforeAll(async () => {
    const origin = await testCa();
    remove = origin.remove;
    const engine = await startTestEngine({ upstreamCaFiles: [origin.ca.certificatePath] });
    around = { engine, originCa: origin.ca };
  });

  afterAll(async () => {
    await around.engine.engine.close({ graceMs: 0 });
    remove();
  });

  describe.each(TABLES)('%s', (_name, cases) => {
    it.concurrent.each(cases)('$name', async (wire) => {
      const { direct, through } = await runBoth(wire, way, around);
      expect(direct.client.stuck, 'the case itself does not work').toBeNull();
      const differs = difference(direct, through);
      const exception = allowed(wire.name, way);
      if (exception && differs.length === 0)
        throw new Error(`no difference any more: take it off the list (${exception.reason})`);
      if (!exception && differs.length > 0) throw new Error(differs.join('\n'));
    });
  });
});
