import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DevtoolsPage } from '../../support/devtools-page.ts';
import { electronForTests, isElectron22 } from '../../support/electron-for-tests.ts';
import { hasProgram } from '../../support/has-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ELECTRON = electronForTests();
const CAN_RUN = ELECTRON !== null && process.platform === 'linux' && hasProgram('xvfb-run', '--help');

/** `npm run dist:dir`, with the Electron that there is. */
function packageApp(electron: string, folder: string): string {
  const bundles = path.join(folder, 'bundles');
  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { stdio: 'pipe', env: { ...process.env, ELECTRON_DIST: electron } });
  if (isElectron22(electron)) node('build/build.ts', '--for-electron-22', bundles);
  const given = isElectron22(electron) ? ['--bundles', bundles] : [];
  node('build/package.ts', '--dir', '--out', path.join(folder, 'out'), ...given);
  return path.join(folder, 'out/linux-unpacked/roundtrip');
}

function start(binary: string, dataFolder: string): ChildProcess {
  const own = ['--no-sandbox', '--remote-debugging-port=0', `--data-dir=${dataFolder}`, '--port=0'];
  const child = spawn('xvfb-run', ['-a', binary, ...own], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  onTestFinished(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  return child;
}

async function devtoolsUrl(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('no stderr');
  for await (const line of readline.createInterface({ input: child.stderr })) {
    const url = /DevTools listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the app ended before its window was there');
}

const CALL = (name: string) => `roundtrip.call({ call: 1, name: '${name}', input: {} })`;

/** The engine's threads start beside the window. */
const UNTIL_RUNNING = `(async () => {
  for (;;) {
    const { value } = await ${CALL('engine.status')};
    if (value.state !== 'starting') return value;
  }
})()`;

describe.skipIf(!CAN_RUN)('the packaged app', () => {
  it('starts from its archive, threads and all, and quits well', { timeout: 180_000 }, async () => {
    const folder = temporaryFolder();
    const binary = packageApp(ELECTRON ?? '', folder);
    expect(fs.existsSync(path.join(path.dirname(binary), 'resources/app.asar'))).toBe(true);
    const data = path.join(folder, 'data');
    const child = start(binary, data);
    const page = await DevtoolsPage.connect(await devtoolsUrl(child), 'app://roundtrip/');
    expect(await page.evaluate('typeof require + typeof process')).toBe('undefinedundefined');
    expect(await page.evaluate(UNTIL_RUNNING)).toMatchObject({ state: 'running', failure: null });
    expect(await page.evaluate(CALL('app.info'))).toMatchObject({
      ok: true,
      value: { host: 'electron', dataFolder: data },
    });
    expect(await page.evaluate(CALL('session.info'))).toMatchObject({ ok: true, value: { exchanges: 0 } });
    await page.evaluate('window.close()').catch(() => undefined);
    page.close();
    const [exitCode] = await once(child, 'exit');
    expect(exitCode).toBe(0);
    expect(fs.readdirSync(path.join(data, 'sessions'))).toEqual([expect.stringMatching(/\.roundtrip$/)]);
  });
});
