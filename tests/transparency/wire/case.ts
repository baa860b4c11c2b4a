import type { Step } from './script.ts';

/**
 * One exchange, or several on one connection, as the scripts of its two ends. In what is sent `{host}` stands for the
 * origin's authority, and `{target}` before a path for what a request target says before it (nothing, or `http://host`
 * to a proxy).
 */
export interface WireCase {
  name: string;
  client: Step[];
  origin: Step[];
}

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

export function get(fields = '', target = '/'): string {
  return `GET {target}${target} HTTP/1.1\r\nHost: {host}\r\n${fields}\r\n`;
}

/** One request, one response. */
export function simple(name: string, request: string, response: string = OK): WireCase {
  return { name, client: [{ send: request }, 'all'], origin: ['all', { send: response }] };
}

/** One request whose response ends with the connection. */
export function closing(
  name: string,
  request: string,
  response: string,
  end: 'end' | 'destroy' | 'reset' = 'end',
): WireCase {
  return { name, client: [{ send: request }, 'ended'], origin: ['all', { send: response }, end] };
}
