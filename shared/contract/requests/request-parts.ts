import * as v from 'valibot';

export const Nothing = v.strictObject({});
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * The session that a request is about: the `id` of its SessionInfo. A session that is not open is refused with
 * `session.not-open`.
 */
export const Session = v.pipe(v.string(), v.maxLength(64));
