import * as v from 'valibot';
import { FailureSchema } from '../failure.ts';

/** The result of testing the upstream proxy's settings. */
export const ProxyTestSchema = v.object({
  /**
   * `works`: a tunnel was established. `answers`: the proxy accepted us, but not that target. `fails`: these settings
   * can't be used.
   */
  state: v.picklist(['works', 'answers', 'fails']),
  /** The proxy chosen for the target, `http://proxy.test:3128`; null: none. */
  via: v.nullable(v.string()),
  /** Why that one; empty if none could be chosen. */
  reason: v.string(),
  failure: v.nullable(FailureSchema),
  milliseconds: v.number(),
});
export type ProxyTest = v.InferOutput<typeof ProxyTestSchema>;
