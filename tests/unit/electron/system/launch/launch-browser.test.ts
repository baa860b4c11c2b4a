import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../../electron/engine/ca/certificate-authority.ts';
import { findBrowsers } from '../../../../../electron/system/launch/browsers.ts';
import { firefoxArguments, prepareFirefoxProfile } from '../../../../../electron/system/launch/firefox-profile.ts';
import { launchBrowser } from '../../../../../electron/system/launch/launch-browser.ts';
import type { LaunchOptions } from '../../../../../electron/system/launch/launch-options.ts';
import { runCommand } from '../../../../../electron/system/run-command.ts';
import { findCertutil, parseNicknames } from '../../../../../electron/system/trust/nss-database.ts';
import { interceptingProxy } from '../../../../support/intercepting-proxy.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { testCa } from '../../../../support/test-ca.ts';

let ca: CertificateAuthority;
let remove: () => void;
beforeAll(async () => {
  ({ ca, remove } = await testCa());
});
afterAll(() => remove());

const HEADLESS = ['--headless', '--disable-gpu', '--disable-dev-shm-usage'];
const chromium = (await findBrowsers()).find(({ id }) => id !== 'firefox');

function optionsFor(of: Partial<LaunchOptions>): LaunchOptions {
  return {
    browser: chromium ?? { id: 'chromium', name: 'Chromium', path: '/nonexistent' },
    proxyUrl: 'http://127.0.0.1:9',
    spkiHash: ca.spkiHash,
    caPath: ca.certificatePath,
    dataFolder: temporaryFolder(),
    url: null,
    extraArguments: HEADLESS,
    ...of,
  };
}

describe('launchBrowser', () => {
  it.skipIf(chromium === undefined)(
    'shows a loopback HTTPS page through the proxy, with the CA nowhere installed',
    async () => {
      const proxy = await interceptingProxy(ca);
      const options = optionsFor({ proxyUrl: proxy.url, url: 'https://127.0.0.1:8443/from-chromium' });
      const launched = await launchBrowser(options);
      await proxy.sees('GET https://127.0.0.1:8443/from-chromium');
      expect(fs.readdirSync(path.join(options.dataFolder, 'browsers')).length).toBe(1);
      await launched.close();
      await launched.exited;
      expect(fs.readdirSync(path.join(options.dataFolder, 'browsers'))).toEqual([]);
    },
    60_000,
  );

  it.skipIf(chromium === undefined)(
    'sends no request if it gets the hash of another CA',
    async () => {
      const other = await testCa();
      const next = "new Image().src = 'http://127.0.0.1:8444/after'";
      const page = `<img src="https://127.0.0.1:8443/refused" onerror="${next}">`;
      const proxy = await interceptingProxy(ca, page);
      const url = 'http://127.0.0.1:8444/';
      const launched = await launchBrowser(optionsFor({ proxyUrl: proxy.url, spkiHash: other.ca.spkiHash, url }));
      await proxy.sees('/after');
      await launched.close();
      other.remove();
      expect(proxy.seen.filter((one) => one.includes('/refused'))).toEqual([]);
    },
    60_000,
  );

  it('reports a missing browser', async () => {
    const browser = { id: 'chrome', name: 'Google Chrome', path: '/nonexistent/chrome' };
    await expect(launchBrowser(optionsFor({ browser }))).rejects.toMatchObject({ code: 'browser.not-found' });
  });

  it.skipIf(process.platform === 'win32')(
    "reports the browser's own error if it did not start, and leaves no profile",
    async () => {
      const file = path.join(temporaryFolder(), 'browser');
      fs.writeFileSync(file, '#!/bin/sh\necho "no display" >&2\nexit 3\n', { mode: 0o755 });
      const options = optionsFor({ browser: { id: 'chrome', name: 'Broken', path: file } });
      await expect(launchBrowser(options)).rejects.toMatchObject({
        code: 'browser.start-failed',
        message: 'Broken could not be started: no display.',
      });
      expect(fs.readdirSync(path.join(options.dataFolder, 'browsers'))).toEqual([]);
    },
  );

  it.skipIf(process.platform !== 'linux' || chromium === undefined)(
    'reports that a browser reaches no display',
    async () => {
      const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
      const options = optionsFor({ extraArguments: ['--no-sandbox'], env });
      // Chromium takes its profile before it looks for a display: it may seem to run.
      const detail = await launchBrowser(options).then(
        async ({ exited, reason }) => `${reason(await exited)}.`,
        (error: Error) => error.message,
      );
      expect(detail).toMatch(/it has no display; set DISPLAY or WAYLAND_DISPLAY\.$/);
    },
  );

  it.skipIf(process.platform === 'win32')('reports why a program cannot be run', async () => {
    const file = path.join(temporaryFolder(), 'browser');
    fs.writeFileSync(file, 'no program', { mode: 0o644 });
    const options = optionsFor({ browser: { id: 'chrome', name: 'Broken', path: file } });
    await expect(launchBrowser(options)).rejects.toMatchObject({ code: 'browser.start-failed' });
  });
});

describe('a Firefox profile', async () => {
  const certutil = findCertutil(process.env);

  it.skipIf(certutil === null)('has the proxy, loopback included, and the CA', async () => {
    const profile = temporaryFolder();
    const options = optionsFor({ proxyUrl: 'http://127.0.0.1:8080', url: 'https://a.test/' });
    await prepareFirefoxProfile(options, profile, process.env);
    const preferences = fs.readFileSync(path.join(profile, 'user.js'), 'utf8');
    expect(preferences).toContain('user_pref("network.proxy.ssl_port", 8080);');
    expect(preferences).toContain('user_pref("network.proxy.allow_hijacking_localhost", true);');
    const { stdout } = await runCommand([certutil ?? '', '-d', `sql:${profile}`, '-L'], process.env);
    expect(parseNicknames(stdout)).toEqual([
      { nickname: expect.stringMatching(/^Roundtrip CA /), trustedForTls: true },
    ]);
    expect(firefoxArguments(options, profile)).toContain(profile);
  });

  const firefox = (await findBrowsers()).find(({ id }) => id === 'firefox');
  it.skipIf(certutil === null || firefox === undefined)(
    'shows a loopback HTTPS page through the proxy, in a real Firefox',
    async () => {
      const proxy = await interceptingProxy(ca);
      const url = 'https://127.0.0.1:8443/from-firefox';
      const browser = firefox ?? { id: 'firefox', name: 'Firefox', path: '/nonexistent' };
      const launched = await launchBrowser(
        optionsFor({ browser, proxyUrl: proxy.url, url, extraArguments: ['--headless'] }),
      );
      await proxy.sees('GET https://127.0.0.1:8443/from-firefox');
      await launched.close();
    },
    60_000,
  );

  it('fails without certutil, with a code and the name of the package', async () => {
    const browser = { id: 'firefox', name: 'Firefox', path: process.execPath };
    const failing = launchBrowser(optionsFor({ browser, env: { PATH: '' } }));
    await expect(failing).rejects.toMatchObject({
      code: 'browser.start-failed',
      message: expect.stringContaining('libnss3-tools'),
    });
  });
});
