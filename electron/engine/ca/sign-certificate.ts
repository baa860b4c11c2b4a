import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bits,
  type Der,
  fromBytes,
  integer,
  nothing,
  objectId,
  sequence,
  set,
  tagged,
  time,
  toBytes,
  utf8String,
} from './der.ts';

const ORGANIZATION = '2.5.4.10';
const COMMON_NAME = '2.5.4.3';

export const DAY = 24 * 60 * 60 * 1000;

export interface CertificateRequest {
  subject: Der;
  issuer: Der;
  /** SubjectPublicKeyInfo. */
  publicKey: Der;
  notBefore: Date;
  notAfter: Date;
  extensions: Der[];
}

function attribute(oid: string, value: string): Der {
  return set(sequence(objectId(oid), utf8String(value)));
}

/** A distinguished name: an organization, then a common name, each optional. */
export function distinguishedName(name: { organization?: string; commonName?: string }): Der {
  const attributes: Der[] = [];
  if (name.organization !== undefined) attributes.push(attribute(ORGANIZATION, name.organization));
  if (name.commonName !== undefined) attributes.push(attribute(COMMON_NAME, name.commonName));
  return sequence(...attributes);
}

/** 16 bytes, positive and without a leading zero byte: valid as the content of a DER integer. */
function randomSerial(): Der {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return integer(bytes);
}

function signatureAlgorithm(key: KeyObject): Der {
  return key.asymmetricKeyType === 'ec'
    ? sequence(objectId('1.2.840.10045.4.3.2'))
    : sequence(objectId('1.2.840.113549.1.1.11'), nothing());
}

/** SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7). */
export function publicKeyInfo(key: KeyObject): Der {
  return fromBytes(key.export({ type: 'spki', format: 'der' }));
}

/** The bytes to sign, and a function that returns the certificate's DER bytes for a signature. */
interface Unsigned {
  bytes: Buffer;
  signed(signature: Buffer): Buffer;
}

function unsignedCertificate(request: CertificateRequest, issuerKey: KeyObject): Unsigned {
  const algorithm = signatureAlgorithm(issuerKey);
  const unsigned = sequence(
    tagged(0, [integer(Buffer.of(2))]),
    randomSerial(),
    algorithm,
    request.issuer,
    sequence(time(request.notBefore), time(request.notAfter)),
    request.subject,
    request.publicKey,
    tagged(3, [sequence(...request.extensions)]),
  );
  return {
    bytes: toBytes(unsigned),
    signed: (signature) => toBytes(sequence(unsigned, algorithm, bits(signature))),
  };
}

/** The certificate's DER bytes. forge encodes the structure; OpenSSL signs it, because forge took 30 times as long. */
export function signCertificate(request: CertificateRequest, issuerKey: KeyObject): Buffer {
  const { bytes, signed } = unsignedCertificate(request, issuerKey);
  return signed(sign('sha256', bytes, issuerKey));
}

/**
 * Like `signCertificate`, but an RSA signature, which takes 0.4 ms, is made on Node's thread pool. A P-256 signature
 * takes less time than the hop to that thread. Rejects if signing fails.
 */
export async function signCertificateAside(request: CertificateRequest, issuerKey: KeyObject): Promise<Buffer> {
  if (issuerKey.asymmetricKeyDetails?.namedCurve === 'prime256v1') return signCertificate(request, issuerKey);
  return await new Promise((resolve, reject) => {
    const { bytes, signed } = unsignedCertificate(request, issuerKey);
    sign('sha256', bytes, issuerKey, (error, signature) => {
      if (error) reject(error);
      else resolve(signed(signature));
    });
  });
}

/** Signs with its own key. */
export function selfSignCertificate(request: Omit<CertificateRequest, 'publicKey' | 'issuer'>, key: KeyObject): Buffer {
  const publicKey = publicKeyInfo(createPublicKey(key));
  return signCertificate({ ...request, issuer: request.subject, publicKey }, key);
}
