import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('roundtrip ca', () => {
  it('makes a CA at first use, and exports that one ever after', async () => {
    const folder = temporaryFolder();
    const first = await runRoundtrip(['ca', 'export'], { folder });
    const again = await runRoundtrip(['ca', 'export'], { folder });
    expect(first.exitCode).toBe(0);
    expect(new X509Certificate(first.stdout).ca).toBe(true);
    expect(again.stdout).toBe(first.stdout);
    expect(fs.statSync(path.join(folder, 'data/roundtrip/ca.key')).mode & 0o777).toBe(0o600);
  });

  it('tells its state as one line of JSON', async () => {
    const folder = temporaryFolder();
    const { exitCode, stdout } = await runRoundtrip(['ca', 'status', '--json'], { folder });
    expect(exitCode).toBe(0);
    const status = JSON.parse(stdout);
    const pem = (await runRoundtrip(['ca', 'export'], { folder })).stdout;
    expect(status).toMatchObject({ event: 'ca', path: path.join(folder, 'data/roundtrip/ca.crt') });
    expect(status.certificate.fingerprint).toBe(new X509Certificate(pem).fingerprint256);
    expect(status.stores.length).toBeGreaterThan(0);
  });

  it('tells its state to a person, store by store', async () => {
    const { stdout } = await runRoundtrip(['ca', 'status', '--data-dir', path.join(temporaryFolder(), 'd')]);
    expect(stdout).toMatch(/fingerprint {2}([0-9A-F]{2}:){31}[0-9A-F]{2}\n/);
    expect(stdout).toMatch(/(trusted|unavailable)/);
  });

  it('has a CA of its own beside one that the desktop app sealed', async () => {
    const data = path.join(temporaryFolder(), 'd');
    fs.mkdirSync(data);
    fs.writeFileSync(path.join(data, 'ca.key'), Buffer.from([1, 2, 3]));
    const { exitCode, stdout } = await runRoundtrip(['ca', 'status', '--json', '--data-dir', data]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).path).toBe(path.join(data, 'command-line/ca.crt'));
    expect(fs.readFileSync(path.join(data, 'ca.key'))).toEqual(Buffer.from([1, 2, 3]));
  });
});
