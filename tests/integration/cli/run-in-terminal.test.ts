import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/model/client.ts';
import { callHost } from '../../support/call-host.ts';
import { hasProgram } from '../../support/has-program.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A terminal of our own: `-e SCRIPT`, with a user who types this. */
function terminalWith(typed: string): string {
  const file = path.join(temporaryFolder(), 'terminal');
  fs.writeFileSync(file, `#!/bin/sh\nprintf '${typed}' | "$2"\n`, { mode: 0o755 });
  return file;
}

async function serveWith(terminal: string): Promise<RoundtripCli & { ui: string }> {
  const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--json'], {
    env: { TERMINAL: terminal, SHELL: '/bin/sh', JAVA_HOME: '', PATH: process.env.PATH ?? '' },
  });
  return Object.assign(cli, { ui: (await cli.ready()).ui });
}

async function clientWhen(ui: string, isSo: (client: Client) => boolean): Promise<Client> {
  for (;;) {
    const { clients } = (await callHost(ui, 'clients.list', {})) as { clients: Client[] };
    const found = clients.find(isSo);
    if (found) return found;
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

const run = (ui: string, command: string) => callHost(ui, 'clients.run', { command, as: 'command' });

describe.skipIf(process.platform === 'win32' || !hasProgram('curl'))('a command from the window', () => {
  it('runs in a terminal once its user says so there, is captured and trusted, and its exit code is told', async () => {
    const { ui, folder } = await serveWith(terminalWith('\\n'));
    await run(ui, `sleep 2; printf %s "$HTTPS_PROXY $NODE_EXTRA_CA_CERTS" > out; exit 7`);
    await clientWhen(ui, ({ state }) => state === 'trusted');
    const ended = await clientWhen(ui, ({ state }) => state === 'ended');
    expect(ended).toMatchObject({ kind: 'command', exitCode: 7, failure: null });
    expect(fs.readFileSync(path.join(folder, 'out'), 'utf8')).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ .*\/ca(-bundle)?\.crt$/,
    );
  }, 60_000);

  it('does not run where nobody says so', async () => {
    const { ui, folder } = await serveWith(terminalWith(''));
    await run(ui, 'touch has-run');
    expect(await clientWhen(ui, ({ state }) => state !== 'starting')).toBeDefined();
    expect(fs.existsSync(path.join(folder, 'has-run'))).toBe(false);
  }, 60_000);

  it('says in its own words why its terminal did not open', async () => {
    const terminal = path.join(temporaryFolder(), 'terminal');
    fs.writeFileSync(terminal, '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n', { mode: 0o755 });
    const { ui } = await serveWith(terminal);
    await run(ui, 'true');
    const { failure } = await clientWhen(ui, ({ state }) => state === 'failed');
    expect(failure).toMatchObject({
      code: 'browser.start-failed',
      message: 'The terminal could not be started: cannot open display.',
    });
  }, 60_000);
});
