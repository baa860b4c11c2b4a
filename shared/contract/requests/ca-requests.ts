import * as v from 'valibot';
import { FailureSchema } from '../../model/failure.ts';
import { CertificateInfoSchema } from '../../model/tls-info.ts';
import { StoreSelectorSchema, TrustChangeSchema, TrustStoreStatusSchema } from '../../model/trust-store.ts';
import { SavedFileSchema } from '../saved-file.ts';
import { Nothing } from './request-parts.ts';

export const CaStatusSchema = v.object({
  certificate: CertificateInfoSchema,
  /** The PEM file for programs that take a CA file. */
  path: v.string(),
  /** `replace`: the user's own CA, close to expiry, which only the user can renew. */
  life: v.picklist(['fresh', 'renew', 'replace']),
  /** What the user needs to know about it: renewed, close to expiry, changed on disk. */
  notices: v.array(FailureSchema),
  stores: v.array(TrustStoreStatusSchema),
});
export type CaStatus = v.InferOutput<typeof CaStatusSchema>;

const Stores = v.strictObject({ stores: v.array(StoreSelectorSchema) });

const StoresChanged = v.object({ changes: v.array(TrustChangeSchema), status: CaStatusSchema });

/** Base64 of a key, a certificate, or both; together well below the limit of a message. */
const CaFile = v.pipe(v.string(), v.maxLength(96 * 1024), v.base64());

const Passphrase = v.pipe(v.string(), v.maxLength(1024));

/** Requests about the CA and the stores that trust it. */
export const CA_REQUESTS = {
  /** `stores`: which to probe; default: all. To read Java's, its keytool has to run. */
  'ca.status': { input: v.strictObject({ stores: v.optional(Stores.entries.stores) }), output: CaStatusSchema },
  /** `p12` holds the private key and requires a passphrase; the other forms are the certificate alone. */
  'ca.export': {
    input: v.strictObject({ form: v.picklist(['pem', 'der', 'p12', 'android', 'ios']), passphrase: Passphrase }),
    output: SavedFileSchema,
  },
  'ca.install': { input: Stores, output: StoresChanged },
  /** Also removes our earlier CAs. */
  'ca.uninstall': { input: Stores, output: StoresChanged },
  /** A new certificate for the same key. */
  'ca.renew': { input: Nothing, output: CaStatusSchema },
  /** A new key and certificate. Clients must trust the new certificate. */
  'ca.rotate': { input: Nothing, output: CaStatusSchema },
  /** The user's own CA: PEM files (key and certificate, together or apart) or one PKCS#12. */
  'ca.import': {
    input: v.strictObject({
      files: v.pipe(v.array(CaFile), v.minLength(1), v.maxLength(2)),
      passphrase: Passphrase,
    }),
    output: CaStatusSchema,
  },
} as const;
