/**
 * Two requests to one HTTPS origin through Roundtrip, and the phases that it recorded, as a line of JSON:
 * `two-requests.ts yes|no` inside lossy_link.py. `no`: without keep-alive.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { Child } from '../runner/child.ts';
import { FAR, NEAR, PORT } from './lossy-link.ts';

/** Milliseconds: the difference between his first byte and his TCP handshake. */
const SERVER_TIME = 6;
/** Bytes: with ten segments at first, the download takes three more round trips (RFC 6928), as his seems to. */
const BODY = Buffer.alloc(200_000, 'x');
/** Milliseconds for curl to end. */
const LIMIT = 60_000;

interface Har {
  log: { entries: { request: { url: string }; timings: Record<string, number> }[] };
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-two-requests-'));
try {
  const made = makeCertificate(folder, 'origin');
  const [key, cert] = [fs.readFileSync(made.key), fs.readFileSync(made.certificate)];
  const server = https.createServer({ key, cert, noDelay: true }, (_request, response) => {
    void after(SERVER_TIME).then(() => {
      // A TLS record with head and body is longer than ten segments: its first byte would need a second round trip.
      response.flushHeaders();
      setImmediate(() => response.end(BODY));
    });
  });
  server.listen(PORT, NEAR);
  await once(server, 'listening');
  const har = path.join(folder, 'two.har');
  const keeping = process.argv[2] === 'no' ? ['--no-keep-alive'] : [];
  const options = ['--json', '--port', '0', '--data-dir', folder, '--har', har, '--insecure-upstream', ...keeping];
  const urls = ['first', 'second'].flatMap((name) => ['-o', os.devNull, `https://${FAR}:${PORT}/${name}`]);
  const args = [path.resolve('dist/cli.cjs'), 'record', ...options, '--', 'curl', '-sS', '--http1.1', '-k', ...urls];
  const roundtrip = new Child({ command: process.execPath, args });
  await roundtrip.line(LIMIT);
  await roundtrip.line(LIMIT);
  await roundtrip.stop();
  const { log } = JSON.parse(fs.readFileSync(har, 'utf8')) as Har;
  process.stdout.write(`${JSON.stringify({ phases: log.entries.map(({ timings }) => timings) })}\n`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit();
