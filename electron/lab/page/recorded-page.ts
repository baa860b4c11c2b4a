import type { RawHeaders } from '../../../shared/model/headers.ts';

/** A recorded response that the replay origin can serve. */
export interface RecordedResponse {
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
  /** Milliseconds that the server takes to respond with 304 (`revalidationTimes`). */
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
  /** Of the document's exchange. */
  documentId: number;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  /** Whether most of its responses arrived over HTTP/2. */
  wasHttp2: boolean;
  /** In order of arrival. */
  responses: RecordedResponse[];
  /** What is missing from the recording, one sentence each. */
  notes: string[];
}

/** Reads a response's body as recorded: bytes with their content coding, in pieces. */
export type ReadBody = (id: number) => Iterable<Uint8Array>;

type Place = Pick<RecordedResponse, 'scheme' | 'host' | 'port'>;

/**
 * The origin that serves a response in the replay, `host:port`. The replay always uses TLS, because browsers speak
 * HTTP/2 only over TLS: port 80 becomes 443, as in upgraded requests (Upgrade Insecure Requests, section 3.1).
 */
export function originOf({ scheme, host, port }: Place): string {
  const replayed = scheme === 'http' && port === 80 ? 443 : port;
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${replayed}`.toLowerCase();
}

/** The URL of a response in the replay. */
export function urlOf(response: Place & Pick<RecordedResponse, 'path'>): string {
  return new URL(`https://${originOf(response)}${response.path}`).href;
}
