import * as v from 'valibot';

/** The recorded exchange whose request was sent again. */
export const ReplayOfSchema = v.object({
  /** The id of its session, which may be another one. */
  session: v.string(),
  exchange: v.number(),
});
export type ReplayOf = v.InferOutput<typeof ReplayOfSchema>;

/** `configured`: as the settings say, like any client's request. `direct`: without the upstream proxy. */
export const ReplayRouteSchema = v.picklist(['configured', 'direct']);
export type ReplayRoute = v.InferOutput<typeof ReplayRouteSchema>;
