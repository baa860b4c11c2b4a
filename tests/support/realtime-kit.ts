import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { hasProgram } from './has-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

const RTKIT = '/usr/libexec/rtkit-daemon';
const POLKIT = '/usr/lib/polkit-1/polkitd';
const START_LIMIT = 10_000;

/** Whether the service and what asks it can be started here: RealtimeKit gives up rights that only root has, and polkit allows root all it asks for. */
export function hasRealtimeKit(): boolean {
  const installed = [RTKIT, POLKIT].every((file) => fs.existsSync(file));
  const tools = hasProgram('dbus-daemon') && hasProgram('busctl') && hasProgram('gdbus', 'help');
  return process.getuid?.() === 0 && installed && tools;
}

/** As a system's bus is set up, but that anybody may take any name. dbus-daemon(1). */
function busConfiguration(socket: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/>
  </policy>
</busconfig>`;
}

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  // A pipe for what it says: RealtimeKit forbids itself to write to files, and dies of a log that is one.
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill();
    await gone;
  });
  return child;
}

async function named(env: NodeJS.ProcessEnv, name: string): Promise<void> {
  const until = Date.now() + START_LIMIT;
  const { DBUS_SYSTEM_BUS_ADDRESS: bus = '' } = env;
  while (!hasProgram('busctl', `--address=${bus}`, 'status', name)) {
    if (Date.now() > until) throw new Error(`${name} did not come to its bus`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The real service on a system bus of its own, until the test ends. `args`: its own. Answers with the environment that leads there. */
export async function realtimeKit(args: readonly string[] = []): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  fs.chmodSync(folder, 0o755);
  const socket = path.join(folder, 'bus');
  const configuration = path.join(folder, 'bus.conf');
  fs.writeFileSync(configuration, busConfiguration(socket));
  const env = { PATH: process.env.PATH ?? '', DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
  start('dbus-daemon', [`--config-file=${configuration}`, '--nofork'], env);
  await named(env, 'org.freedesktop.DBus');
  start(POLKIT, ['--no-debug'], env);
  await named(env, 'org.freedesktop.PolicyKit1');
  start(RTKIT, ['--stderr', '--no-canary', ...args], env);
  await named(env, 'org.freedesktop.RealtimeKit1');
  return env;
}
