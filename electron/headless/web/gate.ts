import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Who may talk to the web host. A page of some other site can send requests to loopback, and by DNS rebinding even read
 * the answers: so the Host header has to name us, the Origin has to be ours, and the token has to be known.
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

  /** A program that is no browser sends no Origin; it needs the token all the same. */
  isOurOrigin({ headers }: IncomingMessage): boolean {
    const { origin, host } = headers;
    return origin === undefined || origin === `http://${host}`;
  }

  /** Takes the same time whatever was given. */
  knowsToken(given: string | null): boolean {
    return timingSafeEqual(digest(given ?? ''), digest(this.token));
  }
}
