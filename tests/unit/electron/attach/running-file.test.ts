import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRunning, publishRunning, type Running } from '../../../../electron/attach/running-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ONE: Running = { version: 1, pid: process.pid, url: 'http://127.0.0.1:1234', token: 'secret', startedAt: 5 };

describe('the file of a running Roundtrip', () => {
  it('is private, found while it runs, and removed at the end', () => {
    const folder = temporaryFolder();
    const withdraw = publishRunning(folder, ONE);
    const file = path.join(folder, 'running', `${process.pid}.json`);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(listRunning(folder)).toEqual([ONE]);
    withdraw();
    expect(fs.existsSync(file)).toBe(false);
    expect(listRunning(folder)).toEqual([]);
  });

  it('is removed once its process is dead', () => {
    const folder = temporaryFolder();
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    publishRunning(folder, { ...ONE, pid: dead });
    expect(listRunning(folder)).toEqual([]);
    expect(fs.readdirSync(path.join(folder, 'running'))).toEqual([]);
  });

  it('stays when an earlier process with the same id ends', () => {
    const folder = temporaryFolder();
    const withdraw = publishRunning(folder, ONE);
    publishRunning(folder, { ...ONE, token: 'another' });
    withdraw();
    expect(listRunning(folder)).toHaveLength(1);
  });

  it.each(['', 'null', '{}', '{"version":1', JSON.stringify({ ...ONE, url: 'http://evil.test' })])(
    'is ignored if it holds %j',
    (content) => {
      const folder = temporaryFolder();
      fs.mkdirSync(path.join(folder, 'running'));
      fs.writeFileSync(path.join(folder, 'running/1.json'), content);
      expect(listRunning(folder)).toEqual([]);
    },
  );

  it('is listed by start, the latest first', () => {
    const folder = temporaryFolder();
    publishRunning(folder, { ...ONE, pid: process.ppid, startedAt: 9 });
    publishRunning(folder, ONE);
    expect(listRunning(folder).map(({ startedAt }) => startedAt)).toEqual([9, 5]);
  });
});
