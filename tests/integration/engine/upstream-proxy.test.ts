import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(port: number, process: ChildProcess): Promise<void> {
  while (process.exitCode === null) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`tinyproxy ended with ${process.exitCode}`);
}

/** A real tinyproxy on a free port, ended with the test. */
async function tinyproxy(user: string | null): Promise<number> {
  const port = await freePort();
  const config = path.join(temporaryFolder(), 'tinyproxy.conf');
  const auth = user ? `BasicAuth ${user.replace(':', ' ')}\n` : '';
  fs.writeFileSync(config, `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\n${auth}`);
  const process = spawn('tinyproxy', ['-d', '-c', config], { stdio: 'ignore' });
  onTestFinished(() => void process.kill());
  await answers(port, process);
  return port;
}

const through = (url: string) => ({ upstreamProxy: { enabled: true, url } });

describe.skipIf(!hasProgram('tinyproxy', '-v'))('a real upstream proxy (tinyproxy)', () => {
  it('carries HTTPS with Basic authentication, h2 too', async () => {
    const port = await tinyproxy('ann:s3cret');
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('through');
    });
    const engine = await testEngine({
      upstreamCaFiles: [origin.caPath],
      ...through(`http://ann:s3cret@127.0.0.1:${port}`),
    });
    expect((await curl(engine, '--http2', origin.url)).stdout).toBe('through');
    const exchange = await engine.seen.ended1();
    expect(exchange.upstream).toMatchObject({ protocol: 'h2', via: `http://127.0.0.1:${port}` });
    expect(JSON.stringify(exchange)).not.toContain('s3cret');
  });

  it('carries plain http in absolute form', async () => {
    const port = await tinyproxy('ann:s3cret');
    const origin = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nplain'));
    });
    origin.listen(0, '127.0.0.1');
    onTestFinished(() => void origin.close());
    await new Promise((resolve) => origin.once('listening', resolve));
    const engine = await testEngine(through(`http://ann:s3cret@127.0.0.1:${port}`));
    const result = await curl(engine, `http://127.0.0.1:${(origin.address() as AddressInfo).port}/x`);
    expect(result.stdout).toBe('plain');
  });

  it('says that it asks for a password, or did not accept it', async () => {
    const port = await tinyproxy('ann:s3cret');
    const origin = await httpsOrigin();
    const engine = await testEngine({ upstreamCaFiles: [origin.caPath], ...through(`http://127.0.0.1:${port}`) });
    await curl(engine, origin.url);
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.authentication-required');
    engine.apply({ upstreamCaFiles: [origin.caPath], ...through(`http://ann:wrong@127.0.0.1:${port}`) });
    await curl(engine, origin.url);
    expect((await engine.seen.ended1((each) => each.id === 2)).failure?.code).toBe('proxy.wrong-password');
    expect(origin.seen).toEqual([]);
  });

  it('takes effect on the next exchange, and so does its end', async () => {
    const port = await tinyproxy(null);
    const origin = await httpsOrigin();
    const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
    await curl(engine, origin.url);
    engine.apply({ upstreamCaFiles: [origin.caPath], ...through(`http://127.0.0.1:${port}`) });
    await curl(engine, origin.url);
    engine.apply({ upstreamCaFiles: [origin.caPath] });
    await curl(engine, origin.url);
    await engine.seen.ended1((each) => each.id === 3);
    expect(engine.seen.all.map((each) => each.upstream?.via ?? null)).toEqual([null, `http://127.0.0.1:${port}`, null]);
  });
});

describe('an upstream proxy that is not there', () => {
  it('is named', async () => {
    const engine = await testEngine(through('http://127.0.0.1:1'));
    await curl(engine, 'https://localhost:2/');
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.refused');
  });
});
