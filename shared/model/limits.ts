import * as v from 'valibot';

export interface LimitEntry {
  readonly title: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly unit: 'bytes' | 'ms' | 'count';
  /** Why the limit exists, and why it has this default. */
  readonly reason: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What the engine accepts before it cuts off, and what it keeps: the default of each, its range and its reason. */
export const LIMITS = {
  headBytes: {
    title: 'Header block',
    ...{ value: 256 * KIB, min: 8 * KIB, max: 16 * MIB, unit: 'bytes' },
    reason: 'Applies to one message. Chromium accepts 256 KB from a server, most servers accept 8 to 64 KB.',
  },
  http2HeaderFields: {
    title: 'Header fields of an HTTP/2 message',
    ...{ value: 2_000, min: 100, max: 100_000, unit: 'count' },
    reason: 'Compressed, a field costs the sender a byte or two and the receiver much more.',
  },
  clientConnections: {
    title: 'Client connections at once',
    ...{ value: 16_384, min: 16, max: 65_000, unit: 'count' },
    reason: 'A browser opens 32 to a proxy, a load test several thousand; most systems allow 65,536 file descriptors.',
  },
  requestHeadTime: {
    title: 'Time for a request head',
    ...{ value: MINUTE, min: SECOND, max: HOUR, unit: 'ms' },
    reason: 'From its first byte until it is complete. Anything slower is a slow-request attack, not a slow network.',
  },
  clientSilence: {
    title: 'Client inactivity',
    ...{ value: 10 * MINUTE, min: SECOND, max: 24 * HOUR, unit: 'ms' },
    reason:
      'No bytes in either direction while waiting for the client: a body that stops, a response that is not read, ' +
      'an idle connection. Chromium closes its own after 5 minutes.',
  },
  connectTime: {
    title: 'Time to connect upstream',
    ...{ value: MINUTE, min: SECOND, max: 10 * MINUTE, unit: 'ms' },
    reason:
      'Applies to TCP and to TLS separately. Chromium gives up on a TCP connection after 4 minutes, curl after 5.',
  },
  responseSilence: {
    title: 'Upstream inactivity',
    ...{ value: 15 * MINUTE, min: SECOND, max: 24 * HOUR, unit: 'ms' },
    reason: 'No bytes while waiting for a response. Long polls last some minutes.',
  },
  tunnelSilence: {
    title: 'Wait for the first bytes in a tunnel',
    ...{ value: 300, min: 10, max: MINUTE, unit: 'ms' },
    reason: 'After this time, Roundtrip checks whether upstream speaks first, as SSH and SMTP do.',
  },
  resendBytes: {
    title: 'Request body kept for a retry',
    ...{ value: MIB, min: 0, max: 64 * MIB, unit: 'bytes' },
    reason: 'A request with a larger body is sent once.',
  },
  socketsPerOrigin: {
    title: 'HTTP/1.1 connections to an origin',
    ...{ value: 256, min: 1, max: 10_000, unit: 'count' },
    reason: 'In use and idle together. A browser opens 6; a load test should not exhaust an origin.',
  },
  idleSocketsPerOrigin: {
    title: 'Idle HTTP/1.1 connections to an origin',
    ...{ value: 64, min: 0, max: 10_000, unit: 'count' },
    reason: 'The next burst can reuse the connections of the last one.',
  },
  idleSocketTime: {
    title: 'Lifetime of an idle connection',
    ...{ value: 90 * SECOND, min: SECOND, max: HOUR, unit: 'ms' },
    reason: 'Servers close idle connections after 5 to 75 s; a dead connection costs a retry.',
  },
  http2StreamWindow: {
    title: 'HTTP/2 stream window',
    ...{ value: 4 * MIB, min: 64 * KIB, max: 256 * MIB, unit: 'bytes' },
    reason: 'Unread bytes in flight. 100 Mbit/s at 100 ms needs 1.25 MB; the default leaves room.',
  },
  http2ConnectionWindow: {
    title: 'HTTP/2 connection window',
    ...{ value: 64 * MIB, min: 64 * KIB, max: 1024 * MIB, unit: 'bytes' },
    reason: 'Enough for 16 unread streams: they do not block the others.',
  },
  http2Streams: {
    title: 'HTTP/2 requests at once on a connection',
    ...{ value: 1_000, min: 1, max: 100_000, unit: 'count' },
    reason: 'RFC 9113 recommends at least 100; gRPC clients use many more.',
  },
  http2Pings: {
    title: 'PING and SETTINGS frames at once',
    ...{ value: 1_000, min: 10, max: 1_000_000, unit: 'count' },
    reason:
      'Each requires a response. gRPC sends several per second, a browser one per minute; a tenth of the limit per ' +
      'second is always allowed.',
  },
  http2Resets: {
    title: 'HTTP/2 requests cancelled at once',
    ...{ value: 1_000, min: 10, max: 1_000_000, unit: 'count' },
    reason: 'A browser cancels some hundred when a page is closed; a tenth of the limit per second is always allowed.',
  },
  http2ControlBytes: {
    title: 'Bytes per second of other HTTP/2 frames',
    ...{ value: MIB, min: 16 * KIB, max: 1024 * MIB, unit: 'bytes' },
    reason:
      'Frames that belong to no request: 80,000 WINDOW_UPDATEs per second, of which a download of 600 MB/s needs half.',
  },
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** Limits that differ from the defaults, by name. `limitProblem` checks names and ranges, which the schema can't. */
export const GivenLimitsSchema = v.record(v.string(), v.number());
export type GivenLimits = v.InferOutput<typeof GivenLimitsSchema>;

export const DEFAULT_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name].value])) as Limits;

export function limitsOf(given: GivenLimits): Limits {
  return { ...DEFAULT_LIMITS, ...given };
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}

const UNITS = { bytes: ' bytes', ms: ' milliseconds', count: '' } as const;

/** Why this limit is invalid, and which values are valid, as part of a sentence; null if it is valid. */
export function limitProblem(name: string, value: number): string | null {
  if (!isLimitName(name)) return `there is no limit ${JSON.stringify(name)}; there are ${LIMIT_NAMES.join(', ')}`;
  const { min, max, unit, value: usual } = LIMITS[name];
  if (Number.isInteger(value) && value >= min && value <= max) return null;
  return (
    `the limit ${name} is ${value}; give a whole number from ${min} to ${max}${UNITS[unit]}, or omit it for ` +
    `${usual}`
  );
}
