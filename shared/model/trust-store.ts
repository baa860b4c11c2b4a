import * as v from 'valibot';

/** Names as the command line takes them (`roundtrip ca install --store NAME`). */
export const TRUST_STORES = ['system', 'nss', 'firefox', 'keychain', 'windows', 'java'] as const;
export const TrustStoreNameSchema = v.picklist(TRUST_STORES);
export type TrustStoreName = v.InferOutput<typeof TrustStoreNameSchema>;

/** One place that may trust our CA, as a probe just found it; never remembered. */
export const TrustStoreStatusSchema = v.object({
  store: TrustStoreNameSchema,
  /** `Chromium (NSS)`, `macOS login keychain`. */
  label: v.string(),
  /** `stale`: it trusts an older CA of ours. `unavailable`: can't be probed or changed here; `detail` says why. */
  state: v.picklist(['trusted', 'not-trusted', 'stale', 'unavailable']),
  /** What was looked at, or what is missing: a path, a command, a package to install. */
  detail: v.string(),
});
export type TrustStoreStatus = v.InferOutput<typeof TrustStoreStatusSchema>;

/** What one install or removal did, store by store. */
export const TrustChangeSchema = v.object({
  store: TrustStoreNameSchema,
  ok: v.boolean(),
  /** Exactly what was done, or why it was not and what to do. */
  message: v.string(),
});
export type TrustChange = v.InferOutput<typeof TrustChangeSchema>;
