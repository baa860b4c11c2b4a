import * as v from 'valibot';

/** The proxy that this user's desktop tells its programs of, as it was just read. */
export const SystemProxyStatusSchema = v.object({
  /**
   * `on`: it is ours, and what it was is kept. `overruled`: we set it, and another program or the user has changed it
   * since. `unavailable`: it can't be set here; `detail` says why.
   */
  state: v.picklist(['off', 'on', 'overruled', 'unavailable']),
  /** `GNOME`, `macOS`, `Windows`. */
  label: v.string(),
  /** What it is set to, or why it can't be. */
  detail: v.string(),
});
export type SystemProxyStatus = v.InferOutput<typeof SystemProxyStatusSchema>;
