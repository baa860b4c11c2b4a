import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { Failure } from '../../../shared/model/failure.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

const POSSIBLE = process.platform === 'linux' && hasProgram('prlimit');
const MANY = 200;

/** Sets how many descriptors this process may have, until the test ends. */
function allow(count: number): void {
  const run = (limit: string) => spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${limit}:`]);
  const before = /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  onTestFinished(() => void run(before));
  run(String(count));
}

/** A program that holds many connections open until it is killed. */
async function crowd(port: number): Promise<ChildProcess> {
  const script = `
    const net = require('node:net');
    for (let i = 0; i < ${MANY}; i += 1) net.connect(${port}, '127.0.0.1').on('error', () => {}).resume();
  `;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
}

it.skipIf(!POSSIBLE)(
  'descriptors that run out are a row for each client and one line, and do not end the listening',
  async () => {
    const lines: Failure[] = [];
    const origin = await rawOrigin((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    // New ones get the lowest free numbers, regardless of higher ones.
    allow(fs.readdirSync('/proc/self/fd').length + 100);
    const through = await testEngine({}, {}, { onFailure: (about) => void lines.push(about) });
    const clients = await crowd(through.port);
    const row = await through.seen.ended1((each) => each.failure?.code === 'engine.out-of-descriptors');
    expect(row).toMatchObject({ kind: 'connection', state: 'failed', failure: { cause: 'EMFILE' } });
    await expect.poll(() => through.seen.all.length + through.engine.connections().client).toBe(MANY);
    expect(through.engine.connections().client).toBeGreaterThan(30);
    expect(lines.map(({ code }) => code)).toEqual(['engine.out-of-descriptors']);
    clients.kill('SIGKILL');
    await through.clientCount(0);
    expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).stdout).toBe('ok');
  },
);
