import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';

describe('roundtrip', () => {
  it.each([['--help'], ['serve', '--help'], ['record', '--help'], ['ca', '--help']])(
    '%s %s lists every option',
    async (...args) => {
      const { exitCode, stdout, stderr } = await runRoundtrip(args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      for (const part of ['serve', 'record', 'ca status|install|uninstall|export', '--upstream-proxy URL', '--json']) {
        expect(stdout).toContain(part);
      }
    },
  );

  it('prints the version of its package', async () => {
    const { version } = JSON.parse(fs.readFileSync(path.resolve('package.json'), 'utf8'));
    expect(await runRoundtrip(['--version'])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
  });

  it.each([
    [[], 'a command is missing'],
    [['frobnicate'], '"frobnicate"'],
    [['serve', '--frobnicate'], '--frobnicate'],
    [['serve', '--port', 'seven'], '--port "seven"'],
    [['serve', '--reverse', '9000'], 'LISTEN=ORIGIN'],
    [['serve', '--reverse', 'x=http://a.test'], '"x"'],
    [['serve', '--reverse', '9000=a.test/path'], '"a.test/path"'],
    [['serve', '--passthrough', 'no/host'], '"no/host"'],
    [['serve', '--upstream-ca', 'missing.pem'], 'missing.pem'],
    [['record', '--upstream-bypass', 'a!b', '--', 'true'], '"a!b"'],
    [['record', '--client-certificate', 'a.test=missing.p12', '--', 'true'], 'missing.p12'],
    [['serve', '--upstream-pac', 'http://user:word@a.test/proxy.pac'], 'contains a login'],
    [['record', 'curl'], '"curl"'],
    [['ca', 'burn'], '"burn"'],
    [['ca', 'install', '--store', 'cupboard'], '"cupboard"'],
  ])('exits 2 with one line about %j', async (args, part) => {
    const { exitCode, stdout, stderr } = await runRoundtrip(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(part);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
