import { spawnSync } from 'node:child_process';

/**
 * Whether a command can be run here and ends well: `hasProgram('python3', '-c', 'import requests')`. Tests that need it
 * are skipped otherwise.
 */
export function hasProgram(program: string, ...parameters: string[]): boolean {
  return spawnSync(program, parameters.length > 0 ? parameters : ['--version'], { stdio: 'ignore' }).status === 0;
}
