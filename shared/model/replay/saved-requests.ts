import * as v from 'valibot';
import { FailureSchema } from '../failure.ts';
import { ComposedRequestSchema } from './composed-request.ts';

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** A name as it stands between `{{` and `}}`. */
const VariableName = v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/));

/** The file of saved requests, which users may edit and share. */
export const SavedRequestsSchema = v.strictObject({
  version: v.literal(1),
  variables: v.record(VariableName, v.pipe(v.string(), v.maxLength(16 * 1024))),
  requests: v.pipe(v.array(v.strictObject({ name: Name, request: ComposedRequestSchema })), v.maxLength(1000)),
});
export type SavedRequests = v.InferOutput<typeof SavedRequestsSchema>;

export const NO_SAVED_REQUESTS: SavedRequests = { version: 1, variables: {}, requests: [] };

/** The saved requests in use, and why their file can't be read, or null. */
export const SavedRequestStateSchema = v.object({
  path: v.string(),
  saved: SavedRequestsSchema,
  failure: v.nullable(FailureSchema),
});
export type SavedRequestState = v.InferOutput<typeof SavedRequestStateSchema>;
