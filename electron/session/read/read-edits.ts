import type { SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import { type SessionEdits, UserMarkSchema } from '../../../shared/model/edits/session-edits.ts';

type Rows = Record<string, SQLOutputValue>[];

/**
 * Rows of `exchange` that no edit hides. The ranges of `removed` do not overlap: the one that begins last before a row
 * is the only one that may hold it.
 */
export const NOT_REMOVED = `coalesce(
  (SELECT last FROM removed WHERE first <= exchange.id ORDER BY first DESC LIMIT 1), -1) < exchange.id`;

/** Damaged marks are left out: they must not prevent reading the others. */
export function editsOf(removed: Rows, marks: Rows): SessionEdits {
  return {
    removed: removed.map(({ first, last }) => ({ first: Number(first), last: Number(last) })),
    marks: marks.flatMap(({ exchange, pinned, colour, note }) => {
      const mark = v.safeParse(UserMarkSchema, { pinned: pinned === 1, colour, note });
      return mark.success ? [{ id: Number(exchange), mark: mark.output }] : [];
    }),
  };
}
