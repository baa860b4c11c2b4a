import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import { expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'the length of the chain that a %s server sends is recorded',
  async (version) => {
    const folder = temporaryFolder();
    const root = makeCertificate(folder, 'root', { commonName: 'root', extensions: ['basicConstraints=CA:TRUE'] });
    const leaf = makeCertificate(folder, 'leaf', { commonName: 'localhost', issuer: root });
    const sent = [leaf, root].map(({ certificate }) => fs.readFileSync(certificate));
    const options = { key: fs.readFileSync(leaf.key), cert: Buffer.concat(sent), maxVersion: version };
    const server = https.createServer(options, (_request, response) => response.end());
    const port = await listenInTest(server);
    const through = await testEngine({ insecureUpstream: true });
    await curl(through, `https://localhost:${port}/`);
    const { upstream } = await through.seen.ended1();
    const chainBytes = sent.reduce((sum, pem) => sum + new X509Certificate(pem).raw.length, 0);
    expect(upstream?.tls?.certificate).toMatchObject({ chainLength: 2, chainBytes });
  },
);
