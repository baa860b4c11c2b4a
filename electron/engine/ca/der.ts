/// <reference path="./forge-asn1.d.ts" />
import type forge from 'node-forge';
// A quarter of node-forge: the engine needs no more, and parses it at each start.
import asn1 from 'node-forge/lib/asn1.js';

export type Der = forge.asn1.Asn1;

const { Class, Type } = asn1;

export function sequence(...parts: Der[]): Der {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
}

export function set(...parts: Der[]): Der {
  return asn1.create(Class.UNIVERSAL, Type.SET, true, parts);
}

function primitive(type: forge.asn1.Type, bytes: string): Der {
  return asn1.create(Class.UNIVERSAL, type, false, bytes);
}

export function objectId(oid: string): Der {
  return primitive(Type.OID, asn1.oidToDer(oid).getBytes());
}

/** An integer from its big-endian bytes; the caller ensures that it is positive and minimally encoded. */
export function integer(bytes: Buffer): Der {
  return primitive(Type.INTEGER, bytes.toString('latin1'));
}

export function boolean(value: boolean): Der {
  return primitive(Type.BOOLEAN, value ? '\xff' : '\x00');
}

export function nothing(): Der {
  return primitive(Type.NULL, '');
}

export function utf8String(text: string): Der {
  return primitive(Type.UTF8, Buffer.from(text, 'utf8').toString('latin1'));
}

export function octets(bytes: Buffer): Der {
  return primitive(Type.OCTETSTRING, bytes.toString('latin1'));
}

/** A bit string without its last `unused` bits. */
export function bits(bytes: Buffer, unused = 0): Der {
  return primitive(Type.BITSTRING, String.fromCharCode(unused) + bytes.toString('latin1'));
}

/** `[tag]` around parts, or over plain bytes. */
export function tagged(tag: number, content: Der[] | string): Der {
  return asn1.create(Class.CONTEXT_SPECIFIC, tag, typeof content !== 'string', content);
}

/** RFC 5280, section 4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
export function time(date: Date): Der {
  return date.getUTCFullYear() < 2050
    ? primitive(Type.UTCTIME, asn1.dateToUtcTime(date) as string)
    : primitive(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(date) as string);
}

export function toBytes(der: Der): Buffer {
  return Buffer.from(asn1.toDer(der).getBytes(), 'latin1');
}

export function fromBytes(bytes: Buffer): Der {
  return asn1.fromDer(bytes.toString('latin1'));
}

/** The parts of a constructed value; throws if the value is not constructed. */
export function parts(der: Der | undefined): Der[] {
  if (der === undefined || typeof der.value === 'string')
    throw new TypeError('ASN.1: a constructed value was expected');
  return der.value;
}

export function toPem(label: 'CERTIFICATE', bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
