import path from 'node:path';
import { uniqueName } from './unique-name.ts';

/** Path of a new file in the folder `sessions`, with a unique name (`uniqueName`). */
export function newSessionPath(dataFolder: string, now: Date): string {
  return path.join(dataFolder, 'sessions', `${uniqueName(now)}.roundtrip`);
}
