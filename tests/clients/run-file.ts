import { spawn } from 'node:child_process';
import type { Suite } from './suite.ts';
import { readTap, type TapResult } from './tap.ts';

/**
 * The limit for a file's tests, in milliseconds: longer than any of them takes. A few never end, even without a proxy.
 */
const TIME_LIMIT = 90_000;

export const NEVER_ENDED = '(the file did not end)';

/** Runs a whole file, or its test with this title, with `env` added to our environment. */
export function runFile(
  { command }: Suite,
  folder: string,
  file: string,
  env: Record<string, string>,
  title: string | null = null,
): Promise<TapResult> {
  // A process group: what its tests start must end with it.
  const options = { cwd: folder, env: { ...process.env, ...env }, detached: true } as const;
  const child = spawn(process.execPath, command(file, title), { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  let late = false;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  const timer = setTimeout(() => {
    late = true;
    end();
  }, TIME_LIMIT);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', () => {
      clearTimeout(timer);
      end();
      const { passed, failed } = readTap(text);
      resolve({ passed, failed: late ? [...failed, NEVER_ENDED] : failed });
    });
  });
}
