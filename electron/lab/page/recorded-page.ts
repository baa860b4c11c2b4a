import type { RawHeaders } from '../../../shared/model/headers.ts';

/** A recorded response that the replay origin can give again. */
export interface RecordedAnswer {
  /** Of the exchange. */
  id: number;
  method: string;
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Path and query as sent. */
  path: string;
  status: number;
  statusText: string;
  headers: RawHeaders;
  /** Bytes of the body as sent, content coding included. */
  size: number;
  /** Milliseconds that the server took, without the network. */
  serverTime: number;
  /** Milliseconds that the server takes to answer that it has not changed (`revalidationTimes`). */
  revalidationTime: number;
}

/** A page of a session, ready for replay. */
export interface RecordedPage {
  /** From 1, in the order of the session. */
  number: number;
  /** Where the navigation began. */
  url: string;
  /** The origin of the document, after redirects: `host:port`. */
  origin: string;
  /** Of the exchange that brought the document. */
  documentId: number;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  /** Whether most of its responses came over HTTP/2. */
  wasHttp2: boolean;
  /** In order of arrival. */
  answers: RecordedAnswer[];
  /** What is missing from the recording, one sentence each. */
  notes: string[];
}

/** Reads a response's body as recorded: bytes with their content coding, in pieces. */
export type ReadBody = (id: number) => Iterable<Uint8Array>;

type Place = Pick<RecordedAnswer, 'scheme' | 'host' | 'port'>;

/**
 * The origin that serves an answer again, `host:port`. The replay always uses TLS, because browsers speak HTTP/2 only
 * over TLS: port 80 becomes 443, as in upgraded requests (Upgrade Insecure Requests, section 3.1).
 */
export function originOf({ scheme, host, port }: Place): string {
  const replayed = scheme === 'http' && port === 80 ? 443 : port;
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${replayed}`.toLowerCase();
}

/** The URL of an answer in the replay. */
export function urlOf(answer: Place & Pick<RecordedAnswer, 'path'>): string {
  return new URL(`https://${originOf(answer)}${answer.path}`).href;
}
