import { remembered } from '../format/remembered.ts';
import type { Protocol } from '../model/connection.ts';
import type { ConnectionEnd } from '../model/insight/connection-end.ts';
import type { FactFields } from './fact-fields.ts';
import type { FactKind } from './fact-kind.ts';
import type { FactTimings } from './fact-times.ts';
import { isSpeculative } from './navigation.ts';

/** What only the bodies show; measured by the thread that can read them. Bytes. */
export interface BodyMeasure {
  /** Size of the response's body without codings; null if it can't be decoded. */
  decoded: number | null;
  /** Its size after gzip at level 6, extrapolated if only its beginning was compressed; null if not measured. */
  gzip: number | null;
  /** Uncompressed text messages of a WebSocket: their number and size. */
  plainMessages: number;
  plainMessageBytes: number;
}

/** What the rules use of an exchange: a fraction of its memory, read once. */
export interface Fact extends FactKind {
  readonly id: number;
  /** Milliseconds since the Unix epoch. `end` is `start` if it is not timed. */
  readonly start: number;
  readonly end: number;
  readonly path: string;
  /** The path with `{id}` in place of ids (shared/format/path-template.ts). */
  readonly template: string;
  readonly timings: FactTimings;
  /** Connection ids. `upstream`: 0 for none. */
  readonly client: number;
  readonly upstream: number;
  /** How the connection upstream ended; null while it is open, or if that was not recorded. */
  upstreamEnd: ConnectionEnd | null;
  /** Payload bytes on the wire; 0 where unknown. */
  readonly requestSize: number;
  readonly responseSize: number;
  readonly requestHead: number;
  readonly responseHead: number;
  /** Cookies, authorization and requested representation, hashed: equal for requests that may share a response. */
  readonly identity: number;
  readonly cookieSize: number;
  /** A hash of the response's ETag; 0 without one. */
  readonly etag: number;
  /** For a response that took `SLOW_RESPONSE` or longer to begin; empty for all others. */
  readonly serverTiming: string;
  readonly request: FactFields;
  readonly response: FactFields;
  measure: BodyMeasure | null;
}

/** Milliseconds to the first byte from which Server-Timing is kept. Lighthouse's limit. */
export const SLOW_RESPONSE = 600;

/** Milliseconds from its start to its end. */
export function durationOf({ start, end }: Fact): number {
  return end - start;
}

const ASSETS = new Set(['script', 'stylesheet', 'image', 'font', 'media', 'texttrack', 'manifest']);

/** Part of a page's presentation, unlike documents and data. */
export function isAsset({ resource }: Fact): boolean {
  return ASSETS.has(resource);
}

/** Data that a program requested: not a document, asset, preflight, stream or socket. */
export function isData(fact: Fact): boolean {
  return fact.kind === 'http' && (fact.resource === 'fetch' || fact.resource === 'xhr' || fact.resource === 'other');
}

export function isPrefetch({ request }: Fact): boolean {
  return isSpeculative(request);
}

const isLocalHost = remembered((host) => /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host));

export function isLocal({ host }: Fact): boolean {
  return isLocalHost(host);
}

/** A browser sent it: each one's User-Agent begins with the same word. */
export function isFromBrowser({ request }: { request: { 'user-agent'?: string } }): boolean {
  return /^Mozilla\//.test(request['user-agent'] ?? '');
}

export function isHttp1(protocol: Protocol | null): boolean {
  return protocol === 'http/1.1' || protocol === 'http/1.0';
}
