import * as v from 'valibot';

/** A matcher or a step of HTTP Toolkit. */
export const HtkPartSchema = v.looseObject({ type: v.string(), uiType: v.optional(v.string()) });
export type HtkPart = v.InferOutput<typeof HtkPartSchema>;
