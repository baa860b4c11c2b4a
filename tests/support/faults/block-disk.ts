import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr || String(error));
}

/** A file system on a block device, which can be made to fail in ways that one in memory can't. */
export class BlockDisk {
  readonly folder: string;
  #frozen = false;

  /** Mounts 32 MiB of ext4 at `folder`, an empty one, until the test ends. Throws if that is not allowed. */
  constructor(folder: string) {
    this.folder = folder;
    const image = `${folder}.image`;
    fs.writeFileSync(image, '');
    fs.truncateSync(image, 32 * 1024 * 1024);
    run('mkfs.ext4', '-q', image);
    run('mount', '-o', 'loop,errors=remount-ro', image, folder);
    onTestFinished(() => this.#unmount());
  }

  /** Writes wait until `thaw`, even for processes that are killed. */
  freeze(): void {
    run('fsfreeze', '-f', this.folder);
    this.#frozen = true;
  }

  thaw(): void {
    if (this.#frozen) run('fsfreeze', '-u', this.folder);
    this.#frozen = false;
  }

  /** What the kernel does after an error of the device. Files that are open for writing stay open. */
  makeReadOnly(): void {
    run('mount', '-o', 'remount,abort', this.folder);
  }

  #unmount(): void {
    this.thaw();
    spawnSync('umount', ['-l', this.folder]);
  }
}

/** Whether block devices can be made and frozen here: as root, and in few containers. */
export function canMountBlocks(): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-loop-'));
  const image = path.join(folder, 'image');
  const disk = path.join(folder, 'disk');
  try {
    fs.mkdirSync(disk);
    fs.writeFileSync(image, '');
    fs.truncateSync(image, 4 * 1024 * 1024);
    run('mkfs.ext4', '-q', image);
    run('mount', '-o', 'loop', image, disk);
    run('fsfreeze', '-f', disk);
    run('fsfreeze', '-u', disk);
    return true;
  } catch {
    return false;
  } finally {
    spawnSync('umount', [disk]);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
