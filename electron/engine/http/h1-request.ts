import { connectionFields, keepsAlive, requestFraming } from './h1-framing.ts';
import { FramingError, parseFields, type RequestLine } from './h1-head.ts';
import { proxiedHeadToOrigin } from './header-rules.ts';
import type { RequestHead } from './message.ts';

/** What a connection's requests are about: a tunnel's target, or nothing on a connection to the proxy itself. */
export interface RequestContext {
  scheme: 'http' | 'https';
  /** Null on a connection to the proxy itself, where each request names its target. */
  target: { host: string; port: number } | null;
}

export interface Target {
  host: string;
  port: number;
}

const DEFAULT_PORT = { http: 80, https: 443 };
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;
// RFC 3986, section 3.2.2, as loosely as clients write names; brackets hold an IPv6 address.
const AUTHORITY = /^(?:[^@]*@)?(\[[0-9A-Fa-f:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/;

/** `host[:port]` as host (IPv6 without brackets) and port; null where it is none. User information is dropped. */
export function parseAuthority(authority: string, defaultPort: number): Target | null {
  const parts = AUTHORITY.exec(authority);
  if (!parts) return null;
  const [, name = '', digits] = parts;
  const port = digits === undefined ? defaultPort : Number(digits);
  if (port < 1 || port > 65_535) return null;
  return { host: name.startsWith('[') ? name.slice(1, -1) : name, port };
}

/** `host[:port]`, IPv6 in brackets, the scheme's own port left out. */
export function formatAuthority(scheme: 'http' | 'https', host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === DEFAULT_PORT[scheme] ? name : `${name}:${port}`;
}

function authorityOf(scheme: 'http' | 'https', host: string | null, target: Target): string {
  const named = host ? parseAuthority(host, DEFAULT_PORT[scheme]) : null;
  return named ? formatAuthority(scheme, named.host, named.port) : formatAuthority(scheme, target.host, target.port);
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
  return resolveAbsolute(line, context);
}

/**
 * One request's head from its bytes (`bytes` ends behind the empty line). CONNECT is not for here.
 * Throws a FramingError for what RFC 9112 refuses.
 */
export function readRequestHead(bytes: Buffer, text: string, line: RequestLine, context: RequestContext): RequestHead {
  const headers = parseFields(text, text.indexOf('\r\n') + 2);
  const fields = connectionFields(headers);
  // RFC 9112, section 3.2: a second Host, or none on HTTP/1.1, is a 400.
  if (fields.hostCount > 1) throw new FramingError('more than one Host');
  if (fields.hostCount === 0 && line.version === 'HTTP/1.1') throw new FramingError('no Host');
  const resolved = resolve(line, context);
  return {
    method: line.method,
    scheme: resolved.scheme,
    authority: authorityOf(resolved.scheme, resolved.rewritten ? null : fields.host, resolved.target),
    host: resolved.target.host,
    port: resolved.target.port,
    path: resolved.path,
    version: line.version,
    headers,
    framing: requestFraming(fields, line.version),
    wire: resolved.rewritten ? proxiedHeadToOrigin(text, resolved.path, '') : bytes,
    size: bytes.length,
    upgrade: fields.upgrade,
    keepAlive: keepsAlive(fields, line.version),
  };
}
