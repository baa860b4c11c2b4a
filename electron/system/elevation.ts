import { type Command, type CommandResult, commandLine, findProgram, lastWords } from './run-command.ts';
import type { TrustContext } from './trust-store.ts';

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Ways to become root, the one that asks nobody first; pkexec shows the desktop's own password window. */
function waysToRoot({ env }: TrustContext): Command[] {
  const ways: Command[] = [];
  const [sudo, pkexec] = [findProgram('sudo', env), findProgram('pkexec', env)];
  if (sudo !== null) ways.push([sudo, '-n']);
  if (pkexec !== null && (env.DISPLAY || env.WAYLAND_DISPLAY)) ways.push([pkexec]);
  return ways;
}

/**
 * Runs a command as root: as it is where we are root already, else through `sudo -n`, then pkexec. Throws with what to
 * type where none of them may.
 */
export async function runAsRoot(context: TrustContext, command: Command): Promise<CommandResult> {
  const ways: (Command | [])[] = isRoot() ? [[]] : waysToRoot(context);
  let refusal = 'neither sudo nor pkexec lets Roundtrip become root';
  for (const way of ways) {
    const result = await context.run([...way, ...command] as unknown as Command, context.env);
    if (result.status === 0) return result;
    refusal = lastWords(result);
  }
  throw new Error(`${refusal}. As root, run: ${commandLine(command)}`);
}
