import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { SessionReader } from '../../electron/session/read/session-reader.ts';
import { bundlesFor, CAN_RUN_DESKTOP, ELECTRON } from '../support/desktop-bundles.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { type XDisplay, xDisplay } from '../support/x-display.ts';

/** Uses all free space. */
function fill(folder: string): void {
  const filler = fs.openSync(path.join(folder, 'filler'), 'w');
  try {
    for (const size of [65_536, 512]) for (;;) if (fs.writeSync(filler, Buffer.alloc(size)) < size) break;
  } catch {
    // Full.
  } finally {
    fs.closeSync(filler);
  }
}

/** Ends of the desktop that no signal causes: a module that emits each when the process gets SIGUSR2. */
const SYSTEM_ENDS = {
  'the system shuts down': "powerMonitor.emit('shutdown', { preventDefault() {} })",
  "the user's session ends": "BrowserWindow.getAllWindows()[0].emit('session-end')",
};

/**
 * Without Playwright, which takes the app's standard error and starts it with a debugger: Electron 22's own crashes in
 * one of 60 exits, when it reports the end of the page to a connection that is closed.
 */
test.describe('the desktop app', () => {
  test.skip(!CAN_RUN_DESKTOP, 'no Electron binary that runs here, or no Xvfb to show its window on');
  test.describe.configure({ timeout: 300_000 });

  let folder: string;
  let display: XDisplay;
  let main: string;
  let origin: http.Server;
  let url: string;
  const running = new Set<ChildProcess>();
  const mounts: string[] = [];

  test.beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-quit-'));
    main = path.join(bundlesFor(folder), 'main.cjs');
    display = await xDisplay();
    origin = http.createServer((_request, response) => response.end('hello'));
    url = `http://127.0.0.1:${await listen(origin)}/`;
  });

  test.afterEach(() => {
    for (const app of running) app.kill('SIGKILL');
    running.clear();
    for (const mount of mounts.splice(0)) spawnSync('umount', ['-l', mount]);
  });

  test.afterAll(() => {
    display?.close();
    origin?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function ask(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = http.get({ port, host: '127.0.0.1', path: url, agent: false }, (response) =>
        text(response).then(resolve, reject),
      );
      request.once('error', reject);
    });
  }

  /** Started and proxying. */
  async function start(name: string, session: string, code = main) {
    const port = await freePort();
    const data = path.join(folder, name);
    const args = [
      code,
      '--no-sandbox',
      '--disable-gpu',
      `--data-dir=${data}`,
      `--port=${port}`,
      `--session=${session}`,
    ];
    const app = spawn(path.join(ELECTRON ?? '', 'electron'), args, {
      env: { ...process.env, DISPLAY: display.name },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.add(app);
    let said = '';
    app.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    const ended = once(app, 'close').then(([code]) => ({ code, said }));
    await expect.poll(() => ask(port).catch(() => null)).toBe('hello');
    return { app, ended, port };
  }

  function rowsIn(session: string): number {
    const reader = new SessionReader(session);
    try {
      return reader.page(0, 100).rows.length;
    } finally {
      reader.close();
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`closes the session cleanly on ${signal}`, async () => {
      const session = path.join(folder, `${signal}.roundtrip`);
      const { app, ended, port } = await start(signal, session);
      expect(await ask(port)).toBe('hello');
      app.kill(signal);
      const { code, said } = await ended;
      expect(code).toBe(0);
      expect(said).not.toContain('roundtrip:');
      // Closed: the log is in the file.
      expect(fs.existsSync(`${session}-wal`)).toBe(false);
      expect(rowsIn(session)).toBe(2);
    });
  }

  for (const [name, emit] of Object.entries(SYSTEM_ENDS)) {
    test(`closes its session when ${name}`, async () => {
      const session = path.join(folder, `${name}.roundtrip`);
      const code = path.join(path.dirname(main), 'ends-with-system.cjs');
      const emitter = `process.on('SIGUSR2', () => ${emit});`;
      const names = "const { BrowserWindow, powerMonitor } = require('electron');";
      fs.writeFileSync(code, `${names}${emitter}require('./main.cjs');`);
      const { app, ended, port } = await start(name, session, code);
      expect(await ask(port)).toBe('hello');
      expect(fs.existsSync(`${session}-wal`)).toBe(true);
      app.kill('SIGUSR2');
      expect(await ended).toMatchObject({ code: 0 });
      expect(fs.existsSync(`${session}-wal`)).toBe(false);
    });
  }

  test('opens no debugger on SIGUSR1', async () => {
    const { app, ended, port } = await start('usr1', path.join(folder, 'usr1.roundtrip'));
    app.kill('SIGUSR1');
    expect(await ask(port)).toBe('hello');
    app.kill('SIGTERM');
    const { code, said } = await ended;
    expect(code).toBe(0);
    expect(said).not.toContain('Debugger');
  });

  test('reports what was lost when it is quit while the disk is full', async () => {
    const disk = path.join(folder, 'disk');
    fs.mkdirSync(disk);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    test.skip(status !== 0, 'this user may not mount a file system');
    mounts.push(disk);
    const session = path.join(disk, 's.roundtrip');
    const { app, ended, port } = await start('full', session);
    fill(disk);
    for (let index = 0; index < 3; index += 1) expect(await ask(port)).toBe('hello');
    app.kill('SIGTERM');
    const { code, said } = await ended;
    expect(said).toMatch(/^roundtrip: \d+ exchanges? (is|are) lost: (it is|they are) not in the session file\.$/m);
    expect(code).toBe(1);
  });
});
