import { execFile } from 'node:child_process';
import net from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resume) => setTimeout(resume, 10));
}

async function withProgramPort(settings: Parameters<TestEngine['apply']>[0] = {}) {
  const origin = await httpsOrigin();
  const engine = await testEngine({ upstreamCaFiles: [origin.caPath], ...settings });
  const port = await engine.engine.openProgramPort(TOKEN, 0);
  const steps = () => engine.sightings.map(({ step }) => step);
  const through = { proxy: `http://127.0.0.1:${port}`, caPath: engine.caPath };
  return { engine, origin, port, through, steps };
}

describe.skipIf(!hasProgram('curl'))("a program's own port", () => {
  it('reports once that requests arrive, and that they arrive over TLS', async () => {
    const { engine, origin, through, steps } = await withProgramPort();
    for (let times = 0; times < 2; times += 1) expect((await curl(through, origin.url)).exitCode).toBe(0);
    expect(steps()).toEqual(['request', 'secure-request']);
    expect(new Set(engine.sightings.map(({ token }) => token))).toEqual(new Set([TOKEN]));
  });

  it('reports only that plain HTTP arrived', async () => {
    const { through, steps } = await withProgramPort();
    const plain = await rawOrigin((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    expect((await curl(through, `http://127.0.0.1:${plain.port}/`)).exitCode).toBe(0);
    expect(steps()).toEqual(['request']);
  });

  it('reports that a passed-through tunnel arrived', async () => {
    const { origin, through, steps } = await withProgramPort({ passthroughHosts: ['localhost'] });
    expect((await curl({ ...through, caPath: origin.caPath }, origin.url)).exitCode).toBe(0);
    expect(steps()).toEqual(['request']);
  });

  it('reports how a certificate was refused, once for each host', async () => {
    const { engine, origin, through, steps } = await withProgramPort();
    for (let times = 0; times < 2; times += 1)
      expect((await curl({ ...through, caPath: origin.caPath }, origin.url)).exitCode).not.toBe(0);
    await until(() => engine.seen.all.length === 2);
    expect(steps()).toEqual(['request', 'refused-request']);
    expect(engine.sightings.at(-1)?.detail).toContain('unknown CA, alert 48');
  });

  it('reports a client that only closes the connection, as Node.js does', async () => {
    const { engine, origin, port } = await withProgramPort();
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '' };
    const script = `require('https').get('${origin.url}').on('error', () => {})`;
    await promisify(execFile)(process.execPath, ['-e', script], { env });
    await until(() => engine.sightings.some(({ step }) => step === 'refused-request'));
  });

  it('reports nothing that arrives at the shared address', async () => {
    const { engine, origin, steps } = await withProgramPort();
    expect((await curl(engine, origin.url)).exitCode).toBe(0);
    expect(steps()).toEqual([]);
  });

  it('reports again when it is requested again, on the same port', async () => {
    const { engine, origin, port, through, steps } = await withProgramPort();
    await curl(through, origin.url);
    expect(await engine.engine.openProgramPort(TOKEN, 0)).toBe(port);
    await curl(through, origin.url);
    expect(steps()).toEqual(['request', 'secure-request', 'request', 'secure-request']);
  });

  it('is ours, and leads nowhere itself', async () => {
    const { engine, port, through } = await withProgramPort();
    await curl(through, `http://127.0.0.1:${port}/`);
    const row = await engine.seen.ended1();
    expect(row.failure?.code).toMatch(/^(tunnel\.to-itself|client\.bad-request)$/);
  });

  it('counts with the others', async () => {
    const { engine, port } = await withProgramPort();
    const socket = net.connect(port, '127.0.0.1');
    await engine.clientCount(1);
    socket.destroy();
    await engine.clientCount(0);
  });
});
