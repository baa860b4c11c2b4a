import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientEnvironment } from '../../../electron/system/launch/client-environment.ts';
import { electronCommand, electronSwitches } from '../../../electron/system/launch/electron-app.ts';
import { electronForTests } from '../../support/electron-for-tests.ts';
import { hasProgram } from '../../support/has-program.ts';
import { interceptingProxy } from '../../support/intercepting-proxy.ts';
import { nodeClientsFolder } from '../../support/launched-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testCa } from '../../support/test-ca.ts';
import { xDisplay } from '../../support/x-display.ts';

/** A sample app: its window, and its main process through Chromium's net, make requests over TLS. */
const MAIN = `
const { app, BrowserWindow, net } = require('electron');
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false });
  window.loadFile('page.html');
  net.request('https://app.test/from-net').end();
});
`;
const PAGE = `<!doctype html><title>App</title><script>
const urls = ['https://app.test/from-window', 'https://127.0.0.1:8443/from-loopback'];
for (const url of urls) fetch(url, { mode: 'no-cors' });
</script>`;

function someApp(): string {
  // A blank in its path, as on macOS and Windows.
  const folder = path.join(temporaryFolder(), 'Some App');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'some-app', main: 'main.js' }));
  fs.writeFileSync(path.join(folder, 'main.js'), MAIN);
  fs.writeFileSync(path.join(folder, 'page.html'), PAGE);
  return folder;
}

const folder = electronForTests();

describe.skipIf(folder === null || !hasProgram('Xvfb', '-help'))('an Electron app', () => {
  it('goes through the proxy and trusts the CA: its window, loopback, and its main process', async () => {
    const { ca, remove } = await testCa();
    onTestFinished(remove);
    const display = await xDisplay();
    onTestFinished(display.close);
    const proxy = await interceptingProxy(ca);
    const home = temporaryFolder();
    const own = { HOME: home, XDG_CONFIG_HOME: home, DISPLAY: display.name };
    const env = { ...process.env, ...own };
    const variables = await clientEnvironment({
      proxyUrl: proxy.url,
      caPath: ca.certificatePath,
      dataFolder: temporaryFolder(),
      bundleFolder: await nodeClientsFolder(),
      env,
    });
    const app = `"${path.join(folder ?? '', 'electron')}" "${someApp()}"`;
    const line = electronCommand(app, electronSwitches(proxy.url, ca.spkiHash));
    const child = spawn('/bin/sh', ['-c', `exec ${line}`], { env: { ...env, ...variables }, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await Promise.all(
      ['https://app.test/from-window', 'https://127.0.0.1:8443/from-loopback', 'https://app.test/from-net'].map(
        (text) => proxy.sees(text),
      ),
    );
    expect(child.exitCode).toBeNull();
  });
});
