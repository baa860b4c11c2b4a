import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Decides which requests the web host accepts. A page of another site can send requests to loopback, and with DNS
 * rebinding even read the responses. Therefore the Host header, the Origin and the token must all be ours.
 */
export class Gate {
  readonly token = randomBytes(32).toString('base64url');
  readonly #hosts: ReadonlySet<string>;

  /** `port`: where the web host listens. */
  constructor(port: number) {
    this.#hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  }

  /** Our own addresses, `host:port`. */
  get authorities(): string[] {
    return [...this.#hosts];
  }

  isOurHost({ headers }: IncomingMessage): boolean {
    return headers.host !== undefined && this.#hosts.has(headers.host.toLowerCase());
  }

  /** Programs other than browsers send no Origin; they still need the token. */
  isOurOrigin({ headers }: IncomingMessage): boolean {
    const { origin, host } = headers;
    return origin === undefined || origin === `http://${host}`;
  }

  /** Runs in constant time. */
  knowsToken(given: string | null): boolean {
    return timingSafeEqual(digest(given ?? ''), digest(this.token));
  }
}
