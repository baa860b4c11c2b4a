import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CHECK_LOOPBACK, CHECK_PATH, checkHost, checkPageUrl } from '../../../shared/model/capture-check.ts';
import { browserSpki } from '../../support/browser-spki.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const token = () => randomBytes(16).toString('hex');

/** Its exit code and output; it may fail. */
async function curl(...parameters: string[]): Promise<{ code: number; stdout: string }> {
  return await run('curl', ['-sS', '--max-time', '20', ...parameters]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );
}

async function until(engine: TestEngine, of: string, step: string): Promise<void> {
  while (!engine.sightings.some((one) => one.token === of && one.step === step)) {
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

const stepsOf = ({ sightings }: TestEngine, of: string) => [
  ...new Set(sightings.filter((one) => one.token === of).map(({ step }) => step)),
];

describe.skipIf(!hasProgram('curl'))('a capture check by curl', () => {
  it('is seen over HTTP, over TLS and on loopback, and records no exchange', async () => {
    const engine = await testEngine();
    const mine = token();
    const through = ['--proxy', engine.proxy, '--cacert', engine.caPath, '--noproxy', ''];
    const page = await curl(...through, checkPageUrl(mine, null));
    expect(page.stdout).toContain('You are captured');
    expect((await curl(...through, `https://${checkHost(mine)}/mark.svg`)).stdout).toContain('<svg');
    expect((await curl(...through, `${CHECK_LOOPBACK}${CHECK_PATH}${mine}`)).stdout).toContain('<svg');
    expect(stepsOf(engine, mine)).toEqual(['plain', 'secure', 'loopback']);
    expect(engine.sightings[0]?.detail).toMatch(/^curl\//);
    expect(engine.seen.all).toEqual([]);
  });

  it('is answered over TLS even if interception is off', async () => {
    const engine = await testEngine({ intercept: false });
    const mine = token();
    await curl('--proxy', engine.proxy, '--cacert', engine.caPath, `https://${checkHost(mine)}/`);
    expect(stepsOf(engine, mine)).toEqual(['secure']);
  });

  it.each([
    ['TLS 1.3', '--tlsv1.3'],
    ['TLS 1.2', '--tls-max', '1.2'],
  ])('reports a refusal over %s', async (_name, ...version) => {
    const engine = await testEngine();
    const mine = token();
    const { code } = await curl('--proxy', engine.proxy, ...version, `https://${checkHost(mine)}/`);
    expect(code).toBe(60);
    await until(engine, mine, 'refused');
    expect(engine.sightings[0]?.detail).toMatch(/unknown CA, alert 48/);
    expect(engine.seen.all).toEqual([]);
  });

  it('forwards hosts and paths that only look like it', async () => {
    const engine = await testEngine();
    for (const url of [`http://x.${checkHost(token())}/`, `http://a.invalid${CHECK_PATH}${token()}`]) {
      await curl('--proxy', engine.proxy, url);
    }
    expect(engine.sightings).toEqual([]);
    expect(engine.seen.all.map(({ failure }) => failure?.code)).toEqual(Array(2).fill('upstream.host-not-found'));
  });
});

describe.skipIf(chromiumPath() === null)('a capture check by Chromium', () => {
  const open = (engine: TestEngine, url: string, ...more: string[]) => {
    const profile = temporaryFolder();
    const own = [`--user-data-dir=${profile}`, `--proxy-server=${engine.proxy}`, '--headless=new', ...more, url];
    const child = execFile(chromiumPath() ?? '', [...CHROMIUM_FLAGS, ...own]);
    return async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
    };
  };

  it('passes HTTP, TLS and loopback, and continues to its target', async () => {
    const engine = await testEngine();
    const origin = await httpsOrigin();
    engine.apply({ upstreamCaFiles: [origin.caPath] });
    const mine = token();
    const spki = `--ignore-certificate-errors-spki-list=${browserSpki(engine.caPem)}`;
    const close = open(engine, checkPageUrl(mine, `${origin.url}/after`), spki, '--proxy-bypass-list=<-loopback>');
    const after = await engine.seen.ended1(({ request }) => request.path === '/after');
    await close();
    expect(after.request.scheme).toBe('https');
    expect(stepsOf(engine, mine)).toEqual(expect.arrayContaining(['plain', 'secure', 'loopback']));
    expect(stepsOf(engine, mine)).not.toContain('no-loopback');
  });

  it('reports that it does not trust the CA, and that it bypasses the proxy for loopback', async () => {
    const engine = await testEngine();
    const mine = token();
    const close = open(engine, checkPageUrl(mine, null));
    await until(engine, mine, 'no-loopback');
    await close();
    expect(stepsOf(engine, mine)).toEqual(expect.arrayContaining(['plain', 'refused', 'no-secure', 'no-loopback']));
    expect(stepsOf(engine, mine)).not.toContain('secure');
  });
});

describe.skipIf(!hasProgram('curl'))('a client that accepts one host and refuses another', () => {
  it('is reported as pinning the other host, but not if another program refuses', async () => {
    const engine = await testEngine();
    const origin = await httpsOrigin();
    engine.apply({ upstreamCaFiles: [origin.caPath] });
    const through = ['--proxy', engine.proxy];
    expect((await curl(...through, '--cacert', engine.caPath, origin.url)).code).toBe(0);
    await curl(...through, origin.url);
    await curl(...through, '-A', 'Other/1.0', '--proxy-header', 'User-Agent: Other/1.0', origin.url);
    const refused = () => engine.seen.all.filter(({ kind }) => kind === 'tunnel');
    while (refused().length < 2) await new Promise((resume) => setTimeout(resume, 20));
    expect(refused().map(({ failure }) => failure?.code)).toEqual([
      'tls.client-pins-certificate',
      'tls.client-rejected-certificate',
    ]);
  });
});

describe('a client that refuses our certificate', () => {
  const CLIENTS: [name: string, program: string, parameters: (proxy: string, url: string) => string[], code: string][] =
    [
      [
        'curl, TLS 1.3, HTTP/1.1',
        'curl',
        (p, u) => ['-sS', '--http1.1', '--proxy', p, u],
        'tls.client-rejected-certificate',
      ],
      [
        'curl, TLS 1.3, HTTP/2',
        'curl',
        (p, u) => ['-sS', '--http2', '--proxy', p, u],
        'tls.client-rejected-certificate',
      ],
      [
        'curl, TLS 1.2',
        'curl',
        (p, u) => ['-sS', '--tls-max', '1.2', '--proxy', p, u],
        'tls.client-rejected-certificate',
      ],
      [
        'Node.js',
        process.execPath,
        (_p, u) => ['-e', `require('https').get('${u}').on('error', () => {})`],
        'tls.client-closed',
      ],
    ];

  it.each(CLIENTS)('%s gets its own row with the reason', async (_name, program, parameters, code) => {
    const engine = await testEngine();
    const origin = await httpsOrigin();
    engine.apply({ upstreamCaFiles: [origin.caPath] });
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: engine.proxy, NO_PROXY: '' };
    await run(program, parameters(engine.proxy, `${origin.url}/`), { env }).catch(() => undefined);
    const row = await engine.seen.ended1(({ kind }) => kind === 'tunnel');
    expect(row.failure?.code).toBe(code);
    expect(row.request.host).toBe(new URL(origin.url).hostname);
    engine.apply({ upstreamCaFiles: [origin.caPath], passthroughHosts: [row.request.host] });
    if (program !== 'curl') return;
    const { stdout } = await run('curl', ['-sS', '--proxy', engine.proxy, '--cacert', origin.caPath, `${origin.url}/`]);
    expect(stdout.length).toBeGreaterThan(0);
  });
});
