import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface MadeCertificate {
  certificate: string;
  key: string;
}

export interface CertificateOptions {
  commonName?: string;
  /** `rsa:2048`, `rsa:1024`; ignored where an issuer signs with its own. */
  key?: string;
  /** Lines of an OpenSSL extension section. */
  extensions?: string[];
  issuer?: MadeCertificate;
  digest?: string;
  /** Days from today. */
  from?: number;
  until?: number;
}

function openssl(...parameters: string[]): void {
  execFileSync('openssl', parameters, { stdio: 'ignore' });
}

function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
}

/** Certificates that the product's own code would never create, by the openssl command. Files go into `folder`. */
export function makeCertificate(folder: string, name: string, options: CertificateOptions = {}): MadeCertificate {
  const { commonName = 'a.test', key = 'rsa:2048', extensions = [], digest = 'sha256', from = -2, until = 5 } = options;
  const file = (suffix: string) => path.join(folder, `${name}${suffix}`);
  const made = { certificate: file('.pem'), key: file('.key') };
  const request = file('.csr');
  openssl('req', '-newkey', key, '-nodes', '-keyout', made.key, '-out', request, '-subj', `/CN=${commonName}`);
  const database = file('.db');
  fs.mkdirSync(database);
  fs.writeFileSync(path.join(database, 'index'), '');
  const config = file('.cnf');
  const lines = [
    '[ca]',
    'default_ca=d',
    '[d]',
    `database=${database}/index`,
    `new_certs_dir=${database}`,
    'rand_serial=yes',
    'policy=p',
    'unique_subject=no',
    '[p]',
    'commonName=supplied',
    '[e]',
    ...extensions,
  ];
  fs.writeFileSync(config, lines.join('\n'));
  const signer = options.issuer
    ? ['-cert', options.issuer.certificate, '-keyfile', options.issuer.key]
    : ['-selfsign', '-keyfile', made.key];
  const dates = ['-startdate', day(from), '-enddate', day(until), '-md', digest];
  const sign = [
    'ca',
    '-batch',
    '-notext',
    '-config',
    config,
    '-extensions',
    'e',
    '-in',
    request,
    '-out',
    made.certificate,
  ];
  openssl(...sign, ...dates, ...signer);
  return made;
}
