import { randomBytes } from 'node:crypto';

/**
 * `2026-11-20T22-47-03-412Z-5f3a9c1e`: sorts by time, and Windows takes it. The random end keeps runs apart that start in
 * the same millisecond, also in containers that share a folder and give every process the same id.
 */
export function uniqueName(now: Date): string {
  return `${now.toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
}
