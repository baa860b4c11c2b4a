import { domainToASCII } from 'node:url';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { firstHeader, headerPairs, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { ComposedRequest } from '../../../../shared/model/replay/composed-request.ts';
import type { ReplayOf } from '../../../../shared/model/replay/replay-of.ts';
import type { ReplayRequest } from '../../../../shared/model/replay/replay-request.ts';
import { roundtripError } from '../../../failures/errors.ts';

/** The exchange that was edited. */
export interface Original {
  exchange: Exchange;
  session: string;
}

const URL_PARTS = /^(https?):\/\/([^/?#]*)([^#]*)/i;
const AUTHORITY = /^(?:\[([0-9a-f:.]+)\]|([^:[\]@\s]+))(?::(\d{1,5}))?$/i;
const DEFAULT_PORTS = { http: 80, https: 443 };
const PSEUDO_ORDER = [':method', ':authority', ':scheme', ':path'];

function refused(detail: string): Error {
  return roundtripError('replay.bad-request', { detail });
}

const IS_ASCII = /^[\x21-\x7e]*$/;

/** DNS, TLS and Host know names in ASCII only (RFC 5891). A name that has no such form stays. */
function inAscii(authority: string): string {
  if (IS_ASCII.test(authority)) return authority;
  return authority.replace(/^[^:[\]@\s]+/, (name) => domainToASCII(name) || name);
}

interface Target {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  authority: string;
  path: string;
}

/**
 * The parts of a URL, as they are written: `URL` would remove dots and case from the path. Only characters that a
 * request line can't hold are encoded.
 */
function targetOf(url: string): Target {
  const [, scheme = '', given = '', rest = ''] = URL_PARTS.exec(url.trim()) ?? [];
  const named = inAscii(given);
  const parts = AUTHORITY.exec(named);
  if (scheme === '' || parts === null) throw refused('its URL must be like https://host/path');
  if (!IS_ASCII.test(named)) throw refused(`${named} is not the name of a host`);
  const [, address, name, digits] = parts;
  const lower = scheme.toLowerCase() === 'https' ? 'https' : 'http';
  const port = digits === undefined ? DEFAULT_PORTS[lower] : Number(digits);
  if (port < 1 || port > 65_535) throw refused(`there is no port ${digits}`);
  const path = rest.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text));
  return {
    ...{ scheme: lower, host: address ?? name ?? '', port, path: path.startsWith('/') ? path : `/${path}` },
    authority: port === DEFAULT_PORTS[lower] ? named.replace(/:\d*$/, '') : named,
  };
}

/** The body's length in the fields. A chunked body has none, and on h2 it may be missing. */
function withLength(headers: [string, string][], length: number, isHttp2: boolean): [string, string][] {
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'content-length');
  const before = headers[at];
  if (before) return headers.with(at, [before[0], String(length)]);
  const isChunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  return length === 0 || isChunked || isHttp2 ? headers : [...headers, ['Content-Length', String(length)]];
}

function http1Fields(headers: [string, string][], { authority }: Target): RawHeaders {
  const isNamed = headers.some(([name]) => name.toLowerCase() === 'host');
  return [...(isNamed ? [] : ['Host', authority]), ...headers.flat()];
}

/** Pseudo-header fields keep the order of the edited request: servers can identify clients by it. */
function http2Fields(headers: [string, string][], method: string, target: Target, before: RawHeaders): RawHeaders {
  const values: Record<string, string> = {
    ...{ ':method': method, ':authority': target.authority, ':scheme': target.scheme, ':path': target.path },
  };
  const known = headerPairs(before).flatMap(([name]) => (name in values ? [name] : []));
  const order = known.length === PSEUDO_ORDER.length ? known : PSEUDO_ORDER;
  const fields = headers.map(([name, value]) => [name.toLowerCase(), value]);
  return [...order.flatMap((name) => [name, values[name] ?? '']), ...fields.flat()];
}

function isHttp2({ protocol }: ComposedRequest, original: Original | null): boolean {
  if (protocol === 'as-before') return original?.exchange.request.httpVersion === 'HTTP/2.0';
  return protocol === 'h2';
}

function alpnOf({ protocol }: ComposedRequest, original: Original | null, asHttp2: boolean): string[] {
  // Without a choice or an original, upstream chooses the protocol, as for a client's request.
  if (protocol === 'as-before' && original === null) return ['h2', 'http/1.1'];
  return [asHttp2 ? 'h2' : 'http/1.1'];
}

/** A written request as it is sent. `length`: the body's bytes. Throws `replay.bad-request`. */
export function composedRequest(composed: ComposedRequest, original: Original | null, length: number): ReplayRequest {
  const target = targetOf(composed.url);
  const method = composed.method.trim();
  if (method === '') throw refused('it has no method');
  const asHttp2 = isHttp2(composed, original);
  const fields = composed.headers.map(([name, value]): [string, string] =>
    name.toLowerCase() === 'host' ? [name, inAscii(value)] : [name, value],
  );
  const headers = withLength(fields, length, asHttp2);
  const before = original?.exchange.request ?? null;
  const replayOf: ReplayOf | null = original && { session: original.session, exchange: original.exchange.id };
  return {
    ...{ method, ...target, trailers: composed.body.kind === 'recorded' ? (before?.trailers ?? []) : [], replayOf },
    version: asHttp2 ? 'HTTP/2.0' : 'HTTP/1.1',
    headers: asHttp2 ? http2Fields(headers, method, target, before?.headers ?? []) : http1Fields(headers, target),
    authority: (asHttp2 ? undefined : firstHeader(headers.flat(), 'host')) ?? target.authority,
    serverName: target.host,
    alpn: alpnOf(composed, original, asHttp2),
    rules: composed.rules,
    route: composed.route,
  };
}
