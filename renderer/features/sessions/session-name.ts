import { momentOf } from '../../../shared/format/clock.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';

/** A path's last part: `login.har`. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/**
 * The name that Roundtrip gives a recording (`uniqueName`): the time in UTC, and a random suffix. A number follows if
 * it continues another one, and `copy` in the name of a duplicate.
 */
const GIVEN = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-[0-9a-f]{8}((?:-\d+| copy)*)$/;

/** `24 Nov 2026, 12:11:35`, in local time. `at`: milliseconds since the Unix epoch. */
export function readableTime(at: number): string {
  return momentOf(new Date(at));
}

/** The name of a session to read: the local date and time in place of a name that Roundtrip gave it. */
export function readableName(name: string): string {
  const [, hour, minute, second, rest, more = ''] = GIVEN.exec(name) ?? [];
  const time = Date.parse(`${hour}:${minute}:${second}.${rest}`);
  return Number.isNaN(time) ? name : readableTime(time) + more.replace(/-(\d+)/g, ' ($1)');
}

/**
 * An open session's name to read: its user's, or its file's without the extension (`login.roundtrip` becomes `login`).
 */
export function sessionName({ name, path }: Pick<SessionInfo, 'name' | 'path'>): string {
  return name ?? readableName(baseName(path).replace(/\.roundtrip$/, ''));
}
