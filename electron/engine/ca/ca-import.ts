import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type Forge from 'node-forge';
import { describe, roundtripError } from '../../failures/errors.ts';
import { checkedPair, type Pair } from './ca-files.ts';
import { type Der, fromBytes, parts, sequence, toPem } from './der.ts';
import { certificatesIn } from './system-roots.ts';

/**
 * Leaves are signed with SHA-256; Electron's BoringSSL refuses other keys in a chain (docs/architecture.md,
 * "Decisions").
 */
const CURVES = new Set(['prime256v1', 'secp384r1']);
const LEAST_RSA_BITS = 2048;

interface Material {
  certificates: string[];
  key: KeyObject;
}

function fromPem(texts: readonly string[], passphrase: string): Material {
  const text = texts.join('\n');
  const block = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/.exec(text)?.[0];
  const sealed = /-----BEGIN ENCRYPTED PRIVATE KEY-----[^-]+-----END ENCRYPTED PRIVATE KEY-----/.exec(text)?.[0];
  const pem = sealed ?? block;
  if (pem === undefined) throw new Error('no private key was found in it');
  return { certificates: certificatesIn(text), key: createPrivateKey({ key: pem, format: 'pem', passphrase }) };
}

/** Returns the bag's raw bytes: forge can't parse a certificate for an elliptic-curve key, but Node can. */
function certificateOf({ pki, asn1 }: typeof Forge, bag: Forge.pkcs12.Bag): string[] {
  const der = bag.cert ? pki.certificateToAsn1(bag.cert) : bag.asn1;
  return der ? [toPem('CERTIFICATE', Buffer.from(asn1.toDer(der).getBytes(), 'latin1'))] : [];
}

function keyOf({ pki, asn1 }: typeof Forge, bag: Forge.pkcs12.Bag): KeyObject {
  const der = bag.key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(bag.key)) : bag.asn1;
  return createPrivateKey({ key: Buffer.from(asn1.toDer(der).getBytes(), 'latin1'), format: 'der', type: 'pkcs8' });
}

/**
 * forge uses one encoding of the passphrase for both the MAC and the encryption, but a non-ASCII passphrase needs two
 * (`pkcs12.ts`). In that case this skips the MAC: a wrong passphrase decrypts nothing, and the key is checked against
 * its certificate afterwards.
 */
function openPkcs12({ pkcs12, util }: typeof Forge, file: Der, passphrase: string): Forge.pkcs12.Pkcs12Pfx {
  if (/^[\x20-\x7e]*$/.test(passphrase)) return pkcs12.pkcs12FromAsn1(file, false, passphrase);
  return pkcs12.pkcs12FromAsn1(sequence(...parts(file).slice(0, 2)), false, util.encodeUtf8(passphrase));
}

async function fromPkcs12(bytes: Buffer, passphrase: string): Promise<Material> {
  const { default: forge } = await import('node-forge');
  const file = openPkcs12(forge, fromBytes(bytes), passphrase);
  const bags = file.safeContents.flatMap((content) => content.safeBags);
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids;
  const keys = bags.filter(({ type }) => type === keyBag || type === pkcs8ShroudedKeyBag);
  if (keys[0] === undefined) throw new Error('no private key was found in it');
  return {
    certificates: bags.filter(({ type }) => type === certBag).flatMap((bag) => certificateOf(forge, bag)),
    key: keyOf(forge, keys[0]),
  };
}

function checkKey(key: KeyObject): void {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') {
    if ((modulusLength ?? 0) >= LEAST_RSA_BITS) return;
    throw new Error(`its RSA key has ${modulusLength} bits, and clients require ${LEAST_RSA_BITS} or more`);
  }
  if (key.asymmetricKeyType === 'ec' && CURVES.has(namedCurve ?? '')) return;
  const kind = namedCurve ? `a key on ${namedCurve}` : `a key of type ${key.asymmetricKeyType}`;
  throw new Error(`it has ${kind}, which not all clients accept: use RSA, P-256 or P-384`);
}

function pairOf({ certificates, key }: Material, now: number): Pair {
  checkKey(key);
  const certificate = certificates.find((pem) => new X509Certificate(pem).checkPrivateKey(key));
  if (certificate === undefined) throw new Error('none of its certificates matches its private key');
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const pair = checkedPair(keyPem, `${certificate.trim()}\n`);
  if (Date.parse(new X509Certificate(certificate).validTo) <= now) throw new Error('its certificate has expired');
  return pair;
}

function looksLikePem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}

/**
 * Reads the key and certificate of a user's own CA from PEM files (one or several, in any order) or one PKCS#12 file.
 * `passphrase`: empty if there is none. Rejects with `ca.import-refused` and the reason.
 */
export async function readCaMaterial(files: readonly Buffer[], passphrase: string, now = Date.now()): Promise<Pair> {
  try {
    const [first] = files;
    if (first === undefined) throw new Error('no file was given');
    if (files.every(looksLikePem))
      return pairOf(
        fromPem(
          files.map((bytes) => bytes.toString('latin1')),
          passphrase,
        ),
        now,
      );
    return pairOf(await fromPkcs12(first, passphrase), now);
  } catch (error) {
    throw roundtripError('ca.import-refused', { detail: describe(error) });
  }
}
