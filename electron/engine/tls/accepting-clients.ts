import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';

/** There are few kinds of clients; beyond this many, the oldest is dropped. */
const MOST = 200;

/**
 * The programs that have accepted our certificates, identified by what a CONNECT shows: the address and the User-Agent.
 * A program that accepts one host's certificate and rejects another's may pin the latter; that is a different failure
 * from not trusting the CA.
 */
export class AcceptingClients {
  readonly #known = new Set<string>();

  accepted(client: string): void {
    if (client === '' || this.#known.has(client)) return;
    this.#known.add(client);
    const [eldest] = this.#known;
    if (this.#known.size > MOST && eldest !== undefined) this.#known.delete(eldest);
  }

  has(client: string): boolean {
    return this.#known.has(client);
  }

  /**
   * Reports pinning if the client accepts other hosts' certificates; for any other client, returns `about` unchanged.
   */
  explained(about: Failure, client: string, host: string): Failure {
    if (about.code !== 'tls.client-rejected-certificate' || !this.#known.has(client)) return about;
    return failure('tls.client-pins-certificate', { host }, about.cause);
  }
}

/** Identifies a program by its CONNECT; empty without a User-Agent. `from`: its address and port. */
export function clientKind(userAgent: string | undefined, from: string | null): string {
  return userAgent ? `${(from ?? '').replace(/:\d+$/, '')} ${userAgent}` : '';
}
