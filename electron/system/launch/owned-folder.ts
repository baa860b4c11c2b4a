import fs from 'node:fs';
import path from 'node:path';
import { bootTime, isOwned, type Owner } from './owner.ts';

const OWNERS = 'roundtrip-owners.json';
/** One without owners is being made just now, or is of an earlier version; milliseconds. */
const UNOWNED_FOR = 24 * 3600 * 1000;

/** A new folder below another, for as long as this process runs, or one that it adds. Throws what the file system throws. */
export function makeOwnedFolder(parent: string, prefix: string): string {
  fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = fs.mkdtempSync(path.join(parent, prefix));
  addOwner(folder, process.pid);
  return folder;
}

/** Another process that the folder is needed by. */
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

function isLeft(folder: string): boolean {
  const owners = ownersOf(folder);
  if (owners.length > 0) return !owners.some(isOwned);
  const made = fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - made > UNOWNED_FOR;
}

/** After a crash: removes what was made below a folder by processes that are gone. Never rejects. */
export async function sweepOwnedFolders(parent: string, prefix: string): Promise<void> {
  const names = await fs.promises.readdir(parent).catch(() => []);
  const left = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => path.join(parent, name))
    .filter(isLeft);
  for (const folder of left) await fs.promises.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
