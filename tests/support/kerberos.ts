import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { hasProgram } from './has-program.ts';
import { startServer } from './start-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const HAS_KERBEROS = hasProgram('sh', '-c', 'command -v krb5kdc kadmin.local kdb5_util kinit');
const REALM = 'ROUNDTRIP.TEST';

export interface Realm {
  /** For programs of this realm, us among them. */
  env: { KRB5_CONFIG: string; KRB5CCNAME: string; KRB5_KDC_PROFILE: string };
  /** Of the service HTTP on localhost. */
  keytab: string;
  service: string;
  /** Gets a ticket for the user `ann`. */
  login(): void;
  logout(): void;
}

/** A real MIT KDC on a free port of loopback, with a user and the service HTTP/localhost. */
export async function kerberosRealm(): Promise<Realm> {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = (name: string): string => path.join(folder, name);
  const env = {
    KRB5_CONFIG: file('krb5.conf'),
    KRB5_KDC_PROFILE: file('kdc.conf'),
    KRB5CCNAME: `FILE:${file('cache')}`,
  };
  const names = 'dns_lookup_kdc = false\ndns_lookup_realm = false\ndns_canonicalize_hostname = false\nrdns = false';
  const realms = `[realms]\n${REALM} = {\nkdc = 127.0.0.1:${port}\n}\n[domain_realm]\nlocalhost = ${REALM}\n`;
  fs.writeFileSync(env.KRB5_CONFIG, `[libdefaults]\ndefault_realm = ${REALM}\n${names}\n${realms}`);
  const listen = `kdc_listen = 127.0.0.1:${port}\nkdc_tcp_listen = 127.0.0.1:${port}`;
  const place = `database_name = ${file('db')}\nkey_stash_file = ${file('stash')}\nacl_file = ${file('acl')}`;
  fs.writeFileSync(env.KRB5_KDC_PROFILE, `[kdcdefaults]\n${listen}\n[realms]\n${REALM} = {\n${place}\n}\n`);
  const run = (input: string, program: string, ...parameters: string[]): void => {
    execFileSync(program, parameters, { env: { ...process.env, ...env }, input, stdio: ['pipe', 'ignore', 'ignore'] });
  };
  run('', 'kdb5_util', 'create', '-s', '-r', REALM, '-P', 'master');
  run('', 'kadmin.local', '-q', 'addprinc -pw s3cret ann');
  run('', 'kadmin.local', '-q', 'addprinc -randkey HTTP/localhost');
  run('', 'kadmin.local', '-q', `ktadd -k ${file('keytab')} HTTP/localhost`);
  // Read by the proxy's helper, which is another user.
  fs.chmodSync(folder, 0o755);
  for (const name of ['keytab', 'krb5.conf']) fs.chmodSync(file(name), 0o644);
  await startServer(port, 'krb5kdc', ['-n', '-P', file('pid')], env);
  return {
    env,
    keytab: file('keytab'),
    service: `HTTP/localhost@${REALM}`,
    login: () => run('s3cret\n', 'kinit', 'ann'),
    logout: () => run('', 'kdestroy'),
  };
}

/** Makes this process a program of the realm until the test ends. */
export function enterRealm({ env }: Realm): void {
  const before = { ...process.env };
  Object.assign(process.env, env);
  onTestFinished(() => {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
}
