import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, roundtripError } from '../engine/errors.ts';
import type { Environment } from './run-command.ts';
import { posixScript, type Terminal, type TerminalScript, windowsScript } from './terminals.ts';

export interface LaunchTerminalOptions extends TerminalScript {
  terminal: Terminal;
  /** The script is kept below it, readable by its user only: it holds the user's environment's paths. */
  dataFolder: string;
  env?: Environment;
  platform?: string;
}

/** Opens a terminal whose programs go through the proxy. Rejects with `browser.start-failed`. Gives its process. */
export async function launchTerminal(options: LaunchTerminalOptions): Promise<{ pid: number }> {
  const { terminal, dataFolder, env = process.env, platform = process.platform } = options;
  const windows = platform === 'win32';
  // Terminal.app runs files of this extension.
  const extension = windows ? 'cmd' : platform === 'darwin' ? 'command' : 'sh';
  const script = path.join(dataFolder, `terminal.${extension}`);
  try {
    fs.rmSync(script, { force: true });
    fs.writeFileSync(script, windows ? windowsScript(options) : posixScript(options), { mode: 0o700, flag: 'wx' });
    const [program, ...parameters] = terminal.command(script);
    // Its own session: it outlives us, as the user's shell in it should.
    const child = spawn(program, parameters, { env: { ...env }, stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.unref();
    return { pid: child.pid ?? 0 };
  } catch (error) {
    throw roundtripError('browser.start-failed', { name: 'The terminal', detail: describe(error) });
  }
}
