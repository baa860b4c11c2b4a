import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callHost } from '../../support/call-host.ts';
import { curl } from '../../support/curl.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The machine's own, often older than ours. */
const SYSTEM_NODE = '/usr/bin/node';

const busyPort = () => listenInTest(net.createServer());

function tokenOf(ui: string): string {
  return new URL(ui).hash.replace('#token=', '');
}

/** Opens a WebSocket, and never reads, writes or closes again. Resolves with the beginning of the response. */
async function heldSocket(ui: string, token: string): Promise<string> {
  const { host, port } = new URL(ui);
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
  const head = [`GET /inspector?token=${token} HTTP/1.1`, `Host: ${host}`, ...upgrade];
  socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  const [response] = await once(socket, 'data');
  socket.pause();
  return String(response);
}

describe('roundtrip serve', () => {
  it('prints its address in the first line, and ends cleanly at SIGINT', async () => {
    const cli = new RoundtripCli(['serve', '--port', '0', '--json']);
    const ready = await cli.ready();
    expect(ready).toEqual({
      event: 'ready',
      proxy: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ui: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/),
      ca: path.join(cli.folder, 'data/roundtrip/ca.crt'),
      pid: cli.child.pid,
    });
    expect(fs.readFileSync(ready.ca, 'utf8')).toContain('BEGIN CERTIFICATE');
    cli.child.kill('SIGINT');
    expect(await cli.finished).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
    expect(cli.lines).toHaveLength(1);
  });

  it('opens reverse listeners, and reports their addresses in its first line', async () => {
    const origin = http.createServer((request, response) => response.end(`hello ${request.headers.host}`));
    const port = await listenInTest(origin);
    const target = `127.0.0.1:${port}`;
    const cli = new RoundtripCli(['serve', '--port', '0', '--reverse', `0=http://${target}`, '--json']);
    const { reverse } = await cli.ready();
    expect(reverse).toEqual([{ url: expect.stringMatching(/^http:\/\/127/), origin: `http://${target}` }]);
    expect(await (await fetch(reverse?.[0]?.url ?? '')).text()).toBe(`hello ${target}`);
  });

  it('does not start if a requested reverse listener cannot be opened', async () => {
    const port = await busyPort();
    const { exitCode, stderr } = await runRoundtrip(['serve', '--port', '0', '--reverse', `${port}=http://a.test`]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`127.0.0.1:${port}`);
  });

  it('names a busy port and the fix in one line', async () => {
    const port = await busyPort();
    const { exitCode, stdout, stderr } = await runRoundtrip(['serve', '--port', String(port), '--json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(stderr).toContain('--port');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('names a busy port of the UI too', async () => {
    const port = await busyPort();
    const { exitCode, stderr } = await runRoundtrip(['serve', '--port', '0', '--ui-port', String(port)]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(stderr).toContain('--ui-port');
  });

  it('prints sentences without --json', async () => {
    const cli = new RoundtripCli(['serve', '--port', '0']);
    await once(cli.child.stdout ?? cli.child, 'data');
    cli.child.kill('SIGTERM');
    const { exitCode, stdout } = await cli.finished;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Proxy {2}http:\/\/127\.0\.0\.1:\d+\n/);
    expect(stdout).toMatch(/UI {5}http:\/\/127\.0\.0\.1:\d+\/#token=/);
  });

  it('ends at SIGTERM despite open connections: a collector, a window and a refused client', async () => {
    const silent = net.createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).resume());
    const port = await listenInTest(silent);
    const collector = `http://127.0.0.1:${port}`;
    const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--otlp', collector]);
    const { proxy, ui } = await cli.ready();
    const held = await Promise.all([heldSocket(ui, tokenOf(ui)), heldSocket(ui, 'wrong')]);
    expect(held.map((response) => response.slice(0, 12))).toEqual(['HTTP/1.1 101', 'HTTP/1.1 403']);
    const asked = once(silent, 'connection');
    await curl({ proxy, caPath: '/dev/null' }, 'http://127.0.0.1:1/');
    await asked;
    cli.child.kill('SIGTERM');
    const { exitCode, stderr } = await cli.finished;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('1 exchange was not exported'),
    });
  });

  it.each([
    ['off, whatever the desktop app keeps', [], false],
    ['on with --busy-poll', ['--busy-poll'], true],
  ])('has busy polling %s', async (_name, option, expected) => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ busyPoll: true }));
    const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--data-dir', folder, ...option]);
    const { ui } = await cli.ready();
    expect(await callHost(ui, 'settings.get', {})).toMatchObject({ busyPoll: expected });
    cli.child.kill('SIGTERM');
    await cli.finished;
  });

  it.skipIf(!fs.existsSync(SYSTEM_NODE))('runs on any Node', async () => {
    const cli = new RoundtripCli(['serve', '--port', '0', '--json'], { node: SYSTEM_NODE });
    await cli.ready();
    cli.child.kill('SIGTERM');
    expect(await cli.finished).toMatchObject({ exitCode: 0, signal: null });
  });
});
