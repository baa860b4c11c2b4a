import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pythonWith } from '../../support/test-python.ts';

/** A server that demands a client certificate. TLS 1.3: it checks when the client's handshake has ended. */
async function demandingServer(...args: string[]): Promise<{ url: string; caPath: string }> {
  const folder = temporaryFolder();
  const made = makeCertificate(folder, 'server', {
    commonName: 'localhost',
    extensions: ['subjectAltName=DNS:localhost'],
    issuer: makeCertificate(folder, 'root', { commonName: 'Root', extensions: ['basicConstraints=critical,CA:TRUE'] }),
  });
  const own = ['-accept', '127.0.0.1:0', '-cert', made.certificate, '-key', made.key, '-Verify', '1', '-www'];
  const server = spawn('openssl', ['s_server', ...own, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void server.kill());
  let said = '';
  for await (const chunk of server.stdout) {
    said += chunk;
    const port = /ACCEPT \S+:(\d+)/.exec(said)?.[1];
    if (port) {
      server.stdout.destroy();
      return { url: `https://localhost:${port}/`, caPath: path.join(folder, 'root.pem') };
    }
  }
  throw new Error(`openssl s_server said ${said}`);
}

describe.skipIf(!hasProgram('openssl', 'version'))('a server that demands a client certificate (openssl)', () => {
  it.each([
    ['TLS 1.3, h1', ['-tls1_3']],
    ['TLS 1.3, h2', ['-tls1_3', '-alpn', 'h2']],
    ['TLS 1.2', ['-tls1_2']],
  ])('%s: its alert has its own code, at once, and nothing is tried again', async (_name, args) => {
    const server = await demandingServer(...args);
    const through = await testEngine({ upstreamCaFiles: [server.caPath] });
    expect((await curl(through, '--http2', server.url)).exitCode).not.toBe(0);
    const exchange = await through.seen.ended1();
    expect(exchange.failure?.code).toBe('upstream.client-certificate-required');
    expect(exchange.attempts).toHaveLength(1);
  });
});

const PYTHON = pythonWith('tlslite');

it.skipIf(PYTHON === null).each(['http/1.1', 'h2'])(
  'a client’s verdict on our certificate that comes behind its handshake has its row, %s (tlslite-ng)',
  async (alpn) => {
    const origin = await http2Origin((stream) => stream.close(), { http1: true });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const script = path.resolve(import.meta.dirname, '../../support/late-alert.py');
    const args = [script, String(through.port), `localhost:${origin.port}`, alpn];
    await promisify(execFile)(PYTHON ?? '', args);
    await through.clientCount(0);
    expect(through.seen.all.map((each) => [each.kind, each.failure?.code, each.request.host])).toEqual([
      ['tunnel', 'tls.client-rejected-certificate', 'localhost'],
    ]);
  },
);
