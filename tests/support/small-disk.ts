import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** A file system of this many MiB; null if this user may not mount one. */
export function smallDisk(
  size: number,
): { folder: string; grow: (size: number) => void; makeReadOnly: () => void } | null {
  const folder = temporaryFolder();
  const mount = (...options: string[]) => spawnSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', folder]).status;
  if (mount('-o', `size=${size}m`) !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return {
    folder,
    grow: (to) => void mount('-o', `remount,size=${to}m`),
    makeReadOnly: () => void mount('-o', 'remount,ro'),
  };
}
