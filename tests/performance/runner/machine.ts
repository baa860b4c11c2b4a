import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { PROJECT } from './places.ts';

/** The environment of a run. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  go: string;
}

function said(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd: PROJECT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

export function machine(): Machine {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    go: said('go', ['env', 'GOVERSION']),
  };
}

/** Short, with a + where files of the product differ from it. */
export function commit(): string {
  const changed = said('git', ['status', '--porcelain', '--', 'electron', 'shared', 'renderer']) !== '';
  return `${said('git', ['rev-parse', '--short', 'HEAD'])}${changed ? '+' : ''}`;
}
