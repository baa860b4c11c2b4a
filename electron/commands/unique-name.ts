import { randomBytes } from 'node:crypto';

/**
 * `2026-11-20T22-47-03-412Z-5f3a9c1e`: sorts by time and is a valid file name on Windows. The random suffix separates
 * runs that start in the same millisecond, even in containers that share a folder and give every process the same id.
 */
export function uniqueName(now: Date): string {
  return `${now.toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
}
