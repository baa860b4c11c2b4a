import type { SystemProxy } from '../../../shared/model/proxy-facts.ts';
import { type Command, type Environment, type RunCommand, runCommand } from '../run-command.ts';
import { environmentProxy } from './environment-proxy.ts';
import { GNOME_COMMAND, gnomeProxy } from './gnome-proxy.ts';
import { isKde, kdeCommand, kdeProxy } from './kde-proxy.ts';
import { MACOS_COMMAND, macosProxy } from './macos-proxy.ts';
import { WINDOWS_COMMAND, windowsProxy } from './windows-proxy.ts';

interface Reader {
  command: Command;
  parse(output: string): SystemProxy | null;
}

const READERS: Partial<Record<NodeJS.Platform, Reader>> = {
  linux: { command: GNOME_COMMAND, parse: gnomeProxy },
  freebsd: { command: GNOME_COMMAND, parse: gnomeProxy },
  darwin: { command: MACOS_COMMAND, parse: macosProxy },
  win32: { command: WINDOWS_COMMAND, parse: windowsProxy },
};

/**
 * The proxy settings of this machine's user: the environment's where it says something, since whoever started us set them for us,
 * then the desktop's. Null: there are none, or there is no such desktop. Never rejects.
 */
export async function readSystemProxy(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  run: RunCommand = runCommand,
): Promise<SystemProxy | null> {
  const ofEnvironment = environmentProxy(env);
  if (ofEnvironment) return ofEnvironment;
  const isUnix = platform === 'linux' || platform === 'freebsd';
  const reader = isUnix && isKde(env) ? { command: kdeCommand(env), parse: kdeProxy } : READERS[platform];
  if (!reader) return null;
  const { status, stdout } = await run(reader.command, env);
  return status === 0 ? reader.parse(stdout) : null;
}
