import * as v from 'valibot';

/** The proxy that this user's desktop gives its programs, as it was just read. */
export const SystemProxyStatusSchema = v.object({
  /**
   * `on`: it is ours, and the previous setting is kept. `overruled`: we set it, and another program or the user has
   * changed it since. `unavailable`: it can't be set here; `detail` has the reason.
   */
  state: v.picklist(['off', 'on', 'overruled', 'unavailable']),
  /** `GNOME`, `macOS`, `Windows`. */
  label: v.string(),
  /** What it is set to, or why it can't be. */
  detail: v.string(),
});
export type SystemProxyStatus = v.InferOutput<typeof SystemProxyStatusSchema>;
