import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpsOrigin } from '../../support/https-origin.ts';
import { HAS, tinyproxy } from '../../support/real-proxies.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOGIN = { ROUNDTRIP_PROXY_USER: 'ann', ROUNDTRIP_PROXY_PASSWORD: 's3cret-77' };

function filesBelow(folder: string): string[] {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

describe.skipIf(!HAS.tinyproxy)('roundtrip record behind a proxy', () => {
  it('follows a PAC file, with the login from the environment, which is written nowhere', async () => {
    const port = await tinyproxy('ann:s3cret-77');
    const origin = await httpsOrigin();
    const folder = temporaryFolder();
    const [pac, har] = [path.join(folder, 'proxy.pac'), path.join(folder, 'out.har')];
    fs.writeFileSync(pac, `function FindProxyForURL(url, host) { return 'PROXY 127.0.0.1:${port}'; }`);
    Object.assign(process.env, LOGIN);
    onTestFinished(() => {
      for (const name of Object.keys(LOGIN)) delete process.env[name];
    });
    const options = ['--port', '0', '--upstream-ca', origin.caPath, '--har', har, '--upstream-pac', pac];
    const { exitCode, stdout, stderr } = await runRoundtrip(
      ['record', ...options, '--', 'curl', '-sS', origin.url, 'https://localhost:1/'],
      { folder },
    );
    expect(stdout).toContain('hello');
    expect(exitCode).not.toBe(2);
    const entries: { _roundtrip: { route: { via: string; reason: string } } }[] = JSON.parse(
      fs.readFileSync(har, 'utf8'),
    ).log.entries;
    const reason = `the PAC file (${pac}) returned PROXY 127.0.0.1:${port}`;
    expect(entries[0]?._roundtrip.route).toMatchObject({ via: `http://127.0.0.1:${port}`, reason });
    const secrets = ['s3cret-77', Buffer.from('ann:s3cret-77').toString('base64')];
    for (const secret of secrets) {
      expect(`${stdout}${stderr}`).not.toContain(secret);
      for (const file of filesBelow(folder)) expect(fs.readFileSync(file).includes(secret), file).toBe(false);
    }
  });

  it('refuses two routes at once', async () => {
    const { exitCode, stderr } = await runRoundtrip(['serve', '--upstream-wpad', '--upstream-system']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('exclude each other');
  });
});
