import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpsOrigin } from '../../support/https-origin.ts';
import { HAS, microsocks, squid, tinyproxy } from '../../support/real-proxies.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [USER, PASSWORD] = ['ann', 's3cr@t/77'];
const WRITTEN = encodeURIComponent(PASSWORD);
const LOGIN = `${USER}:${WRITTEN}`;
/** Every form in which it could be written. NTLM's strings are UTF-16. */
const FORMS = [
  Buffer.from(PASSWORD),
  Buffer.from(WRITTEN),
  // What is left of an address that was cut at its first @.
  Buffer.from('t/77@'),
  Buffer.from(JSON.stringify(PASSWORD).slice(1, -1)),
  Buffer.from(Buffer.from(`${USER}:${PASSWORD}`).toString('base64')),
  Buffer.from(PASSWORD, 'utf16le'),
];
const NO_PROXIES = { http_proxy: '', https_proxy: '', HTTPS_PROXY: '', all_proxy: '', ALL_PROXY: '' };

function filesBelow(folder: string): string[] {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

interface Case {
  name: string;
  available: boolean;
  /** Options and environment; and the text in the HAR or a message that proves that the case took place. */
  start(folder: string): Promise<{ options: string[]; env?: Record<string, string>; says: string }>;
}

const manual = (address: string, says: string) => ({ options: ['--upstream-proxy', address], says });
const HELLO = '"text": "hello"';

const CASES: Case[] = [
  {
    name: 'Basic',
    available: HAS.squid,
    start: async () =>
      manual(`http://${LOGIN}@127.0.0.1:${await squid({ scheme: 'basic', login: `${USER}:${PASSWORD}` })}`, HELLO),
  },
  {
    name: 'Digest',
    available: HAS.squid,
    start: async () =>
      manual(`http://${LOGIN}@127.0.0.1:${await squid({ scheme: 'digest', login: `${USER}:${PASSWORD}` })}`, HELLO),
  },
  {
    name: 'NTLM',
    available: HAS.squid,
    start: async () => manual(`http://${LOGIN}@127.0.0.1:${await squid({ scheme: 'ntlm' })}`, HELLO),
  },
  {
    name: 'SOCKS5',
    available: HAS.microsocks,
    start: async () => manual(`socks5h://${LOGIN}@127.0.0.1:${await microsocks(`${USER}:${PASSWORD}`)}`, HELLO),
  },
  {
    name: 'a wrong password',
    available: HAS.tinyproxy,
    start: async () => manual(`http://${LOGIN}@127.0.0.1:${await tinyproxy('ann:another')}`, 'proxy.wrong-password'),
  },
  {
    name: 'a system address that is none',
    available: true,
    start: async () => ({
      options: ['--upstream-system'],
      env: { https_proxy: `${USER}:${PASSWORD}@proxy.test:99999` },
      says: 'proxy.bad-address',
    }),
  },
  {
    name: 'a PAC file that answers with a login',
    available: true,
    start: async (folder) => {
      const pac = path.join(folder, '..', `${path.basename(folder)}.pac`);
      fs.writeFileSync(pac, `function FindProxyForURL() { return ['QUIC ann', ':${PASSWORD}', '@a.test'].join(''); }`);
      return { options: ['--upstream-pac', pac], says: 'proxy.pac-failed' };
    },
  },
  {
    name: 'an address on the command line that is none',
    available: true,
    start: async () => manual(`http://${USER}:${PASSWORD}@proxy.test:99999`, 'roundtrip: --upstream-proxy: '),
  },
  {
    name: 'a PAC file by a URL with a login',
    available: true,
    start: async () => ({
      options: ['--upstream-pac', `http://${LOGIN}@127.0.0.1:1/proxy.pac`],
      says: 'contains a login',
    }),
  },
];

describe('no password is written anywhere: output, session file, HAR, data folder', () => {
  for (const { name, available, start } of CASES) {
    it.skipIf(!available)(name, async () => {
      const origin = await httpsOrigin();
      const folder = temporaryFolder();
      const { options, env = {}, says } = await start(folder);
      const own = ['--port', '0', '--json', '--upstream-ca', origin.caPath, '--har', path.join(folder, 'out.har')];
      const command = ['--', 'curl', '-s', '-o', path.join(folder, 'response'), origin.url];
      const { stdout, stderr } = await runRoundtrip(['record', ...own, ...options, ...command], {
        folder,
        env: { ...NO_PROXIES, ...env },
      });
      const files = filesBelow(folder).map((file) => ({ file, bytes: fs.readFileSync(file) }));
      const har = files.find(({ file }) => file.endsWith('.har'))?.bytes.toString() ?? '';
      expect(`${har}${stderr}`.replaceAll('":"', '": "')).toContain(says);
      for (const { file, bytes } of [...files, { file: 'output', bytes: Buffer.from(stdout + stderr) }])
        for (const form of FORMS) expect(bytes.includes(form), `${file}: ${form}`).toBe(false);
    });
  }
});
