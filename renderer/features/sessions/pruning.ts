import { counted } from '../../../shared/format/counts.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import { NO_PRUNING, type PruneLimits } from '../../../shared/model/session/prune-limits.ts';
import type { RemovedSession, SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { type App, attempt } from '../app-context.ts';

const GIB = 1024 ** 3;

/** An empty text means no limit; null: not a number of at least 0. */
function limitOf(text: string): { value: number | null } | null {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return { value: null };
  return /^\d{1,5}(\.\d{1,3})?$/.test(plain) ? { value: Number(plain) } : null;
}

/**
 * What these texts ask for: days since the last change, and GB (1,024 MB) that all sessions may take. Null: not
 * readable, or nothing.
 */
export function limitsOf(days: string, gigabytes: string): PruneLimits | null {
  const [age, size] = [limitOf(days), limitOf(gigabytes)];
  if (age === null || size === null || !Number.isInteger(age.value ?? 0)) return null;
  if (age.value === null && size.value === null) return null;
  return { olderThanDays: age.value, overBytes: size.value === null ? null : Math.round(size.value * GIB) };
}

/** The texts that ask for these limits: days, and GB. */
export function textsOf({ olderThanDays, overBytes }: PruneLimits): { days: string; gigabytes: string } {
  const gigabytes = overBytes === null ? '' : String(Math.round((overBytes / GIB) * 1000) / 1000);
  return { days: olderThanDays === null ? '' : String(olderThanDays), gigabytes };
}

/** `older than 30 days, over 2.0 GB`. */
export function limitsInWords({ olderThanDays, overBytes }: PruneLimits): string {
  const age = olderThanDays === null ? [] : [`older than ${counted(olderThanDays, 'day')}`];
  const size = overBytes === null ? [] : [`over ${formatBytes(overBytes)} in total`];
  return [...age, ...size].join(', ');
}

/** Sessions that exceed the limits and stay. There is at least one. */
export function inUseInWords(count: number): string {
  const which = count === 1 ? '1 session exceeds the limits and stays' : `${count} sessions exceed the limits and stay`;
  return `${which}: another window or command has ${count === 1 ? 'it' : 'them'} open.`;
}

/** Whether these limits may apply at each start: they must always leave something. */
export function canLast({ olderThanDays, overBytes }: PruneLimits): boolean {
  return olderThanDays !== 0 && overBytes !== 0;
}

export function isSet(limits: PruneLimits): boolean {
  return limits.olderThanDays !== null || limits.overBytes !== null;
}

/**
 * What the setting becomes when the fields are left with these texts: off without limits, as it was if they are bad.
 */
export function lastingLimits(days: string, gigabytes: string, before: PruneLimits): PruneLimits {
  if (days.trim() === '' && gigabytes.trim() === '') return NO_PRUNING;
  const limits = limitsOf(days, gigabytes);
  return limits !== null && canLast(limits) ? limits : before;
}

/** Count and size of sessions: `3 sessions (1.2 GB)`. */
export function sessionsTotal(sessions: readonly RemovedSession[]): string {
  const bytes = sessions.reduce((sum, each) => sum + each.bytes, 0);
  return (
    `${sessions.length.toLocaleString('en')} ${sessions.length === 1 ? 'session' : 'sessions'} ` +
    `(${formatBytes(bytes)})`
  );
}

/**
 * Deletes these sessions one after the other, until one can't be deleted, which a toast reports. Resolves with those
 * that are gone; `onChange` is called with the sessions that are left.
 */
export async function deleteSessions(
  app: App,
  doomed: readonly SessionEntry[],
  onChange: (left: SessionEntry[]) => void,
): Promise<SessionEntry[]> {
  const gone: SessionEntry[] = [];
  for (const each of doomed) {
    const left = await attempt(app, () => app.api.request('sessions.remove', { path: each.path }));
    if (left === null) break;
    onChange(left.sessions);
    gone.push(each);
  }
  return gone;
}
