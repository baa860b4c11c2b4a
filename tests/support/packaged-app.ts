import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { onTestFinished } from 'vitest';
import { isElectron22 } from './electron-for-tests.ts';
import { xDisplay } from './x-display.ts';

/**
 * `npm run dist` with the Electron that there is: builds `targets` (`dir`, `deb`) into `folder`/out, and the bundles
 * next to it if this Electron needs its own.
 */
export function packageApp(electron: string, folder: string, targets: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const bundles = path.join(folder, 'bundles');
  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { stdio: 'pipe', env: { ...process.env, ELECTRON_DIST: electron, ...env } });
  if (isElectron22(electron)) node('build/build.ts', '--for-electron-22', bundles);
  const given = isElectron22(electron) ? ['--bundles', bundles] : [];
  const named = targets.flatMap((target) => ['--target', target]);
  node('build/package.ts', '--quick', '--out', path.join(folder, 'out'), ...named, ...given);
}

/**
 * On our own screen: xvfb-run waits for a signal of Xvfb's that can arrive before it waits (Debian's script, `wait ||
 * :`), and on a busy machine it then waits forever.
 */
export async function startPackaged(
  command: readonly string[],
  dataFolder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  const display = await xDisplay();
  onTestFinished(display.close);
  const [program = '', ...before] = command;
  const own = ['--remote-debugging-port=0', `--data-dir=${dataFolder}`, '--port=0'];
  const child = spawn(program, [...before, ...own], {
    ...{ stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    env: { ...process.env, DISPLAY: display.name, ...env },
  });
  onTestFinished(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  return child;
}

/** Its later output is read too: a full pipe would block the app. */
export function devtoolsUrl(child: ChildProcess): Promise<string> {
  const { stderr } = child;
  if (stderr === null) throw new Error('no stderr');
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    const lines = readline.createInterface({ input: stderr }).on('line', (line) => {
      said.push(line);
      const url = /DevTools listening on (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    lines.once('close', () => reject(new Error(`the app ended before its window was there:\n${said.join('\n')}`)));
  });
}

/** The window's page calls the host, as the window does. */
export const CALL = (name: string, input: unknown = {}) =>
  `roundtrip.call({ call: 1, name: '${name}', input: ${JSON.stringify(input)} })`;

/** The engine's threads start in parallel with the window. */
export const UNTIL_RUNNING = `(async () => {
  for (;;) {
    const { value } = await ${CALL('engine.status')};
    if (value.state !== 'starting') return value;
  }
})()`;
