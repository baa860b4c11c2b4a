import * as v from 'valibot';

/** Kinds of stores, as the command line names them (`roundtrip ca install --store NAME`). */
export const TRUST_STORES = ['system', 'nss', 'firefox', 'keychain', 'windows', 'java', 'environment'] as const;
export const TrustStoreNameSchema = v.picklist(TRUST_STORES);
export type TrustStoreName = v.InferOutput<typeof TrustStoreNameSchema>;

/** All stores of a kind by its name, or one of them by its id: `nss`, `nss:/home/a/.pki/nssdb`. */
export const StoreSelectorSchema = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.regex(new RegExp(`^(?:${TRUST_STORES.join('|')})(?::.+)?$`)),
);

/** One place that may trust our CA, as a probe just found it; never remembered. */
export const TrustStoreStatusSchema = v.object({
  /** Identifies this store: its kind, and its place if there are several of that kind. */
  id: v.string(),
  store: TrustStoreNameSchema,
  /** `Chromium (~/.pki/nssdb)`, `macOS login keychain`. */
  label: v.string(),
  /** `stale`: it trusts an older CA of ours. `unavailable`: can't be probed or changed here; `detail` says why. */
  state: v.picklist(['trusted', 'not-trusted', 'stale', 'unavailable']),
  /** What was looked at, or what is missing: a path, a command, a package to install. */
  detail: v.string(),
  /** Whose consent a change needs: none, the user's (a prompt), an administrator's. `none`: we can't change it. */
  needs: v.picklist(['nobody', 'user', 'administrator', 'none']),
});
export type TrustStoreStatus = v.InferOutput<typeof TrustStoreStatusSchema>;

/** What one install or removal did, store by store. */
export const TrustChangeSchema = v.object({
  id: v.string(),
  store: TrustStoreNameSchema,
  label: v.string(),
  ok: v.boolean(),
  /** Exactly what was done and how it was verified, or why it was not and what to do. */
  message: v.string(),
});
export type TrustChange = v.InferOutput<typeof TrustChangeSchema>;
