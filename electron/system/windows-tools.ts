import type { Environment } from './run-command.ts';

/**
 * A program of Windows by its full path: a folder in PATH, or the current one, could contain another program of that
 * name.
 */
export function system32(env: Environment, program: string): string {
  return `${env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows'}\\System32\\${program}`;
}

export function powershell(env: Environment): string {
  return system32(env, 'WindowsPowerShell\\v1.0\\powershell.exe');
}

/** The registry's tool of this machine. */
export const REG = system32(process.env, 'reg.exe');
