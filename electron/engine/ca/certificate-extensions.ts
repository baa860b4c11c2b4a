import { createHash, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bits,
  boolean,
  type Der,
  fromBytes,
  integer,
  objectId,
  octets,
  parts,
  sequence,
  tagged,
  toBytes,
} from './der.ts';

function extension(oid: string, critical: boolean, value: Der): Der {
  const wrapped = octets(toBytes(value));
  return critical ? sequence(objectId(oid), boolean(true), wrapped) : sequence(objectId(oid), wrapped);
}

export function basicConstraints(ca: boolean): Der {
  return extension('2.5.29.19', true, ca ? sequence(boolean(true), integer(Buffer.of(0))) : sequence());
}

/** RFC 5280, section 4.2.1.3. Bit 0 is the highest: digitalSignature 0x80, keyCertSign 0x04, cRLSign 0x02. */
export function keyUsage(of: 'ca' | 'leaf'): Der {
  return extension('2.5.29.15', true, of === 'ca' ? bits(Buffer.of(0x06), 1) : bits(Buffer.of(0x80), 7));
}

export function serverAuthentication(): Der {
  return extension('2.5.29.37', false, sequence(objectId('1.3.6.1.5.5.7.3.1')));
}

export function subjectKeyIdentifier(id: Buffer): Der {
  return extension('2.5.29.14', false, octets(id));
}

export function authorityKeyIdentifier(id: Buffer): Der {
  return extension('2.5.29.35', false, sequence(tagged(0, id.toString('latin1'))));
}

/** The URL parser normalizes an IPv6 address to its shortest hexadecimal form (embedded IPv4 included). */
function ipv6Groups(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail ?? '')];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function ipBytes(address: string): string {
  const bytes =
    isIP(address) === 4
      ? address.split('.').map(Number)
      : ipv6Groups(address).flatMap((group) => [group >> 8, group & 0xff]);
  return String.fromCharCode(...bytes);
}

/**
 * `names`: without brackets or zone; an IP literal becomes an iPAddress. Critical if the subject is empty (4.2.1.6).
 */
export function subjectAltName(names: readonly string[], critical: boolean): Der {
  const entries = names.map((name) => (isIP(name) === 0 ? tagged(2, name) : tagged(7, ipBytes(name))));
  return extension('2.5.29.17', critical, sequence(...entries));
}

/** RFC 5280, section 4.2.1.2, method 1: SHA-1 of the key's bits, without tag, length and unused bits. */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const info = fromBytes(publicKey.export({ type: 'spki', format: 'der' }));
  const key = parts(info)[1] as { bitStringContents?: string; value: unknown };
  const content = key.bitStringContents ?? (typeof key.value === 'string' ? key.value : '');
  return createHash('sha1').update(Buffer.from(content, 'latin1').subarray(1)).digest();
}
