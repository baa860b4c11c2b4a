import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { ruleList } from '../../support/rule-list.ts';

/** More than a TLS socket encrypts at once: the rest is encrypted when that has been sent. */
const SENT = 800_000;

async function scene(rules: object[] = []) {
  const origin = await httpsOrigin((_request, response) => {
    response.writeHead(200, { 'content-length': String(SENT + 1000) });
    response.write('x'.repeat(SENT), () => response.destroy());
  });
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  through.engine.applyRules(ruleList(...rules));
  return { ...through, get: () => curl(through, `${origin.url}/`, '--http1.1') };
}

describe('all that came before the end of a cut response reaches a client with TLS', () => {
  it('if a rule cuts it', async () => {
    const answer = { answer: { body: 'x'.repeat(SENT + 1000) } };
    const { get } = await scene([{ name: 'cut', do: [{ fail: { how: 'truncate', bytes: SENT } }, answer] }]);
    const { stdout, exitCode } = await get();
    expect([exitCode, stdout.length]).toEqual([18, SENT]);
  });

  it('if the server cuts it', async () => {
    const { get } = await scene();
    const { stdout, exitCode } = await get();
    expect([exitCode, stdout.length]).toEqual([18, SENT]);
  });
});
