import * as v from 'valibot';

/** Where secrets are found by their names. */
const PLACES = ['request header', 'response header', 'cookie', 'query', 'request body', 'response body'] as const;
export type SecretPlace = (typeof PLACES)[number];

/** One line of the preview: values of one name, or all that a pattern matched. Never the values. */
export const RedactionCountSchema = v.object({
  place: v.picklist([...PLACES, 'pattern', 'elsewhere']),
  name: v.string(),
  count: v.number(),
});
export type RedactionCount = v.InferOutput<typeof RedactionCountSchema>;
