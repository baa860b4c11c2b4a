/** What the engine accepts before it cuts off. Each with its reason; all can be lowered in tests and raised by a host. */
export interface Limits {
  /** Bytes of one header block. Chromium accepts 256 KiB from a server; most servers 8 to 64 KiB. Beyond is abuse. */
  headBytes: number;
  /** Client connections at once. A browser holds 32 to a proxy, a load test some thousand; file descriptors end at 2^16 on most. */
  clientConnections: number;
  /** Milliseconds from a request's first byte until its head is complete: a slow-headers attack, not a slow network. */
  requestHeadTime: number;
  /**
   * Milliseconds without a byte either way while it is the client's turn: a body that stops, a response that is not taken, an idle
   * connection. Chromium closes its own idle ones after 5 minutes; servers wait 1 to 5 minutes for a client.
   */
  clientSilence: number;
  /** Milliseconds until TCP or TLS to upstream stands. Chromium gives up on a TCP connect after 4 minutes, curl after 5. */
  connectTime: number;
  /** Milliseconds without a byte from upstream while a response is awaited; long polls last some minutes. */
  responseSilence: number;
  /** Milliseconds a tunnel waits for the client's first bytes before upstream is asked whether it speaks first (SSH, SMTP). */
  tunnelSilence: number;
  /** Bytes of a request body kept so that it can be sent again (design, "Retry"). */
  resendBytes: number;
  /** h1 sockets to one origin, in use and idle together; and those kept idle (httpxy pull request 124). */
  socketsPerOrigin: number;
  idleSocketsPerOrigin: number;
  /** Milliseconds an idle upstream socket is kept. Servers close theirs after 5 to 75 s; a dead one costs a resend. */
  idleSocketTime: number;
  /**
   * Bytes one h2 stream, and one h2 connection, may have on the way: 100 Mbit/s x 100 ms is 1.25 MB, with room. A connection
   * holds what 16 streams that nobody reads were sent, so that these do not hold up the others of its origin.
   */
  http2StreamWindow: number;
  http2ConnectionWindow: number;
  /** h2 streams that one client connection may have open. */
  http2Streams: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: Limits = {
  headBytes: 256 * 1024,
  clientConnections: 16_384,
  requestHeadTime: 60_000,
  clientSilence: 10 * 60_000,
  connectTime: 60_000,
  responseSilence: 15 * 60_000,
  tunnelSilence: 300,
  resendBytes: MIB,
  socketsPerOrigin: 256,
  idleSocketsPerOrigin: 64,
  idleSocketTime: 90_000,
  http2StreamWindow: 4 * MIB,
  http2ConnectionWindow: 64 * MIB,
  http2Streams: 1_000,
};
