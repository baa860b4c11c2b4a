import fs from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';
import { CAN_PRELOAD, loopbackThrough } from '../support/loopback-preload.ts';
import { EXPECTED_DIFFERENCES } from './expected-differences.ts';
import { NEVER_ENDED, runFile } from './run-file.ts';
import { SUITES, type Suite, suiteFiles, suiteFolder } from './suite.ts';

interface Found {
  ran: number;
  /** `file: title` of tests that fail through Roundtrip and pass without it. */
  differences: string[];
}

const has = (titles: readonly string[]) => (title: string) => titles.includes(title);

/**
 * Tests that pass without Roundtrip, fail through it, and fail there again alone: one that fails only occasionally, or
 * because another test of its file ended the process, proves nothing about us. The same applies to a file that does not
 * end.
 */
async function runBoth(suite: Suite, folder: string, file: string, through: Record<string, string>): Promise<Found> {
  const first = await runFile(suite, folder, file, through);
  if (first.failed.length === 0 && first.passed.length > 0) return { ran: first.passed.length, differences: [] };
  const direct = await runFile(suite, folder, file, { NODE_OPTIONS: suite.nodeOptions });
  const differences: string[] = [];
  for (const title of new Set(direct.passed.filter((each) => !has(first.passed)(each)))) {
    const again = await runFile(suite, folder, file, through, title);
    if (!again.passed.includes(title)) differences.push(`${file}: ${title}`);
  }
  if (first.failed.includes(NEVER_ENDED) && !direct.failed.includes(NEVER_ENDED)) {
    const again = await runFile(suite, folder, file, through);
    if (again.failed.includes(NEVER_ENDED)) differences.push(`${file}: ${NEVER_ENDED}`);
  }
  return { ran: direct.passed.length, differences };
}

async function runSuite(suite: Suite, folder: string, through: Record<string, string>): Promise<Found> {
  const files = suiteFiles(suite, folder);
  const all: Found = { ran: 0, differences: [] };
  const next = async (): Promise<void> => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const { ran, differences } = await runBoth(suite, folder, file, through);
      all.ran += ran;
      all.differences.push(...differences);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, next));
  return all;
}

describe.each(SUITES)("$name's own tests", (suite) => {
  const folder = CAN_PRELOAD ? suiteFolder(suite) : null;

  it.skipIf(folder === null)('pass through Roundtrip, but for the differences that are listed', async () => {
    const engine = await testEngine({ insecureUpstream: true });
    engine.seen.keepsBodies = false;
    const env = loopbackThrough(engine);
    env.NODE_OPTIONS = `${env.NODE_OPTIONS} ${suite.nodeOptions}`;
    const { ran, differences } = await runSuite(suite, folder ?? '', env);
    const report = process.env.ROUNDTRIP_SUITE_REPORT;
    if (report) fs.writeFileSync(`${report}-${suite.name}.json`, JSON.stringify(differences.sort(), null, 1));
    console.log(`${suite.name}: ${ran} tests, ${differences.length} differ through Roundtrip`);
    const isExpected = (line: string) =>
      EXPECTED_DIFFERENCES.some(({ tests }) => tests.includes(`${suite.name} ${line}`));
    expect(differences.filter((line) => !isExpected(line)).sort()).toEqual([]);
    expect(ran).toBeGreaterThan(300);
    expect(engine.seen.started).toBeGreaterThan(300);
  });
});
