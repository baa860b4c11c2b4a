import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishRunning } from '../../../electron/attach/running-file.ts';
import { curl } from '../../support/curl.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Refused by the proxy at once, without a server: enough of an exchange. */
const NOWHERE = 'http://127.0.0.1:1/nowhere';

interface Through {
  proxy: string;
  caPath: string;
}

async function serving(): Promise<{ cli: RoundtripCli; through: Through; data: string[]; folder: string }> {
  const folder = temporaryFolder();
  const data = ['--data-dir', folder];
  const cli = new RoundtripCli(['serve', '--port', '0', '--json', ...data]);
  const { proxy, ca } = await cli.ready();
  return { cli, through: { proxy, caPath: ca }, data, folder };
}

describe('a running Roundtrip', () => {
  it('is found, followed and ended by other commands', async () => {
    const { cli, through, data, folder } = await serving();
    const status = await runRoundtrip(['status', '--json', ...data]);
    expect(JSON.parse(status.stdout)).toMatchObject({
      ...{ event: 'running', pid: cli.child.pid, api: 1, host: 'headless', state: 'running', proxy: through.proxy },
    });

    const tail = new RoundtripCli(['tail', '--json', '--filter', 'path:/nowhere', ...data]);
    expect(await tail.ready()).toEqual({ event: 'attached', pid: cli.child.pid });
    await curl(through, 'http://127.0.0.1:1/other');
    await curl(through, NOWHERE);
    await expect.poll(() => tail.lines.length).toBe(2);
    expect(JSON.parse(tail.lines[1] ?? '')).toMatchObject({ event: 'exchange', path: '/nowhere', method: 'GET' });

    expect(await runRoundtrip(['stop', ...data])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await cli.finished).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await tail.finished).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('closed the connection'),
    });
    expect(fs.readdirSync(path.join(folder, 'running'))).toEqual([]);
  });

  it('names its reverse listeners, as given and with their addresses', async () => {
    const folder = temporaryFolder();
    const data = ['--data-dir', folder];
    const reverse = ['--reverse', '0=http://localhost:1', '--reverse', '127.0.0.1:0=https://api.test'];
    const cli = new RoundtripCli(['serve', '--port', '0', '--json', ...reverse, ...data]);
    const { reverse: opened = [] } = await cli.ready();
    expect(opened).toHaveLength(2);
    const { stdout } = await runRoundtrip(['status', '--json', ...data]);
    const same = { keepHost: false, failure: null };
    expect(JSON.parse(stdout)).toMatchObject({
      reverse: [
        { listen: '0', origin: 'http://localhost:1', url: opened[0]?.url, ...same },
        { listen: '127.0.0.1:0', origin: 'https://api.test', url: opened[1]?.url, ...same },
      ],
    });
    const lines = (await runRoundtrip(['status', ...data])).stdout.split('\n');
    expect(lines).toContain(`  Reverse  0=http://localhost:1, at ${opened[0]?.url}`);
    expect(lines).toContain(`  Reverse  127.0.0.1:0=https://api.test, at ${opened[1]?.url}`);
  });

  it('is no longer followed when its output is closed, as by `| head`', async () => {
    const { through, data } = await serving();
    const tail = new RoundtripCli(['tail', '--json', ...data]);
    await tail.ready();
    await curl(through, NOWHERE);
    await expect.poll(() => tail.lines.length).toBe(2);
    tail.child.stdout?.destroy();
    await curl(through, NOWHERE);
    expect(await tail.finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('is reported missing, and stale files do not count', async () => {
    const folder = temporaryFolder();
    const url = 'http://127.0.0.1:1';
    publishRunning(folder, { version: 1, pid: process.pid, url, token: 'x', startedAt: 1 });
    for (const command of ['status', 'stop']) {
      const { exitCode, stderr } = await runRoundtrip([command, '--data-dir', folder]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('No Roundtrip runs') });
    }
    expect(fs.readdirSync(path.join(folder, 'running'))).toEqual([]);
  });

  it('is refused if its API version differs', async () => {
    const folder = temporaryFolder();
    const url = 'http://127.0.0.1:1';
    publishRunning(folder, { version: 99, pid: process.pid, url, token: 'x', startedAt: 1 });
    const { exitCode, stderr } = await runRoundtrip(['status', '--data-dir', folder]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('speaks version 99') });
  });

  it('is started by tail if none is running', async () => {
    const tail = new RoundtripCli(['tail', '--port', '0']);
    await expect.poll(() => tail.stderr).toContain('http://127.0.0.1:');
    const proxy = /http:\/\/127\.0\.0\.1:\d+/.exec(tail.stderr)?.[0] ?? '';
    await curl({ proxy, caPath: '/dev/null' }, NOWHERE);
    await expect.poll(() => tail.lines.length).toBe(1);
    expect(tail.lines[0]).toMatch(/upstream\.refused {2}GET {2}http:\/\/127\.0\.0\.1:1\/nowhere/);
    tail.child.kill('SIGINT');
    expect(await tail.finished).toMatchObject({ exitCode: 0 });
  });
});
