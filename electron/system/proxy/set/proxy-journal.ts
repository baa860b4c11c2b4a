import fs from 'node:fs';
import { replaceFile } from '../../../files/publish-file.ts';
import type { Owner } from '../../launch/owner.ts';
import type { ProxyPlatform, ProxySettings } from './proxy-settings.ts';

/** The previous settings, saved to disk before the change. The owner is the process whose proxy was set. */
export interface ProxyJournal extends Owner {
  label: string;
  before: ProxySettings;
  ours: ProxySettings;
}

function isSettings(value: unknown): value is ProxySettings {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

/** Returns null if there is no journal, or none that can be read. */
export function readJournal(file: string): ProxyJournal | null {
  try {
    const { pid, boot, label, before, ours } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
    if (
      typeof pid !== 'number' ||
      typeof boot !== 'number' ||
      typeof label !== 'string' ||
      !isSettings(before) ||
      !isSettings(ours)
    )
      return null;
    return { pid, boot, label, before, ours };
  } catch {
    return null;
  }
}

/** The journal is durable when this returns: it survives a power cut after the change. */
export function writeJournal(file: string, journal: ProxyJournal): void {
  replaceFile(file, `${JSON.stringify(journal, null, 2)}\n`, 0o600);
}

export function removeJournal(file: string): void {
  fs.rmSync(file, { force: true });
}

/** What to restore: the previous state of everything that still has our value. The last change is restored first. */
export function toRestore({ before, ours }: ProxyJournal, now: ProxySettings): ProxySettings {
  const still = Object.entries(ours).filter(([key, value]) => now[key] === value && key in before);
  return Object.fromEntries(still.reverse().map(([key]) => [key, before[key] ?? '']));
}

/** Whether the system's proxy is still all ours. */
export function isInForce({ ours }: ProxyJournal, now: ProxySettings): boolean {
  return Object.entries(ours).every(([key, value]) => now[key] === value);
}

/**
 * Restores the previous settings, except those that another program or the user has changed since. Rejects if the
 * system refuses; the journal then stays for another attempt.
 */
export async function restore(file: string, platform: ProxyPlatform): Promise<void> {
  const journal = readJournal(file);
  if (journal === null || journal.label !== platform.label) return;
  await platform.write(toRestore(journal, await platform.read()));
  removeJournal(file);
}
