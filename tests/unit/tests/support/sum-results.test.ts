import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MODULES = path.resolve('node_modules');

interface Ran {
  code: number;
  stdout: string;
}

/** A program in its own process, without this runner's variables. */
async function run(cwd: string, ...args: string[]): Promise<Ran> {
  try {
    const env = { PATH: process.env.PATH ?? '', HOME: cwd };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env });
    return { code: 0, stdout };
  } catch (error) {
    return error as Ran;
  }
}

const sumUp = (folder: string, ...reports: string[]) =>
  run(folder, path.resolve('tests/support/sum-results.ts'), ...reports);

/** The real runner's report of these files. */
async function vitestReport(folder: string, files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const runner = path.join(MODULES, 'vitest/vitest.mjs');
  await run(folder, runner, 'run', '--root', '.', '--globals', '--reporter', 'json', '--outputFile', 'vitest.json');
  return 'vitest.json';
}

/** As Playwright 1.65 writes it, without what is not read: running it takes ten times as long as Vitest. */
function playwrightReport(folder: string, suites: object[], errors: object[]): string {
  const stats = { expected: 3, skipped: 1, unexpected: 1, flaky: 1 };
  const report = { config: { rootDir: path.join(folder, 'e2e') }, suites, errors, stats };
  fs.writeFileSync(path.join(folder, 'playwright.json'), JSON.stringify(report));
  return 'playwright.json';
}

function spec(title: string, status: string, ...messages: string[]): object {
  const results = messages.map((message) => ({ status: 'failed', errors: [{ message }] }));
  return { title, ok: status === 'expected', tests: [{ status, results: [...results, { errors: [] }] }] };
}

it("names Vitest's failed tests, and files that did not run to their end", async () => {
  const folder = temporaryFolder();
  const report = await vitestReport(folder, {
    'a.test.ts': `describe('adds', () => {
      it('two numbers', () => { expect(1 + 1, 'the sum').toBe(3); });
      it('fine', () => {});
      it.skip('later', () => {});
    });
    it('alone', () => { throw new Error('\\x1b[31mfirst line\\x1b[39m\\nsecond line'); });`,
    'broken.test.ts': "import './missing.ts'; it('x', () => {});",
    'hook.test.ts': "describe('y', () => { beforeAll(() => { throw new Error('no'); }); it('z', () => {}); });",
  });
  const { code, stdout } = await sumUp(folder, report);
  expect(stdout.split('\n')).toEqual([
    'FAILED a.test.ts > adds > two numbers: AssertionError: the sum: expected 2 to be 3 // Object.is equality',
    'FAILED a.test.ts > alone: Error: first line',
    expect.stringMatching(/^FAILED broken\.test\.ts: Cannot find module '\.\/missing\.ts'/),
    'FAILED hook.test.ts: a hook of this file failed, or its worker ended',
    '1 passed, 4 failed, 2 skipped',
    '',
  ]);
  expect(code).toBe(1);
});

it("names Playwright's failed and flaky tests, and files that it could not load", async () => {
  const folder = temporaryFolder();
  const unequal = 'Error: \x1b[2mexpect(\x1b[22mreceived).toBe(expected)\n\nExpected: 2';
  const specs = [spec('opens', 'unexpected', unequal, unequal), spec('comes back', 'flaky', 'Error: only once')];
  const inner = { title: 'the window', file: 'a.e2e.ts', specs };
  const suites = [{ title: 'a.e2e.ts', file: 'a.e2e.ts', specs: [spec('fine', 'expected')], suites: [inner] }];
  const location = { file: path.join(folder, 'e2e/b.e2e.ts'), line: 1, column: 7 };
  const errors = [{ message: 'Error: cannot load', location }, { message: 'Error: No tests found' }];
  const { code, stdout } = await sumUp(folder, playwrightReport(folder, suites, errors));
  expect(stdout.split('\n')).toEqual([
    'FAILED e2e/a.e2e.ts > the window > opens: Error: expect(received).toBe(expected)',
    'FLAKY e2e/a.e2e.ts > the window > comes back: Error: only once',
    'FAILED e2e/b.e2e.ts: Error: cannot load',
    'FAILED Playwright: Error: No tests found',
    '3 passed, 4 failed, 1 skipped',
    '',
  ]);
  expect(code).toBe(1);
});

it('names 50 failed tests, and counts the others', async () => {
  const folder = temporaryFolder();
  const report = await vitestReport(folder, {
    'a.test.ts': "it.each([...Array(53).keys()])('%i', () => expect(1).toBe(2));",
  });
  const lines = (await sumUp(folder, report)).stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(50);
  expect(lines.slice(-2)).toEqual(['and 3 more', '0 passed, 53 failed, 0 skipped']);
});

it('adds up several reports, and fails for a missing one', async () => {
  const folder = temporaryFolder();
  const report = await vitestReport(folder, { 'a.test.ts': "it('fine', () => {});" });
  expect(await sumUp(folder, report, report)).toMatchObject({ code: 0, stdout: '2 passed, 0 failed, 0 skipped\n' });
  const { code, stdout } = await sumUp(folder, report, 'none.json');
  expect({ code, lines: stdout.trimEnd().split('\n') }).toEqual({
    code: 1,
    lines: ['none.json is missing: its runner was not reached', '1 passed, 0 failed, 0 skipped'],
  });
});
