import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import { type Command, type Environment, type RunCommand, runCommand } from '../../run-command.ts';
import { environmentProxy } from './environment-proxy.ts';
import { GNOME_COMMAND, gnomeProxy } from './gnome-proxy.ts';
import { isKde, kdeCommand, kdeProxy } from './kde-proxy.ts';
import { MACOS_COMMAND, macosProxy } from './macos-proxy.ts';
import { WINDOWS_COMMAND, windowsProxy } from './windows-proxy.ts';
import { WINHTTP_COMMAND, winhttpProxy } from './winhttp-proxy.ts';

interface Reader {
  command: Command;
  parse(output: string): SystemProxy | null;
}

/** In order of precedence: the first that names a proxy is used. */
const READERS: Partial<Record<NodeJS.Platform, readonly Reader[]>> = {
  linux: [{ command: GNOME_COMMAND, parse: gnomeProxy }],
  freebsd: [{ command: GNOME_COMMAND, parse: gnomeProxy }],
  darwin: [{ command: MACOS_COMMAND, parse: macosProxy }],
  win32: [
    { command: WINDOWS_COMMAND, parse: windowsProxy },
    { command: WINHTTP_COMMAND, parse: winhttpProxy },
  ],
};

/**
 * The user's proxy settings: first the environment's, because they were set for Roundtrip in particular, then the
 * desktop's, then those for Windows services. Null if there are none, or on an unknown desktop. Never rejects.
 */
export async function readSystemProxy(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  run: RunCommand = runCommand,
): Promise<SystemProxy | null> {
  const ofEnvironment = environmentProxy(env);
  if (ofEnvironment) return ofEnvironment;
  const isUnix = platform === 'linux' || platform === 'freebsd';
  const readers = isUnix && isKde(env) ? [{ command: kdeCommand(env), parse: kdeProxy }] : (READERS[platform] ?? []);
  for (const { command, parse } of readers) {
    const { status, stdout } = await run(command, env);
    const found = status === 0 ? parse(stdout) : null;
    if (found) return found;
  }
  return null;
}
