import { once } from 'node:events';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { Tally } from '../../../electron/engine/record/tally.ts';
import type { EngineCalls, EngineNotice } from '../../../electron/worker/engine-calls.ts';
import { Thread } from '../../../electron/worker/thread.ts';
import { NO_PROXY_FACTS } from '../../../shared/model/proxy/proxy-facts.ts';
import { NO_RULES } from '../../../shared/model/rule/rule.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import { DIST } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testCa } from '../../support/test-ca.ts';

it('uses the second writer if the first one died while the engine started', async () => {
  const { ca, remove } = await testCa();
  onTestFinished(remove);
  const [first, second] = [new MessageChannel(), new MessageChannel()];
  const engine = new Thread<EngineCalls, EngineNotice>({
    file: path.join(DIST, 'engine-thread.cjs'),
    name: 'roundtrip engine',
    data: { writer: first.port2, threadFolder: DIST, tally: new Tally().shared },
    transfer: [first.port2],
  });
  onTestFinished(() => engine.stop(0));
  const started = engine.call('start', {
    ...{ host: '127.0.0.1', port: 0, settings: DEFAULT_SETTINGS, rules: NO_RULES, proxyFacts: NO_PROXY_FACTS },
    certificates: { certificatePem: ca.certificatePem, keyPem: ca.keyPem, leafFolder: temporaryFolder() },
    refusedAuthorities: [],
  });
  const resumed = once(second.port1, 'message');
  await engine.call('writer', second.port2, [second.port2]);
  const session = { sessionId: 'a', path: '/s.roundtrip', nextExchangeId: 1, nextConnectionId: 1 };
  first.port1.postMessage({ kind: 'opened', session });
  first.port1.close();
  await started;
  expect(await resumed).toEqual([{ kind: 'resume', sessionIds: ['a'], firstExchange: 1 }]);
});
