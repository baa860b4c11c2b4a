import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let origin: string;

beforeEach(async () => {
  folder = temporaryFolder();
  const server = http.createServer((_request, response) =>
    response.setHeader('Cache-Control', 'no-store').end('x'.repeat(100)),
  );
  const port = await listenInTest(server);
  origin = `http://localhost:${port}`;
  fs.writeFileSync(path.join(folder, 'budget.yaml'), 'budget:\n  - count < 3\n  - findings == 0 where severity:high\n');
});

/** Records `count` requests of curl, as docs/ci.md does. */
async function recorded(name: string, count: number, options: readonly string[] = []) {
  const urls = Array.from({ length: count }, (_, index) => `${origin}/${index}`);
  const own = ['--port', '0', '--session', `${name}.roundtrip`, '--har', `${name}.har`, ...options];
  return await runRoundtrip(['record', ...own, '--', 'curl', '-sS', ...urls], { folder });
}

const check = (args: readonly string[], env: Record<string, string> = {}) =>
  runRoundtrip(['check', ...args, '--budget', 'budget.yaml'], { folder, env: { GITHUB_ACTIONS: '', ...env } });

describe('roundtrip check', () => {
  it('passes within the budget, and fails over it, in all forms of output', async () => {
    await recorded('small', 2);
    await recorded('large', 3);
    const small = await check(['small.roundtrip']);
    expect({ code: small.exitCode, said: small.stdout.split('\n')[0] }).toEqual({
      code: 0,
      said: 'ok    count < 3: 2',
    });
    const files = ['--junit', 'junit.xml', '--html', 'report.html'];
    const large = await check(['large.har', '--json', ...files], { GITHUB_ACTIONS: 'true' });
    expect(large.exitCode).toBe(1);
    expect(JSON.parse(large.stdout)).toMatchObject({
      ok: false,
      sources: [{ budgets: [{ ok: false, actual: 3 }, { ok: true }] }],
    });
    expect(large.stderr).toContain('::error title=roundtrip budget large.har::count < 3: 3');
    expect(fs.readFileSync(path.join(folder, 'junit.xml'), 'utf8')).toContain('failures="1"');
    expect(fs.readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain('Over budget');
  });

  it.skipIf(chromiumPath() === null)('writes a report that opens from disk, without any network', async () => {
    await recorded('large', 3);
    await check(['large.roundtrip', '--baseline', 'large.har', '--html', 'report.html']);
    const report = pathToFileURL(path.join(folder, 'report.html')).href;
    const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: CHROMIUM_FLAGS });
    onTestFinished(() => browser.close());
    const page = await (await browser.newContext({ offline: true })).newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(report);
    expect(requested).toEqual([report]);
    const headings = await page.locator('h1, h2').allInnerTexts();
    for (const part of ['Over budget', 'Budget: ', 'Findings: ', 'Against the baselines'])
      expect(headings).toContainEqual(expect.stringContaining(part));
    // A row of the waterfall for each exchange, which findings link to.
    expect(await page.locator('[id^="x"]').count()).toBe(3);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });

  it('compares with baselines: counts exactly, times only with enough runs', async () => {
    await recorded('old', 1);
    await recorded('new', 2);
    const { exitCode, stdout } = await check(['new.roundtrip', '--baseline', 'old.roundtrip']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('WORSE   requests: 2, at most 1 before');
    expect(stdout).toContain('too few runs to tell');
    expect((await check(['old.roundtrip', '--baseline', 'new.roundtrip'])).exitCode).toBe(0);
  });

  it('exits with 2 for bad input', async () => {
    expect(await check(['missing.har'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('missing.har') });
    fs.writeFileSync(path.join(folder, 'budget.yaml'), 'budget: [count]');
    expect(await check(['missing.har'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('budget.yaml:1:10: '),
    });
  });

  it('records and checks in one step', async () => {
    const budget = ['--budget', 'budget.yaml'];
    expect((await recorded('within', 2, budget)).exitCode).toBe(0);
    const over = await recorded('over', 3, [...budget, '--json']);
    const events = over.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect({ code: over.exitCode, events }).toEqual({ code: 1, events: ['ready', 'check', 'done'] });
  });
});
