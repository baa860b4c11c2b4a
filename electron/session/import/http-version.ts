import type { Protocol } from '../../../shared/model/connection.ts';

/** `HTTP/2.0` for `http/2.0`, `HTTP/2` and `h2`; empty if unknown. */
export function httpVersionOf(text: string): string {
  const [, digits] = /^(?:http\/|h)([\d.]+)/i.exec(text.trim()) ?? [];
  if (digits === undefined) return '';
  return `HTTP/${digits.includes('.') ? digits : `${digits}.0`}`;
}

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'HTTP/1.0': 'http/1.0',
  'HTTP/1.1': 'http/1.1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

export function protocolOf(httpVersion: string): Protocol {
  return PROTOCOLS[httpVersion] ?? 'unknown';
}
