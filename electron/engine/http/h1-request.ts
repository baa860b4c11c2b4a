import type { RawHeaders } from '../../../shared/model/headers.ts';
import { quoted } from '../../failures/quoted.ts';
import { type HeadMemo, readFieldBlock } from './field-block.ts';
import { type ConnectionFields, keepsAlive, requestFraming } from './h1-framing.ts';
import { FramingError, type RequestLine } from './h1-head.ts';
import { proxiedHeadToOrigin, withoutProxyLogin } from './header-rules.ts';
import type { HttpVersion, RequestHead } from './message.ts';

/** The context of a connection's requests: a tunnel's target, or none on a connection to the proxy itself. */
export interface RequestContext extends HeadMemo {
  scheme: 'http' | 'https';
  /** Null on a connection to the proxy itself, where each request specifies its target. */
  target: { host: string; port: number } | null;
  /** The target names itself in Host: the client spoke to a reverse listener and named that. */
  replacesHost?: boolean;
  /** The parsed Host of the previous request: most requests of a connection repeat it. The parser maintains it. */
  named?: { text: string; scheme: 'http' | 'https'; target: Target };
  /** The target of requests that specify none: the proxy itself, if it answers such requests. */
  itself?: { host: string; port: number } | null;
}

export interface Target {
  host: string;
  port: number;
}

const DEFAULT_PORT = { http: 80, https: 443 };
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;
// RFC 3986, section 3.2.2, as loosely as clients write names; brackets hold an IPv6 address. Never matches two hosts.
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[^\0-\x20\x7f:[\]/?#@\\,]+)(?::(\d{1,5})?)?$/;

/**
 * Parses `host[:port]` into host (IPv6 without brackets) and port; null if invalid. User information makes it invalid:
 * senders must not send it, and it is used to hide the real host (RFC 9110, sections 4.2.1 and 4.2.4).
 */
export function parseAuthority(authority: string, defaultPort: number): Target | null {
  const parts = AUTHORITY.exec(authority);
  if (!parts) return null;
  const [, name = '', digits] = parts;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (port < 1 || port > 65_535) return null;
  return { host: name.startsWith('[') ? name.slice(1, -1) : name, port };
}

/** Whether both exist and are equal, ignoring case. */
export function sameTarget(one: Target | null, other: Target | null): boolean {
  if (!one || !other) return false;
  return one.port === other.port && one.host.toLowerCase() === other.host.toLowerCase();
}

/** `host[:port]`, IPv6 in brackets, without the scheme's default port. */
export function formatAuthority(scheme: 'http' | 'https', host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === DEFAULT_PORT[scheme] ? name : `${name}:${port}`;
}

/** The host in Host; null if the field is missing or empty. Throws if it is not a host (RFC 9112, section 3.2). */
function hostOf(fields: Readonly<ConnectionFields>, scheme: 'http' | 'https', context?: RequestContext): Target | null {
  if (fields.hostCount > 1) throw new FramingError('more than one Host');
  const text = fields.host;
  if (!text) return null;
  const before = context?.named;
  if (before && before.text === text && before.scheme === scheme) return before.target;
  const target = parseAuthority(text, DEFAULT_PORT[scheme]);
  if (!target) throw new FramingError(`Host ${quoted(text)}`);
  if (context) context.named = { text, scheme, target };
  return target;
}

/**
 * The Host value that the origin must see, if it differs from the request target, which takes precedence (RFC 9112,
 * 3.2.2).
 */
function correctedHost(named: Target | null, { scheme, target }: Resolved): string | null {
  if (sameTarget(named, target)) return null;
  return formatAuthority(scheme, target.host, target.port);
}

interface Resolved {
  scheme: 'http' | 'https';
  target: Target;
  path: string;
  /** The head's bytes must change on the way. */
  rewritten: boolean;
}

function resolveAbsolute(line: RequestLine, context: RequestContext): Resolved {
  const parts = ABSOLUTE.exec(line.target);
  if (!parts) throw new FramingError(`request target ${quoted(line.target)} has no host to go to`);
  const scheme = (parts[1] ?? '').toLowerCase() === 'https' ? 'https' : 'http';
  const target = parseAuthority(parts[2] ?? '', DEFAULT_PORT[scheme]);
  if (!target) throw new FramingError(`authority ${quoted(parts[2] ?? '')} in the request target`);
  const rest = parts[3] ?? '';
  // RFC 9112, section 3.2.4: OPTIONS with an empty path becomes the asterisk form at the origin.
  const origin = rest === '' && line.method === 'OPTIONS' ? '*' : rest.startsWith('/') ? rest : `/${rest}`;
  if (context.target) {
    // A server must take it (RFC 9112, section 3.2.2). One that must see its own name would read the listener's here.
    const rewritten = context.replacesHost === true;
    return { scheme: context.scheme, target: context.target, path: rewritten ? origin : line.target, rewritten };
  }
  return { scheme, target, path: origin, rewritten: true };
}

function resolve(line: RequestLine, context: RequestContext): Resolved {
  const { target, scheme } = context;
  if (target && !ABSOLUTE.test(line.target)) {
    return { scheme, target, path: line.target, rewritten: context.replacesHost === true };
  }
  if (context.itself && line.target.startsWith('/'))
    return { scheme: 'http', target: context.itself, path: line.target, rewritten: false };
  return resolveAbsolute(line, context);
}

/**
 * Parses one request's head (`bytes` ends after the empty line). Does not handle the CONNECT that opens a tunnel of
 * ours. Throws a FramingError for what RFC 9112 rejects.
 */
export function readRequestHead(bytes: Buffer, text: string, line: RequestLine, context: RequestContext): RequestHead {
  const { headers, connection: fields } = readFieldBlock(text, context);
  if (fields.hostCount === 0 && line.version === 'HTTP/1.1') throw new FramingError('no Host');
  const resolved = resolve(line, context);
  const named = hostOf(fields, resolved.scheme, context);
  const { host, port } = (!resolved.rewritten && named) || resolved.target;
  const framing = requestFraming(fields, line.version);
  // The tunnel begins after the head, but some servers would skip a body first.
  if (line.method === 'CONNECT' && framing.kind !== 'none') throw new FramingError('a CONNECT with a body');
  return {
    method: line.method,
    scheme: resolved.scheme,
    authority: formatAuthority(resolved.scheme, host, port),
    host: resolved.target.host,
    port: resolved.target.port,
    path: resolved.path,
    version: line.version,
    headers: resolved.rewritten ? withoutProxyLogin(headers) : headers,
    framing,
    wire: resolved.rewritten
      ? proxiedHeadToOrigin(text, resolved.path, { host: correctedHost(named, resolved), extra: '' })
      : bytes,
    size: bytes.length,
    upgrade: fields.upgrade,
    keepAlive: keepsAlive(fields, line.version),
  };
}

/** A CONNECT, whose target is `host:port`. */
export interface ConnectHead {
  target: string;
  version: HttpVersion;
  headers: RawHeaders;
  size: number;
}

/**
 * Parses a CONNECT's head. Bytes after it belong to the tunnel; a CONNECT that declares a body throws a FramingError.
 */
export function readConnectHead(text: string, line: RequestLine): ConnectHead {
  const { headers, connection: fields } = readFieldBlock(text, {});
  hostOf(fields, 'https');
  if (requestFraming(fields, line.version).kind !== 'none') throw new FramingError('a CONNECT with a body');
  return { target: line.target, version: line.version, headers: withoutProxyLogin(headers), size: text.length };
}
