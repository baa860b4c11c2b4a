import { execFile } from 'node:child_process';
import type { FaultName } from '../../support/fault-origin.ts';
import type { Target } from './client.ts';

/**
 * Runs a client in another language: its arguments are `https://localhost:PORT`, the CA's file, the proxy's URL or
 * nothing, and the faults; it prints one line for each fault.
 */
export function runProgram(
  command: string,
  first: readonly string[],
  { port, caPath, proxyPort }: Target,
  faults: readonly FaultName[],
): Promise<Record<string, string>> {
  const proxy = proxyPort === null ? '' : `http://127.0.0.1:${proxyPort}`;
  const args = [...first, `https://localhost:${port}`, caPath, proxy, ...faults];
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 300_000 }, (error, stdout, stderr) => {
      if (error) {
        reject(new Error(`${command} failed: ${stderr || error.message}`));
        return;
      }
      const lines = stdout.trimEnd().split('\n');
      resolve(Object.fromEntries(faults.map((fault, index) => [fault, lines[index] ?? ''])));
    });
  });
}
