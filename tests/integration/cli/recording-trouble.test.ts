import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lostExchanges } from '../../../electron/failures/lost-exchanges.ts';
import { harEntries } from '../../support/har-entries.ts';
import { getThrough, helloOrigin } from '../../support/mortal-runtime.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function record(session: string, har = path.join(temporaryFolder(), 'out.har')) {
  const cli = new RoundtripCli(['record', '--json', '--port', '0', '--session', session, '--har', har]);
  const finish = async () => {
    cli.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await cli.finished;
    return { exitCode, done: JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), stderr };
  };
  return { cli, har, finish };
}

describe('roundtrip record, when recording fails', () => {
  it('on a disk that stays full: reports it, counts losses, keeps the rest, and exits with 1', async ({ skip }) => {
    const disk = smallDisk(2);
    if (disk === null) return skip('this user may not mount a tmpfs');
    const { cli, har, finish } = record(path.join(disk.folder, 's.roundtrip'));
    const { proxy } = await cli.ready();
    const url = await helloOrigin();
    const asked = 40;
    for (let n = 0; n < asked; n += 1) await getThrough(proxy, `${url}/bytes/200000`);
    const { exitCode, done, stderr } = await finish();
    expect(exitCode).toBe(1);
    expect(done).toMatchObject({ event: 'done', har });
    expect(done.lost).toBeGreaterThan(0);
    // One may have only its beginning: the file marks it as failed.
    expect(done.exchanges - done.failed + done.lost).toBe(asked);
    expect(harEntries(har).lines).toHaveLength(done.exchanges);
    expect(stderr.match(/Recording stopped: writing to the session file/g)).toHaveLength(1);
    expect(stderr).toContain(lostExchanges(done.lost));
  });

  it('on a full disk that is also the HAR’s: one line says what is kept, and how much is lost', async ({ skip }) => {
    const disk = smallDisk(2);
    if (disk === null) return skip('this user may not mount a tmpfs');
    const session = path.join(disk.folder, 's.roundtrip');
    const har = path.join(disk.folder, 'out.har');
    const { cli } = record(session, har);
    const { proxy } = await cli.ready();
    const url = await helloOrigin();
    for (let n = 0; n < 40; n += 1) await getThrough(proxy, `${url}/bytes/200000`);
    cli.child.kill('SIGINT');
    const { exitCode, stderr } = await cli.finished;
    expect(exitCode).toBe(1);
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    const kept = `the disk is full. The recording is kept in ${session}. `;
    const start = `roundtrip: The HAR ${har} could not be written: ${kept}`;
    expect(last.slice(0, start.length)).toBe(start);
    expect(last.slice(start.length)).toMatch(/^\d+ exchanges are lost: they are not in the session file\.$/);
  });

  it('because its session file was removed: names the file in which it continues, and loses nothing', async () => {
    const folder = temporaryFolder();
    const session = path.join(folder, 's.roundtrip');
    const { cli, har, finish } = record(session);
    const { proxy } = await cli.ready();
    const url = await helloOrigin();
    await getThrough(proxy, `${url}/before`);
    for (const suffix of ['', '-wal', '-shm', '-lock']) fs.rmSync(`${session}${suffix}`, { force: true });
    const target = path.join(folder, 's-2.roundtrip');
    await expect.poll(() => fs.existsSync(`${target}-wal`)).toBe(true);
    await getThrough(proxy, `${url}/after`);
    const { exitCode, done, stderr } = await finish();
    expect([exitCode, done.lost]).toEqual([0, 0]);
    expect(harEntries(har).lines).toEqual([`GET ${url}/before 200`, `GET ${url}/after 200`]);
    expect(stderr).toContain(`Recording continues in ${target}, which holds the whole session`);
  });
});
