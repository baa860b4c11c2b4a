import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeOf, cutOff, flood, MIB, rememberMemory } from '../../support/abusive-client.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** Opens connections (port, count), sends nothing on them, and reports when the other side has ended all. */
const IDLE_CLIENTS = `
  const [port, count] = process.argv.slice(1).map(Number);
  let ended = 0;
  const open = (left) => {
    if (left === 0) return;
    const socket = require('node:net').connect(port, '127.0.0.1', () => open(left - 1));
    socket.resume().on('error', () => {}).on('close', () => {
      ended += 1;
      if (ended === count) process.stdout.write(count + ' were let go');
    });
  };
  for (let lane = 0; lane < 100; lane += 1) open(Math.floor(count / 100) + (lane < count % 100 ? 1 : 0));
`;
describe('an HTTP/1.1 client that does not do its part is cut off by name', () => {
  async function plain(limits: Parameters<typeof testEngine>[1] = {}) {
    const origin = await rawOrigin((socket, received) => {
      if (received.includes('/good')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood');
      else if (received.includes('/big')) {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${200 * MIB}\r\n\r\n`);
        const go = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
        };
        socket.on('drain', go);
        go();
      }
    });
    const through = await testEngine({}, limits);
    const good = async (): Promise<void> => {
      expect((await curl(through, `http://127.0.0.1:${origin.port}/good`)).stdout).toBe('good');
    };
    return { origin, through, good };
  }

  it('slow header fields', async () => {
    const { origin, through, good } = await plain({ requestHeadTime: 300 });
    const isBounded = rememberMemory();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    const closed = closeOf(socket);
    socket.write('GET / HTTP/1.1\r\n');
    const dripping = setInterval(() => socket.write('X: 1\r\n'), 20);
    onTestFinished(() => clearInterval(dripping));
    await good();
    socket.resume();
    await closed;
    expect((await cutOff(through, 'client')).failure?.code).toBe('client.idle-timeout');
    isBounded();
  });

  it('a body that stops', async () => {
    const { origin, through, good } = await plain({ clientSilence: 1_000 });
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    const closed = closeOf(socket);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nsome');
    await good();
    socket.resume();
    await closed;
    expect((await cutOff(through, 'client')).failure?.code).toBe('client.stalled');
  });

  it('a response that is not read', async () => {
    const { origin, through, good } = await plain({ clientSilence: 1_000 });
    const isBounded = rememberMemory();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    socket.write('GET /big HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.pause();
    await good();
    expect((await cutOff(through, 'client')).failure?.code).toBe('client.stalled');
    isBounded();
    socket.destroy();
  });

  it('a gigabyte of header fields', async () => {
    const { origin, through, good } = await plain();
    const isBounded = rememberMemory();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
      // It has its response; the point is that it keeps sending.
    });
    const flooding = flood(
      socket,
      (function* () {
        yield Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nX: ');
        for (let sent = 0; sent < 1024 && response === ''; sent += 1) yield Buffer.alloc(MIB, 'v');
      })(),
    );
    await good();
    await flooding;
    expect((await cutOff(through, 'client')).failure?.code).toBe('client.head-too-large');
    isBounded();
    socket.destroy();
  });

  it('10,000 silent connections are released and cost little', async () => {
    const { through, good } = await plain({ clientSilence: 8_000 });
    const isBounded = rememberMemory();
    // The clients in a separate process: each has a file descriptor at both ends.
    const files = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
    const count = files === 'unlimited' ? 10_000 : Math.min(10_000, Number(files) - 500);
    const clients = spawn(process.execPath, ['-e', IDLE_CLIENTS, `${through.port}`, `${count}`], { stdio: 'pipe' });
    const closed = once(clients, 'close');
    onTestFinished(() => {
      clients.kill();
    });
    const named = () => through.seen.all.filter(({ failure }) => failure?.code === 'client.silent');
    let said = '';
    clients.stdout.on('data', (text) => {
      said += text;
    });
    // All at once, or as many as this machine opens before the first is released.
    await expect.poll(() => through.engine.connections().client >= count || named().length > 0).toBe(true);
    await good();
    isBounded();
    await closed;
    expect(said).toBe(`${count} were let go`);
    expect(named()).toHaveLength(count);
  });
});
