import * as v from 'valibot';

/** `note`: what the file lacks, as sentences; null if it is complete. */
const Saved = { bytes: v.number(), exchanges: v.number(), note: v.nullable(v.string()) };

/**
 * How a file reached the user: saved where a dialog chose, ready at a download address of the web host, or not at all.
 */
export const SavedFileSchema = v.variant('status', [
  v.object({ status: v.literal('cancelled') }),
  v.object({ status: v.literal('saved'), path: v.string(), ...Saved }),
  v.object({ status: v.literal('ready'), url: v.string(), ...Saved }),
]);
export type SavedFile = v.InferOutput<typeof SavedFileSchema>;
