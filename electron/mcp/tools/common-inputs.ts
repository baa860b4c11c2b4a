import * as v from 'valibot';

/** Inputs that several tools share. Descriptions cost every agent tokens: one is enough for all. */
export const Query = v.optional(v.pipe(v.string(), v.maxLength(2000)), '');
export const Session = v.optional(v.pipe(v.string(), v.maxLength(64)));
export const Id = v.pipe(v.number(), v.integer(), v.minValue(1));
export const Side = v.optional(v.picklist(['request', 'response']), 'response');

export function count(most: number, otherwise: number) {
  return v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)), otherwise);
}
