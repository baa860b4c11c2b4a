import * as v from 'valibot';

/** An upstream proxy's response in place of a tunnel. */
export const ProxyResponseSchema = v.object({
  status: v.number(),
  statusText: v.string(),
  /** Empty if it named none. */
  contentType: v.string(),
  /** Its first 16 KiB as text. */
  body: v.string(),
});
export type ProxyResponse = v.InferOutput<typeof ProxyResponseSchema>;

/** The route upstream of an exchange. */
export const UpstreamRouteSchema = v.object({
  /** The chosen proxy, `http://proxy.test:3128`, without credentials; null: directly to the origin. */
  via: v.nullable(v.string()),
  /** Which setting, rule or script decided it, in words: `The PAC file returned PROXY proxy.test:3128`. */
  reason: v.string(),
  /** The name that session files have for it. */
  answer: v.nullable(ProxyResponseSchema),
  /** What the host's own rules changed, the pattern that names the host first; null: none apply. */
  override: v.nullable(v.string()),
});
export type UpstreamRoute = v.InferOutput<typeof UpstreamRouteSchema>;
