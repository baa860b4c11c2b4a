import * as v from 'valibot';
import { FailureSchema } from '../failure.ts';

/** What trying the upstream proxy's settings found. */
export const ProxyTestSchema = v.object({
  /**
   * `works`: a tunnel stood. `answers`: the proxy let us in, but not to that target. `fails`: it can't be used like
   * this.
   */
  state: v.picklist(['works', 'answers', 'fails']),
  /** The proxy decided on for the target, `http://proxy.test:3128`; null: none. */
  via: v.nullable(v.string()),
  /** Why that one; empty if it could not be decided. */
  reason: v.string(),
  failure: v.nullable(FailureSchema),
  milliseconds: v.number(),
});
export type ProxyTest = v.InferOutput<typeof ProxyTestSchema>;
