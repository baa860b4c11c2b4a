import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findElectron } from '../../../build/electron-binary.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A checkout in which npm installed Electron's package, and nothing has downloaded its binary yet. */
function checkout(): string {
  const root = temporaryFolder();
  const modules = path.join(root, 'node_modules');
  for (const file of ['install.js', 'package.json', 'checksums.json'])
    fs.cpSync(path.join('node_modules/electron', file), path.join(modules, 'electron', file));
  fs.symlinkSync(path.resolve('node_modules/@electron'), path.join(modules, '@electron'), 'junction');
  return root;
}

it("asks a company's proxy for Electron, and gives the reason in one line if that fails", async () => {
  const asked: string[] = [];
  const proxy = http.createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  const port = await listenInTest(proxy);
  for (const name of ['ELECTRON_MIRROR', 'ELECTRON_OVERRIDE_DIST_PATH']) vi.stubEnv(name, undefined);
  const address = `http://127.0.0.1:${port}`;
  for (const name of ['https_proxy', 'HTTPS_PROXY']) vi.stubEnv(name, address);
  vi.stubEnv('electron_config_cache', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const found = await findElectron(checkout());
  expect(found).toEqual({ problem: expect.stringMatching(/^[^\n]+$/) });
  expect(asked).toContain('github.com:443');
});
