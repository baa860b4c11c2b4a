import fs from 'node:fs';
import path from 'node:path';

/** libfaketime, to be preloaded; null if it is not installed. */
export function fakeTimeLibrary(): string | null {
  const folders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'];
  const files = folders.map((folder) => path.join(folder, 'faketime/libfaketime.so.1'));
  return files.find((file) => fs.existsSync(file)) ?? null;
}
