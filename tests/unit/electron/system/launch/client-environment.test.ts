import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../../electron/engine/ca/certificate-authority.ts';
import { certificatesIn } from '../../../../../electron/engine/ca/system-roots.ts';
import { clientEnvironment } from '../../../../../electron/system/launch/client-environment.ts';
import { hasProgram } from '../../../../support/has-program.ts';
import { interceptingProxy } from '../../../../support/intercepting-proxy.ts';
import { type LaunchFolders, launchFolders } from '../../../../support/launched-client.ts';
import { makeCertificate } from '../../../../support/openssl-certificates.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { testCa } from '../../../../support/test-ca.ts';

const run = promisify(execFile);
let ca: CertificateAuthority;
let folder: string;
let folders: LaunchFolders;

beforeAll(async () => {
  const made = await testCa();
  ({ ca, folder } = made);
  folders = await launchFolders();
  return () => {
    made.remove();
    folders.remove();
  };
});

const options = (proxyUrl: string, env: Record<string, string | undefined> = process.env) => ({
  proxyUrl,
  caPath: ca.certificatePath,
  dataFolder: folder,
  bundleFolder: folders.bundleFolder,
  env,
});

const URLLIB = "import urllib.request as u; print(u.urlopen('https://localhost/').read())";
const REQUESTS = "import requests; print(requests.get('https://localhost/').text)";
const FETCH = "fetch('https://localhost/').then(r => r.text()).then(console.log)";
const HTTPS = "https.get('https://localhost/', r => r.pipe(process.stdout))";
const JAVA = `import java.io.*; import java.net.*;
public class Client { public static void main(String[] a) throws Exception {
  System.out.write(new URL("https://localhost/java").openStream().readAllBytes()); System.out.flush(); } }`;

describe('clientEnvironment', () => {
  const clients: [name: string, probe: string[], command: string[]][] = [
    ['curl', ['curl'], ['curl', '-sS', 'https://a.test/']],
    ['curl to loopback', ['curl'], ['curl', '-sS', 'https://127.0.0.1/']],
    ['Python urllib', ['python3'], ['python3', '-c', URLLIB]],
    ['Python requests', ['python3', '-c', 'import requests'], ['python3', '-c', REQUESTS]],
    ['Node fetch', [process.execPath], [process.execPath, '-e', FETCH]],
    ['Node https', [process.execPath], [process.execPath, '-e', HTTPS]],
  ];
  for (const [name, [probe = '', ...how], [command = '', ...parameters]] of clients) {
    it.skipIf(!hasProgram(probe, ...how))(`${name} needs no flag`, async () => {
      const proxy = await interceptingProxy(ca);
      const env = { ...process.env, ...(await clientEnvironment(options(proxy.url))) };
      expect((await run(command, parameters, { env, cwd: temporaryFolder() })).stdout).toContain('intercepted');
      expect(proxy.seen.length).toBe(1);
    });
  }

  it.skipIf(!hasProgram('git'))('git goes through the proxy and trusts it', async () => {
    const proxy = await interceptingProxy(ca);
    const env = { ...process.env, ...(await clientEnvironment(options(proxy.url))) };
    await run('git', ['ls-remote', 'https://a.test/x.git'], { env, cwd: temporaryFolder() });
    expect(proxy.seen[0]).toMatch(/^GET https:\/\/a\.test\/x\.git\/info\/refs/);
  });

  it.skipIf(!hasProgram('keytool', '-help'))('Java goes through the proxy and trusts it', async () => {
    const proxy = await interceptingProxy(ca);
    const env = { ...process.env, ...(await clientEnvironment(options(proxy.url))) };
    const source = path.join(temporaryFolder(), 'Client.java');
    fs.writeFileSync(source, JAVA);
    expect((await run('java', [source], { env })).stdout).toContain('intercepted');
    expect(proxy.seen).toEqual(['GET https://localhost/java']);
  });

  it('sets each proxy variable in both cases, and excludes nothing but the proxy itself', async () => {
    const env = await clientEnvironment(options('http://127.0.0.1:8080'));
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      expect(env[name]).toBe('http://127.0.0.1:8080');
    }
    expect(env).toMatchObject({ NO_PROXY: '127.0.0.1:8080', no_proxy: '127.0.0.1:8080', NODE_USE_ENV_PROXY: '1' });
  });

  it('points variables that replace the roots at a bundle of the roots and our CA', async () => {
    const env = await clientEnvironment(options('http://127.0.0.1:8080'));
    const bundle = env.REQUESTS_CA_BUNDLE ?? '';
    for (const name of [
      'SSL_CERT_FILE',
      'CURL_CA_BUNDLE',
      'GIT_SSL_CAINFO',
      'PERL_LWP_SSL_CA_FILE',
      'AWS_CA_BUNDLE',
      'PIP_CERT',
      'npm_config_cafile',
      'CARGO_HTTP_CAINFO',
    ]) {
      expect(env[name]).toBe(bundle);
    }
    const prints = certificatesIn(fs.readFileSync(bundle, 'latin1')).map(
      (pem) => new X509Certificate(pem).fingerprint256,
    );
    const bundled = tls.rootCertificates.map((pem) => new X509Certificate(pem).fingerprint256);
    expect(prints).toEqual(expect.arrayContaining([ca.info.fingerprint, ...bundled]));
  });

  it("keeps the CAs that the user's own variables trust", async () => {
    const own = makeCertificate(temporaryFolder(), 'own', { commonName: 'Own' }).certificate;
    const env = await clientEnvironment(
      options('http://127.0.0.1:8080', { PATH: '', REQUESTS_CA_BUNDLE: own, DENO_CERT: own }),
    );
    expect(fs.readFileSync(env.REQUESTS_CA_BUNDLE ?? '', 'latin1')).toContain(
      certificatesIn(fs.readFileSync(own, 'latin1'))[0],
    );
    expect(env.DENO_CERT).toBe(env.REQUESTS_CA_BUNDLE);
    expect(env.NODE_EXTRA_CA_CERTS).toBe(ca.certificatePath);
  });

  it('leaves Java out if there is none', async () => {
    const env = await clientEnvironment(options('http://127.0.0.1:8080', { PATH: '' }));
    expect(env).not.toHaveProperty('JAVA_TOOL_OPTIONS');
  });

  it.skipIf(!hasProgram('keytool', '-help'))("keeps Java's options where there are some", async () => {
    const before = { ...process.env, JAVA_TOOL_OPTIONS: '-Dx=y' };
    const env = await clientEnvironment(options('http://127.0.0.1:8080', before));
    expect(env.JAVA_TOOL_OPTIONS).toMatch(/^-Dx=y .*-Dhttps\.proxyPort=8080/);
  });
});
