import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { UserMark } from '../../../shared/model/edits/session-edits.ts';
import type { SessionReader } from './session-reader.ts';

/** By exchange. */
export type UserMarks = ReadonlyMap<number, UserMark>;

/** What users noted about the exchanges of a session. */
export function userMarksOf(reader: SessionReader): UserMarks {
  return new Map(reader.edits().marks.map(({ id, mark }) => [id, mark]));
}

/** A user may have noted a secret. */
export function withoutSecrets(mark: UserMark | null, redactor: Redactor | null): UserMark | null {
  return mark && redactor ? { ...mark, note: redactor.text(mark.note) } : mark;
}
