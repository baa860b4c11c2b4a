/** Pieces of a body: text as Latin-1, or a number of bytes of a pattern. */
export type Body = readonly (string | number)[];

export type When = 'at once' | 'behind the head' | 'behind the body';

/** One HTTP/2 request and what the origin does with it. Fields are flat lists, name and value in turn. */
export interface Http2Case {
  name: string;
  /** Pseudo-header fields included; `{authority}` stands for the origin's. */
  request: readonly string[];
  /** Absent: END_STREAM on the head. Empty: on an empty DATA frame. */
  body?: Body;
  trailers?: Readonly<Record<string, string | string[]>>;
  /** Names that HPACK must never index (RFC 7541, section 7.1.3). */
  sensitive?: readonly string[];
  /**
   * The client resets the stream with this code: when it is open, or when the response's head or first bytes have come.
   */
  reset?: { code: number; when: When };
  response: Http2CaseResponse;
}

export interface Http2CaseResponse {
  informational?: readonly Readonly<Record<string, string | string[]>>[];
  headers: readonly string[];
  body?: Body;
  trailers?: Readonly<Record<string, string | string[]>>;
  /** Instead of an end. */
  reset?: { code: number; when: When };
  /** Answers when the head is in, and does not wait for the body. */
  early?: boolean;
  /** Ends neither body nor stream: the client ends it. */
  stays?: boolean;
}

export const GET = [':method', 'GET', ':authority', '{authority}', ':scheme', 'https', ':path', '/'];
export const POST = [':method', 'POST', ':authority', '{authority}', ':scheme', 'https', ':path', '/'];
export const OK: Http2CaseResponse = { headers: [':status', '200'], body: ['ok'] };
