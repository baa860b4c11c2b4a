/** The load process's configuration, as JSON. */
export interface LoadPlan {
  /** Port of the proxy, on loopback. */
  proxy: number;
  /** PEM of the CA that the proxy signs with. */
  ca: string;
  /** HTTPS with HTTP/1.1 and WebSocket. */
  h1: number;
  /** HTTPS with HTTP/2. */
  h2: number;
  exchanges: number;
  /** It reports after this many. */
  block: number;
}

/**
 * Exchanges at once, and the most HTTP/1.1 connections: Node's agent opens one for each request that waits, and leaves
 * those above its limit before their handshake. The session would hold a row for each.
 */
export const WORKERS = 24;

export const KINDS = ['h1', 'h2', 'websocket', 'sse'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Which kind the exchange of that number is: of a hundred, 48 are HTTP/1.1, 48 HTTP/2, 2 WebSockets and 2 event
 * streams.
 */
export function kindOf(number: number): Kind {
  const place = number % 100;
  if (place < 2) return 'websocket';
  if (place < 4) return 'sse';
  return place % 2 === 0 ? 'h1' : 'h2';
}

/** WebSocket messages each way, and events of a stream. */
export const MESSAGES = 10;

/** The load's report about a block. Milliseconds. */
export interface Block {
  /** Exchanges since the start, and of this block. */
  done: number;
  count: number;
  errors: number;
  /** The first error of the block, or null. */
  error: string | null;
  seconds: number;
  /** Of each kind: 99 of 100 exchanges took no longer. */
  p99: Record<Kind, number>;
}

/** The body of a response: JSON of 0.1 to 2 KB, which names the request. */
export function bodyOf(number: number): string {
  return `{"number":${number},"text":"${'some text, '.repeat(5 + (number % 37) * 5)}"}`;
}
