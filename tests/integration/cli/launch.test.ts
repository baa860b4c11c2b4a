import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { callHost } from '../../support/call-host.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** As Chromium does without a display: it takes its profile, and fails afterwards. */
const WITHOUT_DISPLAY = `#!/bin/sh
for one in "$@"; do case "$one" in --user-data-dir=*) touch "\${one#*=}/SingletonLock";; esac; done
sleep 0.2
echo "Missing X server or \\$DISPLAY" >&2
echo "The platform failed to initialize.  Exiting." >&2
exit 1
`;

it.skipIf(process.platform !== 'linux')('reports a browser that finds no display as failed, not as ended', async () => {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, 'chromium'), WITHOUT_DISPLAY, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { ui } = await new RoundtripCli(['serve', '--port', '0', '--json'], { env }).ready();
  await callHost(ui, 'clients.launch', { launcher: 'chromium', url: null });
  const states = async () => (await callHost(ui, 'clients.list', {})) as { clients: unknown[] };
  const failure = {
    code: 'browser.start-failed',
    message: 'Chromium could not be started: it has no display; set DISPLAY or WAYLAND_DISPLAY.',
  };
  await expect.poll(states).toMatchObject({ clients: [{ state: 'failed', failure }] });
});
