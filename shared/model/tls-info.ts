import * as v from 'valibot';

export const CertificateInfoSchema = v.object({
  subject: v.string(),
  issuer: v.string(),
  /** `DNS:a.test`, `IP Address:127.0.0.1`, in the certificate's order. */
  altNames: v.array(v.string()),
  serialNumber: v.string(),
  /** ISO 8601, UTC. */
  notBefore: v.string(),
  notAfter: v.string(),
  /** SHA-256, colon-separated upper-case hex pairs. */
  fingerprint: v.string(),
  /** `rsa`, `ec`, `ed25519`; absent in sessions of an older version, as are the bits. */
  keyType: v.optional(v.string()),
  /** Of an RSA key. */
  keyBits: v.optional(v.number()),
  /** Certificates that the server sent, including this one, and their bytes; absent if only this one was read. */
  chainLength: v.optional(v.number()),
  chainBytes: v.optional(v.number()),
});
export type CertificateInfo = v.InferOutput<typeof CertificateInfoSchema>;

/** The result of a completed TLS handshake, on either side of Roundtrip. */
export const TlsInfoSchema = v.object({
  /** `TLSv1.2`, `TLSv1.3`. */
  version: v.string(),
  /** The suite's standard name, `TLS_AES_128_GCM_SHA256`. */
  cipher: v.string(),
  /** The protocol that ALPN chose, or null if none was offered or chosen. */
  alpn: v.nullable(v.string()),
  /** The server name the client asked for (SNI), or null. */
  serverName: v.nullable(v.string()),
  /** Whether the session was resumed. */
  resumed: v.boolean(),
  /** The server's certificate as upstream sent it; null on the client's side, where it is our leaf. */
  certificate: v.nullable(CertificateInfoSchema),
});
export type TlsInfo = v.InferOutput<typeof TlsInfoSchema>;
