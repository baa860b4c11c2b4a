import { execFile } from 'node:child_process';
import type { TestEngine } from './engine.ts';

export interface CurlResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs curl through the engine, trusting its CA. */
export function curl(through: Pick<TestEngine, 'proxy' | 'caPath'>, ...args: string[]): Promise<CurlResult> {
  const common = ['-sS', '-m', '100', '-x', through.proxy, '--noproxy', '', '--cacert', through.caPath];
  return new Promise((resolve) => {
    execFile('curl', [...common, ...args], { encoding: 'latin1' }, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}
