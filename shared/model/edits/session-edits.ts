import * as v from 'valibot';
import { MARK_COLOURS } from '../rule/actions.ts';

const Id = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Exchanges from `first` to `last`, both included. */
export const IdRangeSchema = v.strictObject({ first: Id, last: Id });
export type IdRange = v.InferOutput<typeof IdRangeSchema>;

/** What a user noted about an exchange. */
export const UserMarkSchema = v.strictObject({
  /** It stays at the top of the list, regardless of the filter. */
  pinned: v.boolean(),
  colour: v.nullable(v.picklist(MARK_COLOURS)),
  note: v.pipe(v.string(), v.maxLength(10_000)),
});
export type UserMark = v.InferOutput<typeof UserMarkSchema>;

export const NO_MARK: UserMark = { pinned: false, colour: null, note: '' };

const Ids = v.pipe(v.array(Id), v.minLength(1), v.maxLength(10_000));

/** A change of a session's rows, which is kept in its file. */
export const SessionEditSchema = v.variant('kind', [
  /** Hides exchanges. */
  v.strictObject({ kind: v.literal('remove'), ids: Ids }),
  /** Hides all exchanges up to an id. Those that were hidden before are permanently deleted. */
  v.strictObject({ kind: v.literal('clear'), upTo: Id }),
  /** Shows hidden exchanges again. */
  v.strictObject({ kind: v.literal('restore'), ranges: v.pipe(v.array(IdRangeSchema), v.minLength(1)) }),
  /** Replaces the marks of exchanges. */
  v.strictObject({ kind: v.literal('mark'), ids: Ids, mark: UserMarkSchema }),
]);
export type SessionEdit = v.InferOutput<typeof SessionEditSchema>;

/** What users did to the rows of a session; the recorded data stays unchanged. */
export const SessionEditsSchema = v.object({
  /** Rows that are hidden and can be restored. Ascending, without overlap. */
  removed: v.array(IdRangeSchema),
  marks: v.array(v.object({ id: Id, mark: UserMarkSchema })),
});
export type SessionEdits = v.InferOutput<typeof SessionEditsSchema>;
