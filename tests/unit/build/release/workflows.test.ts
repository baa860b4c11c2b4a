import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hasProgram } from '../../../support/has-program.ts';

const INSTALLED = path.join(process.env.GOPATH ?? path.join(os.homedir(), 'go'), 'bin', 'actionlint');
const ACTIONLINT = ['actionlint', INSTALLED].find((program) => hasProgram(program, '-version'));

it.skipIf(ACTIONLINT === undefined)('actionlint finds no fault in the workflows', () => {
  const { status, stdout } = spawnSync(ACTIONLINT ?? '', ['-no-color']);
  expect(stdout.toString()).toBe('');
  expect(status).toBe(0);
});
