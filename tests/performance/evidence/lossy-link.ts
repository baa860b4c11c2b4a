import path from 'node:path';
import { Child } from '../runner/child.ts';

/** Where a program inside lossy_link.py listens, and where it connects to. */
export const NEAR = '10.66.0.1';
export const FAR = '10.66.0.2';
export const PORT = 8080;

export interface Network {
  /** Milliseconds. */
  rtt: number;
  /** Shares of the packets, from 0 to 1: up is what the connecting side sends. */
  lossUp: number;
  lossDown: number;
}

/** Starts a script of this folder with the project's Node in an emulated network. */
export function inNetwork({ rtt, lossUp, lossDown }: Network, script: string, ...args: readonly string[]): Child {
  const here = (name: string) => path.join(import.meta.dirname, name);
  const link = ['--delay', rtt / 2, '--loss-up', lossUp, '--loss-down', lossDown, '--port', PORT].map(String);
  const command = [process.execPath, here(script), ...args];
  return new Child({
    command: 'unshare',
    args: ['-rn', 'python3', here('lossy_link.py'), ...link, '--', ...command],
  });
}
