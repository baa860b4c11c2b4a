import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Two runs of Playwright take minutes on a machine that others load.
vi.setConfig({ testTimeout: 900_000 });

/** The section of docs/ci.md below `### name`. */
function recipe(name: string): string {
  const page = fs.readFileSync('docs/ci.md', 'utf8');
  return page.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
}

/** The text of a recipe's code block of a language. */
function blockOf(name: string, language: string): string {
  const blocks = recipe(name).matchAll(/^```([a-z]*)\n(.*?)^```/gms);
  const text = [...blocks].find((block) => block[1] === language)?.[2];
  if (text === undefined) throw new Error(`docs/ci.md has no ${language} block below ${name}`);
  return text;
}

/** The arguments of a recipe's `roundtrip` command, as a shell splits them. */
function argumentsOf(name: string): string[] {
  const command = blockOf(name, '').split('\n', 1)[0] ?? '';
  const words = [...command.matchAll(/'([^']*)'|(\S+?)='([^']*)'|\S+/g)];
  return words.map(([word, quoted, variable, value]) => quoted ?? (variable ? `${variable}=${value}` : word)).slice(1);
}

/** A project with a page to test, and Playwright next to it. */
async function project(limit: number): Promise<{ folder: string; url: string; visits: () => number }> {
  const folder = temporaryFolder();
  let visits = 0;
  const page = http.createServer((_request, response) => {
    visits += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title><link rel="icon" href="data:,">');
  });
  await new Promise<void>((listening) => page.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void page.close());
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  fs.writeFileSync(path.join(folder, 'budget.yaml'), `budget:\n  - count where host:localhost < ${limit}\n`);
  return { folder, url: `http://localhost:${(page.address() as AddressInfo).port}/`, visits: () => visits };
}

const SPEC = (url: string) => `import { expect, test } from '@playwright/test';
test('the shop opens', async ({ page }) => {
  await page.goto('${url}');
  await expect(page).toHaveTitle('Shop');
});
`;

describe('the recipes of docs/ci.md', () => {
  it.skipIf(chromiumPath() === null)(
    'Playwright: the tests pass or fail by the budget, through the proxy',
    async () => {
      for (const [limit, exitCode] of [
        [2, 0],
        [1, 1],
      ] as const) {
        const { folder, url, visits } = await project(limit);
        fs.writeFileSync(path.join(folder, 'playwright.config.ts'), blockOf('Playwright', 'ts'));
        fs.writeFileSync(path.join(folder, 'shop.spec.ts'), SPEC(url));
        const [command = '', ...rest] = argumentsOf('Playwright');
        const own = ['--port', '0', '--ui-port', '0', '--har', 'run.har'];
        const env = { CHROME_PATH: chromiumPath() ?? '' };
        const finished = await runRoundtrip([command, ...own, ...rest], { folder, env });
        expect(finished).toMatchObject({ exitCode, stdout: expect.stringContaining('1 passed') });
        expect(visits()).toBe(1);
        const { log } = JSON.parse(fs.readFileSync(path.join(folder, 'run.har'), 'utf8')) as {
          log: { entries: { request: { url: string } }[] };
        };
        expect(log.entries.map(({ request }) => request.url)).toContain(url);
      }
    },
  );

  it('Cypress: the command sets the variables that its page names', async () => {
    const { folder } = await project(1);
    const [command = '', ...rest] = argumentsOf('Cypress');
    const before = rest.slice(0, rest.indexOf('npx'));
    const print = [
      'node',
      '-p',
      'JSON.stringify([process.env.HTTP_PROXY, process.env.HTTPS_PROXY, process.env.NO_PROXY])',
    ];
    const own = ['--port', '0', '--ui-port', '0', '--har', 'run.har'];
    const { exitCode, stdout } = await runRoundtrip([command, ...own, ...before, ...print], { folder });
    expect(exitCode).toBe(0);
    const proxy = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(stdout.split('\n').find((line) => line.startsWith('[')) ?? '')).toEqual([
      proxy,
      proxy,
      '<-loopback>',
    ]);
  });
});
