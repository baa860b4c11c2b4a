import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, type Environment, findProgram } from './run-command.ts';

/** Milliseconds. Some file managers run until their window is closed; a command that fails does so at once. */
const FAILS_WITHIN = 3000;

/**
 * Shows a file in the file manager of this machine's desktop. Rejects with an Error whose message is the end of a
 * sentence.
 */
export async function showInFolder(file: string, env: Environment, platform = process.platform): Promise<void> {
  const commands = commandsFor(file, env, platform);
  for (const command of commands) if (await succeeds(command, env, platform)) return;
  throw new Error(
    commands.length === 0 ? 'this machine has no desktop to show it on' : 'no program on this machine could show it',
  );
}

/** The next one is for desktops on which the one before fails. */
function commandsFor(file: string, env: Environment, platform: NodeJS.Platform): Command[] {
  if (platform === 'darwin') return [['open', '-R', file]];
  if (platform === 'win32') return [['explorer.exe', `/select,${file}`]];
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return [];
  const manager = 'org.freedesktop.FileManager1';
  // A list of one text, as GVariant writes it.
  const items = `['${pathToFileURL(file).href.replaceAll("'", '%27')}']`;
  return [
    [
      ...(['gdbus', 'call', '--session', '--timeout', '2', '--dest', manager] as const),
      ...['--object-path', '/org/freedesktop/FileManager1', '--method', `${manager}.ShowItems`, items, ''],
    ],
    ['xdg-open', path.dirname(file)],
  ];
}

async function succeeds([name, ...parameters]: Command, env: Environment, platform: NodeJS.Platform): Promise<boolean> {
  const program = findProgram(name, env);
  if (program === null) return false;
  const child = spawn(program, parameters, { env: { ...env }, stdio: 'ignore', detached: true });
  child.unref();
  const code = await exitSoon(child);
  // Explorer ends with 1 although it showed the file.
  return code === null || code === 0 || (platform === 'win32' && code === 1);
}

/** The exit code; null: it still runs. */
async function exitSoon(child: ChildProcess): Promise<number | null> {
  const late = AbortSignal.timeout(FAILS_WITHIN);
  try {
    const [code] = await once(child, 'exit', { signal: late });
    return typeof code === 'number' ? code : 1;
  } catch {
    return late.aborted ? null : 1;
  }
}
