import type { RawHeaders } from '../../../shared/model/headers.ts';
import { type HeadMemo, readFieldBlock } from './field-block.ts';
import { type ConnectionFields, keepsAlive, requestFraming } from './h1-framing.ts';
import { FramingError, type RequestLine } from './h1-head.ts';
import { proxiedHeadToOrigin, withoutProxyLogin } from './header-rules.ts';
import type { HttpVersion, RequestHead } from './message.ts';

/** What a connection's requests are about: a tunnel's target, or nothing on a connection to the proxy itself. */
export interface RequestContext extends HeadMemo {
  scheme: 'http' | 'https';
  /** Null on a connection to the proxy itself, where each request names its target. */
  target: { host: string; port: number } | null;
  /** What the request before named in Host: most of a connection's name the same. Kept here by the parser. */
  named?: { text: string; scheme: 'http' | 'https'; target: Target };
  /** What a request that names no target is to: the proxy itself, where it answers such. */
  itself?: { host: string; port: number } | null;
}

export interface Target {
  host: string;
  port: number;
}

const DEFAULT_PORT = { http: 80, https: 443 };
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;
// RFC 3986, section 3.2.2, as loosely as clients write names; brackets hold an IPv6 address. Nothing that makes two hosts of one.
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[^\0-\x20\x7f:[\]/?#@\\,]+)(?::(\d{1,5})?)?$/;

/**
 * `host[:port]` as host (IPv6 without brackets) and port; null where it is none. User information makes it none: senders
 * must not send it, and what does hides the host it means (RFC 9110, sections 4.2.1 and 4.2.4).
 */
export function parseAuthority(authority: string, defaultPort: number): Target | null {
  const parts = AUTHORITY.exec(authority);
  if (!parts) return null;
  const [, name = '', digits] = parts;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (port < 1 || port > 65_535) return null;
  return { host: name.startsWith('[') ? name.slice(1, -1) : name, port };
}

/** Whether both are there and name the same; case does not matter. */
export function sameTarget(one: Target | null, other: Target | null): boolean {
  if (!one || !other) return false;
  return one.port === other.port && one.host.toLowerCase() === other.host.toLowerCase();
}

/** `host[:port]`, IPv6 in brackets, the scheme's own port left out. */
export function formatAuthority(scheme: 'http' | 'https', host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === DEFAULT_PORT[scheme] ? name : `${name}:${port}`;
}

/** What Host names; null for none or an empty one. Throws for what is no host (RFC 9112, section 3.2). */
function hostOf(fields: Readonly<ConnectionFields>, scheme: 'http' | 'https', context?: RequestContext): Target | null {
  if (fields.hostCount > 1) throw new FramingError('more than one Host');
  const text = fields.host;
  if (!text) return null;
  const before = context?.named;
  if (before && before.text === text && before.scheme === scheme) return before.target;
  const target = parseAuthority(text, DEFAULT_PORT[scheme]);
  if (!target) throw new FramingError(`Host ${JSON.stringify(text.slice(0, 80))}`);
  if (context) context.named = { text, scheme, target };
  return target;
}

/** Host as the origin must see it where it differs from the request target, which is what counts (RFC 9112, section 3.2.2). */
function correctedHost(named: Target | null, { scheme, target }: Resolved): string | null {
  if (sameTarget(named, target)) return null;
  return formatAuthority(scheme, target.host, target.port);
}

interface Resolved {
  scheme: 'http' | 'https';
  target: Target;
  path: string;
  /** Set where the head's bytes must change on the way. */
  rewritten: boolean;
}

function resolveAbsolute(line: RequestLine, context: RequestContext): Resolved {
  const parts = ABSOLUTE.exec(line.target);
  if (!parts) throw new FramingError(`request target ${JSON.stringify(line.target.slice(0, 80))} has no host to go to`);
  const scheme = (parts[1] ?? '').toLowerCase() === 'https' ? 'https' : 'http';
  const target = parseAuthority(parts[2] ?? '', DEFAULT_PORT[scheme]);
  if (!target)
    throw new FramingError(`authority ${JSON.stringify((parts[2] ?? '').slice(0, 80))} in the request target`);
  const rest = parts[3] ?? '';
  // RFC 9112, section 3.2.4: OPTIONS with an empty path is the asterisk form at the origin.
  const origin = rest === '' && line.method === 'OPTIONS' ? '*' : rest.startsWith('/') ? rest : `/${rest}`;
  if (context.target) return { scheme: context.scheme, target: context.target, path: line.target, rewritten: false };
  return { scheme, target, path: origin, rewritten: true };
}

function resolve(line: RequestLine, context: RequestContext): Resolved {
  const { target, scheme } = context;
  if (target && !ABSOLUTE.test(line.target)) return { scheme, target, path: line.target, rewritten: false };
  if (context.itself && line.target.startsWith('/'))
    return { scheme: 'http', target: context.itself, path: line.target, rewritten: false };
  return resolveAbsolute(line, context);
}

/**
 * One request's head from its bytes (`bytes` ends behind the empty line). CONNECT is not for here.
 * Throws a FramingError for what RFC 9112 refuses.
 */
export function readRequestHead(bytes: Buffer, text: string, line: RequestLine, context: RequestContext): RequestHead {
  const { headers, connection: fields } = readFieldBlock(text, context);
  if (fields.hostCount === 0 && line.version === 'HTTP/1.1') throw new FramingError('no Host');
  const resolved = resolve(line, context);
  const named = hostOf(fields, resolved.scheme, context);
  const { host, port } = (!resolved.rewritten && named) || resolved.target;
  return {
    method: line.method,
    scheme: resolved.scheme,
    authority: formatAuthority(resolved.scheme, host, port),
    host: resolved.target.host,
    port: resolved.target.port,
    path: resolved.path,
    version: line.version,
    headers: resolved.rewritten ? withoutProxyLogin(headers) : headers,
    framing: requestFraming(fields, line.version),
    wire: resolved.rewritten
      ? proxiedHeadToOrigin(text, resolved.path, { host: correctedHost(named, resolved), extra: '' })
      : bytes,
    size: bytes.length,
    upgrade: fields.upgrade,
    keepAlive: keepsAlive(fields, line.version),
  };
}

/** A CONNECT, which names its target as `host:port`. */
export interface ConnectHead {
  target: string;
  version: HttpVersion;
  headers: RawHeaders;
  size: number;
}

/** A CONNECT's head. What follows it is the tunnel's, so one that claims a body is refused. Throws a FramingError. */
export function readConnectHead(text: string, line: RequestLine): ConnectHead {
  const { headers, connection: fields } = readFieldBlock(text, {});
  hostOf(fields, 'https');
  if (requestFraming(fields, line.version).kind !== 'none') throw new FramingError('a CONNECT with a body');
  return { target: line.target, version: line.version, headers: withoutProxyLogin(headers), size: text.length };
}
