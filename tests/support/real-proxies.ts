import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { hasProgram } from './has-program.ts';
import { startServer } from './start-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Debian's proxies that tests start; if one is missing, its tests are skipped by name. */
export const HAS = {
  tinyproxy: hasProgram('tinyproxy', '-v'),
  squid: hasProgram('squid', '-v'),
  microsocks: hasProgram('sh', '-c', 'command -v microsocks'),
  dante: hasProgram('sh', '-c', 'command -v danted'),
  nghttpx: hasProgram('nghttpx', '--version'),
  // sshd insists on its own absolute path.
  ssh: hasProgram('sh', '-c', 'command -v ssh ssh-keygen && test -x /usr/sbin/sshd'),
};

/** A real tinyproxy on a free port, ended with the test. */
export async function tinyproxy(login: string | null): Promise<number> {
  const port = await freePort();
  const config = path.join(temporaryFolder(), 'tinyproxy.conf');
  const auth = login ? `BasicAuth ${login.replace(':', ' ')}\n` : '';
  fs.writeFileSync(config, `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\n${auth}`);
  await startServer(port, 'tinyproxy', ['-d', '-c', config]);
  return port;
}

/** A real microsocks: SOCKS5, with a login if given. */
export async function microsocks(login: string | null): Promise<number> {
  const port = await freePort();
  const [user, password] = login?.split(':') ?? [];
  const auth = user && password ? ['-u', user, '-P', password] : [];
  await startServer(port, 'microsocks', ['-i', '127.0.0.1', '-p', String(port), ...auth]);
  return port;
}

/** A real dante: SOCKS4 and 5. It treats the 0.0.0.1 of SOCKS4a as an address (1.4.2). */
export async function dante(): Promise<number> {
  const port = await freePort();
  const config = path.join(temporaryFolder(), 'danted.conf');
  const lines = [
    'logoutput: stderr',
    `internal: 127.0.0.1 port = ${port}`,
    'external: lo',
    'socksmethod: none',
    'clientmethod: none',
    'user.privileged: root',
    'user.unprivileged: nobody',
    'client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }',
    'socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 protocol: tcp }',
  ];
  fs.writeFileSync(config, `${lines.join('\n')}\n`);
  await startServer(port, 'danted', ['-f', config, '-N', '1']);
  return port;
}

/** A real nghttpx before another proxy: TLS to its clients, HTTP/2 if they accept it. `behind`: that proxy's port. */
export async function nghttpx(behind: number, tls: { certificate: string; key: string }): Promise<number> {
  const port = await freePort();
  const config = path.join(temporaryFolder(), 'nghttpx.conf');
  fs.writeFileSync(config, '');
  await startServer(port, 'nghttpx', [
    ...['--conf', config, '--http2-proxy', '--workers=1', '--errorlog-file=/dev/null', '--accesslog-file=/dev/null'],
    ...[`--frontend=127.0.0.1,${port}`, `--backend=127.0.0.1,${behind}`, tls.key, tls.certificate],
  ]);
  return port;
}

/** OpenSSH's `ssh -D`, through our own sshd: SOCKS4, 4a and 5. */
export async function sshSocks(): Promise<number> {
  const [port, sshdPort] = [await freePort(), await freePort()];
  const folder = temporaryFolder();
  const [hostKey, userKey] = [path.join(folder, 'host'), path.join(folder, 'user')];
  for (const key of [hostKey, userKey]) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const config = path.join(folder, 'sshd_config');
  const lines = [
    `ListenAddress 127.0.0.1:${sshdPort}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${userKey}.pub`,
    ...['PidFile none', 'UsePAM no', 'StrictModes no', 'PermitRootLogin yes', 'PasswordAuthentication no'],
  ];
  fs.writeFileSync(config, `${lines.join('\n')}\n`);
  // As root it requires the folder that its service creates.
  if (os.userInfo().uid === 0) fs.mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  await startServer(sshdPort, '/usr/sbin/sshd', ['-D', '-e', '-f', config]);
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentitiesOnly=yes', 'BatchMode=yes'];
  await startServer(port, 'ssh', [
    ...['-F', '/dev/null', '-N', '-D', `127.0.0.1:${port}`, '-i', userKey, '-p', String(sshdPort)],
    ...options.flatMap((option) => ['-o', option]),
    `${os.userInfo().username}@127.0.0.1`,
  ]);
  return port;
}

export type SquidScheme = 'none' | 'basic' | 'digest' | 'ntlm';

/** Negotiate by a keytab: `[keytab, service]`. */
export type SquidKeytab = readonly [keytab: string, service: string];
const HELPERS = '/usr/lib/squid';

function negotiateLines([keytab, service]: SquidKeytab): string[] {
  return [
    `auth_param negotiate program ${HELPERS}/negotiate_kerberos_auth -k ${keytab} -s ${service}`,
    'auth_param negotiate children 2 startup=1',
  ];
}

function authLines(scheme: SquidScheme, folder: string, [user = '', password = '']: string[]): string[] {
  if (scheme === 'none') return ['http_access allow all'];
  const file = path.join(folder, 'passwords');
  // basic_ncsa_auth reads htpasswd's forms, digest_file_auth `user:password`.
  const program: Record<Exclude<SquidScheme, 'none'>, string> = {
    basic: `${HELPERS}/basic_ncsa_auth ${file}`,
    digest: `${HELPERS}/digest_file_auth ${file}`,
    ntlm: `${HELPERS}/ntlm_fake_auth`,
  };
  if (scheme === 'digest') fs.writeFileSync(file, `${user}:${password}\n`);
  if (scheme === 'basic') fs.writeFileSync(file, `${user}:${apacheHash(password)}\n`);
  fs.chmodSync(folder, 0o755);
  const realm = scheme === 'ntlm' ? [] : [`auth_param ${scheme} realm proxy test`];
  return [
    `auth_param ${scheme} program ${program[scheme]}`,
    `auth_param ${scheme} children 2 startup=1`,
    ...realm,
    'acl known proxy_auth REQUIRED',
    'http_access allow known',
    'http_access deny all',
  ];
}

function apacheHash(password: string): string {
  return execFileSync('openssl', ['passwd', '-apr1', password], { encoding: 'utf8' }).trim();
}

export interface SquidOptions {
  scheme?: SquidScheme;
  login?: string;
  /** Its own certificate: it then speaks TLS to its clients. */
  tls?: { certificate: string; key: string };
  /** Offered before `scheme`. */
  keytab?: SquidKeytab;
  env?: NodeJS.ProcessEnv;
  /** Lines before the rules about who may pass. */
  rules?: readonly string[];
}

/** A real squid, on a free port of 127.0.0.1. */
export async function squid({
  scheme = 'none',
  login = '',
  tls,
  keytab,
  env,
  rules = [],
}: SquidOptions = {}): Promise<number> {
  const port = await freePort();
  const folder = temporaryFolder();
  const config = path.join(folder, 'squid.conf');
  const listen = tls
    ? `https_port 127.0.0.1:${port} tls-cert=${tls.certificate} tls-key=${tls.key}`
    : `http_port 127.0.0.1:${port}`;
  const lines = [
    listen,
    ...['pid_filename none', 'cache deny all', 'cache_mem 8 MB', 'access_log none', 'cache_log /dev/null'],
    ...[
      'netdb_filename none',
      'shutdown_lifetime 0 seconds',
      'visible_hostname proxy.test',
      'max_filedescriptors 1024',
    ],
    ...[`coredump_dir ${folder}`, 'connect_timeout 5 seconds', 'forward_timeout 5 seconds'],
    ...rules,
    ...(keytab ? negotiateLines(keytab) : []),
    ...authLines(scheme, folder, login.split(':')),
  ];
  fs.writeFileSync(config, `${lines.join('\n')}\n`);
  await startServer(port, 'squid', ['-N', '-f', config], env);
  return port;
}
