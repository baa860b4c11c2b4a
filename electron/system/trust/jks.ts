import { createHash } from 'node:crypto';

/**
 * The JKS format: a magic number, a version, the number of entries, the entries, and a digest. It is documented by the
 * JDK's source alone (`sun.security.provider.JavaKeyStore`). Numbers are big-endian.
 */
const MAGIC = 0xfeedfeed;
const VERSION = 2;
/** The kind of an entry: a certificate that is trusted. */
const TRUSTED = 2;
/** Bytes of the SHA-1 digest at the end, and where the number of entries is. */
const DIGEST = 20;
const COUNT = 8;

function digestOf(content: Buffer, password: string): Buffer {
  // UTF-16, big-endian. The words are the format's own.
  const salt = Buffer.from(password, 'utf16le').swap16();
  return createHash('sha1').update(salt).update('Mighty Aphrodite').update(content).digest();
}

/** Java's `writeUTF`, for ASCII. */
function text(value: string): Buffer {
  const bytes = Buffer.alloc(2 + value.length);
  bytes.writeUInt16BE(value.length);
  bytes.write(value, 2, 'latin1');
  return bytes;
}

function entryOf(alias: string, certificate: Buffer): Buffer {
  const kind = Buffer.alloc(4);
  kind.writeUInt32BE(TRUSTED);
  const date = Buffer.alloc(8);
  date.writeBigInt64BE(BigInt(Date.now()));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(certificate.length);
  return Buffer.concat([kind, text(alias), date, text('X.509'), length, certificate]);
}

/**
 * The JKS keystore with one more trusted certificate. `alias`: in lower case, ASCII; an entry of that name is replaced.
 * `certificate`: DER. Null: the keystore has another format (PKCS#12 is the default since JDK 9) or another password.
 */
export function withTrusted(keystore: Buffer, alias: string, certificate: Buffer, password: string): Buffer | null {
  if (keystore.length < COUNT + 4 + DIGEST) return null;
  if (keystore.readUInt32BE(0) !== MAGIC || keystore.readUInt32BE(4) !== VERSION) return null;
  const content = keystore.subarray(0, -DIGEST);
  if (!digestOf(content, password).equals(keystore.subarray(-DIGEST))) return null;
  // Java reads the entries in order, and of two with one name it keeps the last.
  const longer = Buffer.concat([content, entryOf(alias, certificate)]);
  longer.writeUInt32BE(keystore.readUInt32BE(COUNT) + 1, COUNT);
  return Buffer.concat([longer, digestOf(longer, password)]);
}
