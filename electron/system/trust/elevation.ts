import {
  type Command,
  type CommandResult,
  commandLine,
  type Environment,
  findProgram,
  lastWords,
} from '../run-command.ts';
import { powershell } from '../windows-tools.ts';
import type { TrustContext } from './trust-store.ts';

/** Wraps a command for the tool that asks for an administrator. Each shows the system's prompt; we see no password. */
const WRAP = {
  /** Without a prompt: works if sudo needs no password or was used recently. */
  sudoSilently: (sudo: string, command: Command): Command => [sudo, '-n', ...command],
  /** Finds the terminal and asks there. */
  sudo: (sudo: string, command: Command): Command => [sudo, ...command],
  /** The desktop's own password window. */
  pkexec: (pkexec: string, command: Command): Command => [pkexec, ...command],
  /** macOS's password window (Apple, "AppleScript Language Guide", do shell script). */
  osascript: (command: Command): Command => [
    '/usr/bin/osascript',
    '-e',
    `do shell script "${commandLine(command).replace(/[\\"]/g, '\\$&')}" with administrator privileges`,
  ],
  /**
   * UAC (Microsoft, "Start-Process", -Verb RunAs). Start-Process joins arguments with spaces: they carry their own
   * quotes.
   */
  runAs: (env: Environment, [program, ...parameters]: Command): Command => {
    const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
    const list = parameters.map((word) => quoted(/\s/.test(word) ? `"${word}"` : word)).join(',');
    const start =
      `Start-Process -FilePath ${quoted(program)} -ArgumentList ${list} -Verb RunAs -Wait -PassThru -WindowStyle ` +
      'Hidden';
    return [powershell(env), '-NoProfile', '-NonInteractive', '-Command', `exit (${start}).ExitCode`];
  },
};

/** Ways to run a command as an administrator, the one without a prompt first. */
function waysOf({ env, platform, isRoot, onTerminal }: TrustContext, command: Command): Command[] {
  if (isRoot) return [command];
  if (platform === 'darwin') return [WRAP.osascript(command)];
  if (platform === 'win32') return [WRAP.runAs(env, command)];
  const [sudo, pkexec] = [findProgram('sudo', env), findProgram('pkexec', env)];
  const ways: Command[] = [];
  if (sudo !== null) ways.push(WRAP.sudoSilently(sudo, command));
  if (sudo !== null && onTerminal) ways.push(WRAP.sudo(sudo, command));
  else if (pkexec !== null && (env.DISPLAY || env.WAYLAND_DISPLAY)) ways.push(WRAP.pkexec(pkexec, command));
  return ways;
}

/**
 * Runs a command as an administrator, in the first way that this machine allows. If there is none, throws an error with
 * the command to type.
 */
export async function runAsRoot(context: TrustContext, command: Command): Promise<CommandResult> {
  let refusal = 'neither sudo nor pkexec can make Roundtrip root';
  for (const way of waysOf(context, command)) {
    const result = await context.run(way, context.env);
    if (result.status === 0) return result;
    refusal = lastWords(result);
  }
  throw new Error(`${refusal}. As an administrator, run: ${commandLine(command)}`);
}
