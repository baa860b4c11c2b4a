import * as v from 'valibot';

/** What an upstream proxy answered in place of a tunnel. */
export const ProxyAnswerSchema = v.object({
  status: v.number(),
  statusText: v.string(),
  /** Empty if it named none. */
  contentType: v.string(),
  /** Its first 16 KiB as text. */
  body: v.string(),
});
export type ProxyAnswer = v.InferOutput<typeof ProxyAnswerSchema>;

/** The way upstream that was decided on for an exchange. */
export const UpstreamRouteSchema = v.object({
  /** The proxy decided on, `http://proxy.test:3128`, without credentials; null: straight to the origin. */
  via: v.nullable(v.string()),
  /** Which setting, rule or script decided it, for a person: `The PAC file returned PROXY proxy.test:3128`. */
  reason: v.string(),
  answer: v.nullable(ProxyAnswerSchema),
  /** What the host's own rules changed, the pattern that names the host first; null: none apply. */
  override: v.nullable(v.string()),
});
export type UpstreamRoute = v.InferOutput<typeof UpstreamRouteSchema>;
