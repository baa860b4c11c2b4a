import type { Protocol } from '../model/connection.ts';
import type { Exchange } from '../model/exchange.ts';
import type { TlsInfo } from '../model/tls-info.ts';

/** What an exchange has in common with many others, which share the object. */
export interface FactKind {
  readonly kind: Exchange['kind'];
  readonly state: Exchange['state'];
  /** False for an imported exchange whose file has no times: how long it took is unknown. */
  readonly isTimed: boolean;
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly authority: string;
  readonly host: string;
  /** `https://api.test:8443` */
  readonly origin: string;
  readonly status: number;
  readonly mediaType: string;
  /** HAR's `_resourceType`. */
  readonly resource: string;
  readonly clientProtocol: Protocol;
  readonly upstreamProtocol: Protocol | null;
  readonly tls: TlsInfo | null;
  /** The response arrived completely. */
  readonly isWhole: boolean;
  /** Trailer fields of the response. */
  readonly trailers: number;
  /** Those came with a Content-Length. False if there are none. */
  readonly isSized: boolean;
  readonly attempts: number;
  /** The reasons of its retries, in order. */
  readonly retries: readonly string[];
  /** A shared cache responded (Age, RFC 9111, section 5.1). */
  readonly isFromCache: boolean;
}

/** Kinds that one authority may have before its list begins anew. Sessions have a few dozen. */
const MOST = 200;
/** Kinds that are remembered in all: 2 MB. */
const MOST_IN_ALL = 10_000;
const kinds = new Map<string, FactKind[]>();
let count = 0;

/** The same object for equal kinds. */
export function sharedKind(kind: FactKind): FactKind {
  const known = kinds.get(kind.authority);
  const found = known?.find((one) => isSame(one, kind));
  if (found !== undefined) return found;
  if (count >= MOST_IN_ALL) {
    kinds.clear();
    count = 0;
  }
  const others = kinds.get(kind.authority);
  if (others === undefined || others.length >= MOST) kinds.set(kind.authority, [kind]);
  else others.push(kind);
  count += 1;
  return kind;
}

/** Begins with what differs most among the kinds of one authority. */
function isSame(one: FactKind, other: FactKind): boolean {
  return (
    one.mediaType === other.mediaType &&
    one.resource === other.resource &&
    one.isFromCache === other.isFromCache &&
    one.status === other.status &&
    one.method === other.method &&
    one.tls === other.tls &&
    one.kind === other.kind &&
    one.state === other.state &&
    one.isTimed === other.isTimed &&
    one.clientProtocol === other.clientProtocol &&
    one.upstreamProtocol === other.upstreamProtocol &&
    one.isWhole === other.isWhole &&
    one.trailers === other.trailers &&
    one.isSized === other.isSized &&
    one.attempts === other.attempts &&
    one.retries === other.retries &&
    one.scheme === other.scheme &&
    one.authority === other.authority &&
    one.host === other.host &&
    one.origin === other.origin
  );
}
