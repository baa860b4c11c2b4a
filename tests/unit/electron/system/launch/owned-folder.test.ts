import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addOwner, makeOwnedFolder, sweepOwnedFolders } from '../../../../../electron/system/launch/owned-folder.ts';
import { bootTime } from '../../../../../electron/system/launch/owner.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const OWNERS = 'roundtrip-owners.json';

/** A folder made by a process that has ended. */
function leftFolder(parent: string): string {
  const folder = makeOwnedFolder(parent, 'a-');
  const { pid } = spawnSync('true');
  fs.writeFileSync(path.join(folder, OWNERS), JSON.stringify([{ pid, boot: bootTime() }]));
  return folder;
}

describe('sweepOwnedFolders', () => {
  it('removes what a dead process left, and nothing else', async () => {
    const parent = path.join(temporaryFolder(), 'folders');
    const left = leftFolder(parent);
    const ours = makeOwnedFolder(parent, 'a-');
    const other = path.join(parent, 'b-1');
    fs.renameSync(leftFolder(parent), other);
    const unowned = path.join(parent, 'a-new');
    fs.mkdirSync(unowned);
    await sweepOwnedFolders(parent, 'a-');
    expect([left, ours, other, unowned].map((folder) => fs.existsSync(folder))).toEqual([false, true, true, true]);
  });

  it('keeps one in which a browser still runs', async () => {
    const parent = temporaryFolder();
    const folder = leftFolder(parent);
    const child = spawn('sleep', ['60']);
    onTestFinished(() => void child.kill());
    addOwner(folder, child.pid ?? 0);
    await sweepOwnedFolders(parent, 'a-');
    expect(fs.existsSync(folder)).toBe(true);
    child.kill();
    await once(child, 'exit');
    await sweepOwnedFolders(parent, 'a-');
    expect(fs.existsSync(folder)).toBe(false);
  });

  it('ignores a process id from before a reboot', async () => {
    const parent = temporaryFolder();
    const folder = makeOwnedFolder(parent, 'a-');
    fs.writeFileSync(path.join(folder, OWNERS), JSON.stringify([{ pid: process.pid, boot: bootTime() - 86_400_000 }]));
    await sweepOwnedFolders(parent, 'a-');
    expect(fs.existsSync(folder)).toBe(false);
  });

  it('removes one of an earlier version, without owners, after a day', async () => {
    const parent = temporaryFolder();
    const folder = path.join(parent, 'a-old');
    fs.mkdirSync(folder);
    const then = new Date(Date.now() - 2 * 86_400_000);
    fs.utimesSync(folder, then, then);
    await sweepOwnedFolders(parent, 'a-');
    expect(fs.existsSync(folder)).toBe(false);
  });

  it('treats a missing parent as empty', async () => {
    await expect(sweepOwnedFolders(path.join(temporaryFolder(), 'none'), 'a-')).resolves.toBeUndefined();
  });
});
