import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/model/client.ts';
import { callHost } from '../../support/call-host.ts';
import { hasProgram } from '../../support/has-program.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Our own terminal: `-e SCRIPT`, with a user who types this. */
function terminalWith(typed: string): string {
  const file = path.join(temporaryFolder(), 'terminal');
  fs.writeFileSync(file, `#!/bin/sh\nprintf '${typed}' | "$2"\n`, { mode: 0o755 });
  return file;
}

async function serveWith(terminal: string, ...more: string[]): Promise<RoundtripCli & { ui: string }> {
  const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--json', ...more], {
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
  it('runs in a terminal once its user confirms there, and its exit code is reported', async () => {
    const { ui, folder } = await serveWith(terminalWith('\\n'));
    await run(ui, `sleep 2; printf %s "$HTTPS_PROXY $NODE_EXTRA_CA_CERTS" > out; exit 7`);
    await clientWhen(ui, ({ state }) => state === 'ready');
    const ended = await clientWhen(ui, ({ state }) => state === 'ended');
    expect(ended).toMatchObject({ kind: 'command', exitCode: 7, failure: null, was: 'ready' });
    expect(ended.warning?.code).toBe('capture.none-came');
    expect(fs.readFileSync(path.join(folder, 'out'), 'utf8')).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ .*\/ca(-bundle)?\.crt$/,
    );
  });

  it('is captured and trusted by its own requests, and by those of its children', async () => {
    const origin = await httpsOrigin();
    const { ui } = await serveWith(terminalWith('\\n'), '--upstream-ca', origin.caPath);
    await run(ui, `sh -c 'curl -fsS ${origin.url}; sleep 1'`);
    await clientWhen(ui, ({ state }) => state === 'trusted');
    const ended = await clientWhen(ui, ({ state }) => state === 'ended');
    expect(ended).toMatchObject({ exitCode: 0, failure: null, warning: null, was: 'trusted' });
  });

  it('is not captured if it ignores the variables, even correct ones', async () => {
    const origin = await httpsOrigin();
    const { ui } = await serveWith(terminalWith('\\n'), '--upstream-ca', origin.caPath);
    await run(ui, `curl -sS --noproxy '*' --cacert ${origin.caPath} ${origin.url}`);
    const ended = await clientWhen(ui, ({ state }) => state === 'ended');
    expect(ended).toMatchObject({ exitCode: 0, warning: { code: 'capture.none-came' } });
  });

  it('shows how the client refused our certificate', async () => {
    const origin = await httpsOrigin();
    const { ui } = await serveWith(terminalWith('\\n'), '--upstream-ca', origin.caPath);
    await run(ui, `curl -sS --cacert ${origin.caPath} ${origin.url}; sleep 1; exit 4`);
    const { failure } = await clientWhen(ui, ({ state }) => state === 'failed');
    expect(failure?.code).toBe('capture.host-refused');
    expect(failure?.message).toContain('unknown CA, alert 48');
    expect(await clientWhen(ui, ({ state }) => state === 'ended')).toMatchObject({
      ...{ exitCode: 4, was: 'failed', failure: { code: 'capture.host-refused' } },
    });
  });

  it('is remembered, and forgotten on request', async () => {
    const { ui } = await serveWith(terminalWith(''));
    await run(ui, 'npm test');
    const npm = { command: 'npm test', as: 'command' };
    expect(await callHost(ui, 'commands.recent', {})).toEqual({ commands: [npm], canChoose: false });
    expect(await callHost(ui, 'commands.forget', npm)).toMatchObject({ commands: [] });
  });

  it('leaves nothing behind after a crash that the next start does not remove', async () => {
    const { ui, folder, child, finished } = await serveWith(terminalWith(''));
    const terminals = path.join(folder, 'data/roundtrip/terminals');
    await run(ui, 'true');
    await clientWhen(ui, ({ state }) => state !== 'starting');
    expect(fs.readdirSync(terminals)).toHaveLength(1);
    child.kill('SIGKILL');
    await finished;
    const again = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--json'], { folder });
    await again.ready();
    while (fs.readdirSync(terminals).length > 0) await new Promise((resume) => setTimeout(resume, 20));
  });

  it('does not run without confirmation', async () => {
    const { ui, folder } = await serveWith(terminalWith(''));
    await run(ui, 'touch has-run');
    expect(await clientWhen(ui, ({ state }) => state !== 'starting')).toBeDefined();
    expect(fs.existsSync(path.join(folder, 'has-run'))).toBe(false);
  });

  it('explains why its terminal did not open', async () => {
    const terminal = path.join(temporaryFolder(), 'terminal');
    fs.writeFileSync(terminal, '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n', { mode: 0o755 });
    const { ui } = await serveWith(terminal);
    await run(ui, 'true');
    const { failure } = await clientWhen(ui, ({ state }) => state === 'failed');
    expect(failure).toMatchObject({
      code: 'browser.start-failed',
      message: 'The terminal could not be started: cannot open display.',
    });
  });
});
