import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * What the runner says: `{folder, upstreamCa, port, origins, options}`; `port` is free for those that cannot choose
 * one.
 */
export const given = JSON.parse(process.argv[2]);

/** Where a reverse proxy sends everything. */
export const reverseOrigin = `http://localhost:${given.origins.ordinaryPlain}`;

/** Tells the runner where this contender listens. */
export function ready(port) {
  process.stdout.write(`${JSON.stringify({ port })}\n`);
}

/** A key and certificate for `localhost`, for contenders that mint none. */
export function localhostCertificate() {
  const [key, cert] = ['bare.key', 'bare.crt'].map((name) => path.join(given.folder, name));
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const subject = ['-subj', '/CN=bare Node', '-addext', 'subjectAltName=DNS:localhost'];
  const output = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '30', ...curve, ...subject, ...output], {
    stdio: 'ignore',
  });
  return { key: fs.readFileSync(key), cert: fs.readFileSync(cert) };
}

// A profile is written by a process that ends by itself.
process.once('SIGTERM', () => process.exit());
