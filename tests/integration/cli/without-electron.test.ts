import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { harEntries } from '../../support/har-entries.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { DIST, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Law 1. Outside the project there are no node_modules to find `electron`, or anything else, in. */
it('proxies an HTTPS exchange where electron cannot be resolved', async () => {
  const folder = temporaryFolder();
  const dist = path.join(folder, 'dist');
  fs.cpSync(DIST, dist, { recursive: true });
  const probe = path.join(dist, 'probe.cjs');
  fs.writeFileSync(probe, 'require("electron")');
  expect((await runRoundtrip([], { script: probe, folder })).stderr).toContain("Cannot find module 'electron'");

  const origin = await httpsOrigin();
  const own = ['--port', '0', '--upstream-ca', origin.caPath, '--har', 'out.har'];
  const script = `fetch("${origin.url}").then((r) => r.text()).then(console.log)`;
  const finished = await runRoundtrip(['record', ...own, '--', process.execPath, '-e', script], {
    script: path.join(dist, 'cli.cjs'),
    folder,
  });
  expect(finished).toMatchObject({ exitCode: 0, stdout: 'hello\n' });
  expect(harEntries(path.join(folder, 'out.har')).lines).toEqual([`GET ${origin.url}/ 200`]);
});
