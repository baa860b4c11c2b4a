import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('roundtrip ca', () => {
  it('makes a CA at first use, and exports the same one from then on', async () => {
    const folder = temporaryFolder();
    const first = await runRoundtrip(['ca', 'export'], { folder });
    const again = await runRoundtrip(['ca', 'export'], { folder });
    expect(first.exitCode).toBe(0);
    expect(new X509Certificate(first.stdout).ca).toBe(true);
    expect(again.stdout).toBe(first.stdout);
    expect(fs.statSync(path.join(folder, 'data/roundtrip/ca.key')).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!fs.existsSync('/dev/full'))('fails if the disk is full during export', async () => {
    const folder = temporaryFolder();
    const named = await runRoundtrip(['ca', 'export', '--out', '/dev/full'], { folder });
    expect(named).toMatchObject({ exitCode: 1, stdout: '' });
    expect(named.stderr).toBe('roundtrip: The CA could not be written to /dev/full: the disk is full.\n');
    expect(fs.statSync('/dev/full').isCharacterDevice()).toBe(true);
    const piped = await runRoundtrip(['ca', 'export'], { folder, stdout: '/dev/full' });
    expect(piped.exitCode).toBe(1);
    expect(piped.stderr).toMatch(/^roundtrip: standard output could not be written: ENOSPC.*\n$/);
  });

  it('prints its state as one line of JSON', async () => {
    const folder = temporaryFolder();
    const { exitCode, stdout } = await runRoundtrip(['ca', 'status', '--json'], { folder });
    expect(exitCode).toBe(0);
    const status = JSON.parse(stdout);
    const pem = (await runRoundtrip(['ca', 'export'], { folder })).stdout;
    expect(status).toMatchObject({ event: 'ca', path: path.join(folder, 'data/roundtrip/ca.crt') });
    expect(status.certificate.fingerprint).toBe(new X509Certificate(pem).fingerprint256);
    expect(status.stores.length).toBeGreaterThan(0);
  });

  it('prints its state for people, store by store', async () => {
    const { stdout } = await runRoundtrip(['ca', 'status', '--data-dir', path.join(temporaryFolder(), 'd')]);
    expect(stdout).toMatch(/fingerprint {2}([0-9A-F]{2}:){31}[0-9A-F]{2}\n/);
    expect(stdout).toMatch(/(trusted|unavailable)/);
  });

  it('makes a separate CA if the desktop app sealed its own', async () => {
    const data = path.join(temporaryFolder(), 'd');
    fs.mkdirSync(data);
    const sealed = Buffer.concat([Buffer.from('roundtrip-sealed-key 1\n'), Buffer.from([1, 2, 3])]);
    fs.writeFileSync(path.join(data, 'ca.key'), sealed);
    const status = () => runRoundtrip(['ca', 'status', '--json', '--data-dir', data]);
    const { exitCode, stdout } = await status();
    expect(exitCode).toBe(0);
    const { path: own, notices } = JSON.parse(stdout);
    expect(own).toBe(path.join(data, 'command-line/ca.crt'));
    expect(notices).toMatchObject([{ code: 'ca.sealed', message: expect.stringContaining('roundtrip ca import') }]);
    expect(fs.readFileSync(path.join(data, 'ca.key'))).toEqual(sealed);
    // As after importing the app's CA: one key, and no notice.
    fs.copyFileSync(own, path.join(data, 'ca.crt'));
    expect(JSON.parse((await status()).stdout).notices).toEqual([]);
  });
});

describe('the CA through its life, on the command line', () => {
  const fingerprintOf = (line: string): string => JSON.parse(line).certificate.fingerprint;

  it('is renewed, rotated, exported and imported again', async () => {
    const data = path.join(temporaryFolder(), 'd');
    const run = (...args: string[]) => runRoundtrip(['ca', ...args, '--json', '--data-dir', data]);
    const first = fingerprintOf((await run('status')).stdout);
    const renewed = fingerprintOf((await run('renew')).stdout);
    const file = path.join(data, 'own.crt');
    expect((await run('export', '--format', 'der', '--out', file)).exitCode).toBe(0);
    expect(new X509Certificate(fs.readFileSync(file)).fingerprint256).toBe(renewed);
    const key = path.join(data, 'own.key');
    fs.copyFileSync(path.join(data, 'ca.key'), key);
    const rotated = fingerprintOf((await run('rotate')).stdout);
    expect(new Set([first, renewed, rotated]).size).toBe(3);
    expect(fingerprintOf((await run('import', key)).stdout)).toBe(renewed);
    expect(fingerprintOf((await run('status')).stdout)).toBe(renewed);
  });

  it('a damaged file is reported, left unchanged, and replaced only on request', async () => {
    const data = path.join(temporaryFolder(), 'd');
    await runRoundtrip(['ca', 'status', '--data-dir', data]);
    const key = path.join(data, 'ca.key');
    fs.truncateSync(key, 200);
    const damaged = fs.readFileSync(key);
    const refused = await runRoundtrip(['ca', 'status', '--data-dir', data]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/cannot be read: .*roundtrip ca rotate/);
    expect(fs.readFileSync(key)).toEqual(damaged);
    expect((await runRoundtrip(['ca', 'rotate', '--data-dir', data])).exitCode).toBe(0);
    expect((await runRoundtrip(['ca', 'status', '--data-dir', data])).exitCode).toBe(0);
  });
});
