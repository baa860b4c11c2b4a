import fs from 'node:fs';
import path from 'node:path';
import { bootTime, isOwned, type Owner } from './owner.ts';

const OWNERS = 'roundtrip-owners.json';
/** A folder without owners is being created, or is from an earlier version. Milliseconds. */
const UNOWNED_FOR = 24 * 3600 * 1000;

/** Creates a folder that is kept while this process, or one added to it, runs. Throws what the file system throws. */
export function makeOwnedFolder(parent: string, prefix: string): string {
  fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = fs.mkdtempSync(path.join(parent, prefix));
  addOwner(folder, process.pid);
  return folder;
}

/** Registers another process that needs the folder. */
export function addOwner(folder: string, pid: number): void {
  const owners = [...ownersOf(folder), { pid, boot: bootTime() }];
  fs.writeFileSync(path.join(folder, OWNERS), JSON.stringify(owners), { mode: 0o600 });
}

function ownersOf(folder: string): Owner[] {
  try {
    const owners: unknown = JSON.parse(fs.readFileSync(path.join(folder, OWNERS), 'utf8'));
    return Array.isArray(owners) ? owners : [];
  } catch {
    return [];
  }
}

/**
 * Removes a program's folder after the program has ended. Its helper processes can outlive it for a moment and write
 * into the folder meanwhile. Never rejects.
 */
export async function removeOwnedFolder(folder: string): Promise<void> {
  await fs.promises
    .rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    .catch(() => undefined);
}

function isLeft(folder: string): boolean {
  const owners = ownersOf(folder);
  if (owners.length > 0) return !owners.some(isOwned);
  const made = fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - made > UNOWNED_FOR;
}

/** After a crash, removes folders whose owners have all ended. Never rejects. */
export async function sweepOwnedFolders(parent: string, prefix: string): Promise<void> {
  const names = await fs.promises.readdir(parent).catch(() => []);
  const left = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => path.join(parent, name))
    .filter(isLeft);
  for (const folder of left) await fs.promises.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
