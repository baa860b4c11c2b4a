/** What a request states about its trace (W3C Trace Context, section 3.2). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits: the caller's span. */
  parentId: string;
  sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;

/** Null for a value that the specification calls invalid: it is then ignored. */
export function parseTraceparent(value: string | undefined): TraceContext | null {
  const [, version, traceId = '', parentId = '', flags = '', rest] = TRACEPARENT.exec(value?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || NOTHING.test(traceId) || NOTHING.test(parentId)) return null;
  // Version 00 ends here; later ones may continue.
  if (version === '00' && rest !== undefined) return null;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Odd: multiplying by it modulo a power of two is injective, and spreads neighbours. */
const SPREAD = 0x9e3779b97f4a7c15n;

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function digitsOf(session: string): string {
  return session
    .replace(/[^0-9a-f]/gi, '')
    .padEnd(32, '5')
    .toLowerCase();
}

/** Phases of one attempt that can have a span, the attempt's own among them, and attempts of one exchange. */
const PHASES = 16;
const ATTEMPTS = 64;

/**
 * The ids of a session's traces and spans. The same exchange of a session always has the same ids: a second export is
 * recognised.
 */
export class SessionIds {
  /** The first half of all trace ids, as digits and as a number. */
  readonly #start: string;
  readonly #high: bigint;
  readonly #low: bigint;

  /** `session`: the session's id, a UUID. */
  constructor(session: string) {
    const digits = digitsOf(session);
    this.#start = digits.slice(0, 16);
    this.#high = BigInt(`0x${this.#start}`);
    this.#low = BigInt(`0x${digits.slice(16, 32)}`);
  }

  /** The trace of an exchange whose request has none: 32 hexadecimal digits. */
  trace(exchange: number): string {
    return this.#start + hex(this.#low ^ BigInt.asUintN(64, BigInt(exchange) * SPREAD), 16);
  }

  /** Unique in the session. `phase` 0: the attempt itself. */
  span(exchange: number, attempt: number, phase: number): bigint {
    const place = BigInt((exchange * ATTEMPTS + (attempt % ATTEMPTS)) * PHASES + phase);
    const id = this.#high ^ BigInt.asUintN(64, place * SPREAD);
    // An id of zeros is invalid.
    return id === 0n ? 1n : id;
  }
}

/** The trace of an exchange: the one that its `traceparent` names, or its own. */
export function traceIdOf(session: string, exchange: number, traceparent: string | undefined): string {
  return parseTraceparent(traceparent)?.traceId ?? new SessionIds(session).trace(exchange);
}
