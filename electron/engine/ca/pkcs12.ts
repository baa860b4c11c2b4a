import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import type Forge from 'node-forge';
import type { Pair } from './ca-files.ts';
import { type Der, fromBytes, integer, nothing, objectId, octets, sequence, set, tagged, toBytes } from './der.ts';

/** RFC 7292, section 4; RFC 2985, section 5.5; RFC 5652, section 4. */
const OID = {
  data: '1.2.840.113549.1.7.1',
  keyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
  localKeyId: '1.2.840.113549.1.9.21',
  sha1: '1.3.14.3.2.26',
};

/** OpenSSL's default. Only the passphrase protects a file that others may obtain. */
const ITERATIONS = 2048;
const SALT_BYTES = 16;
/** "ID" for a MAC key (RFC 7292, appendix B.3), and SHA-1's length. The MAC uses SHA-1, which every reader supports. */
const MAC_KEY = 3;
const MAC_BYTES = 20;

function contentInfo(content: Der): Der {
  return sequence(objectId(OID.data), tagged(0, [octets(toBytes(content))]));
}

/** `localKeyId` tells a reader which certificate is the key's. */
function bag(oid: string, value: Der, localKeyId: Buffer): Der {
  const attribute = sequence(objectId(OID.localKeyId), set(octets(localKeyId)));
  return sequence(objectId(oid), tagged(0, [value]), set(attribute));
}

function macOf({ pkcs12, hmac, md, util }: typeof Forge, content: Buffer, passphrase: string): Der {
  const salt = randomBytes(SALT_BYTES);
  const from = util.createBuffer(salt.toString('latin1'));
  const key = pkcs12.generateKey(passphrase, from, MAC_KEY, ITERATIONS, MAC_BYTES);
  const mac = hmac.create();
  mac.start(md.sha1.create(), key);
  mac.update(content.toString('latin1'));
  const digest = octets(Buffer.from(mac.digest().getBytes(), 'latin1'));
  const count = Buffer.from([ITERATIONS >> 8, ITERATIONS & 0xff]);
  return sequence(sequence(sequence(objectId(OID.sha1), nothing()), digest), octets(salt), integer(count));
}

/**
 * Key and certificate as one PKCS#12 file (RFC 7292). The key is encrypted with AES-256 (PBES2, RFC 8018); the
 * certificate is public and stays unencrypted. Implemented here because forge's version supports only RSA keys.
 */
export async function pkcs12File({ certificatePem, keyPem }: Pair, passphrase: string): Promise<Buffer> {
  const { default: forge } = await import('node-forge');
  const certificate = new X509Certificate(certificatePem);
  const id = Buffer.from(certificate.fingerprint.replaceAll(':', ''), 'hex');
  const plain = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' });
  const options = { algorithm: 'aes256', count: ITERATIONS, saltSize: SALT_BYTES } as const;
  // UTF-8 for the key, UTF-16 for the MAC, which forge encodes itself (RFC 8018, section 3; RFC 7292, appendix B.1).
  const sealed = forge.pki.encryptPrivateKeyInfo(fromBytes(plain), forge.util.encodeUtf8(passphrase), options);
  const inBag = sequence(objectId(OID.x509), tagged(0, [octets(certificate.raw)]));
  const contents = toBytes(
    sequence(
      contentInfo(sequence(bag(OID.certificateBag, inBag, id))),
      contentInfo(sequence(bag(OID.keyBag, sealed, id))),
    ),
  );
  const authenticated = sequence(objectId(OID.data), tagged(0, [octets(contents)]));
  return toBytes(sequence(integer(Buffer.from([3])), authenticated, macOf(forge, contents, passphrase)));
}
