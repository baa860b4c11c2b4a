import * as v from 'valibot';

/**
 * What this machine and its network announce about proxies, for a user who sets one up. None of it was tested or
 * fetched.
 */
export const ProxyHintsSchema = v.object({
  /**
   * Whose settings name a proxy, and which one: `http://proxy.test:3128`, or the URL of a PAC file; null: none. No
   * login is in it.
   */
  system: v.nullable(v.object({ from: v.string(), names: v.string() })),
  /** Whose settings enable proxy detection (WPAD); null: none. */
  detectBy: v.nullable(v.string()),
  /**
   * Where this network seems to have a PAC file: its DHCP server names one, or the host `wpad` of its domain has an
   * address. Or null.
   */
  wpadPlace: v.nullable(v.string()),
});
export type ProxyHints = v.InferOutput<typeof ProxyHintsSchema>;
