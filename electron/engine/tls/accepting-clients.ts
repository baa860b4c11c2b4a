import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';

/** Kinds of clients are few; past this many the eldest is forgotten. */
const MOST = 200;

/**
 * Which programs have accepted our certificates, by what a CONNECT tells: the address and the User-Agent. A program that
 * accepts one host's and refuses another's may pin the other's, which is another matter than not trusting the CA.
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

  /** What a refused handshake means of a client that accepts other hosts' certificates; for any other, what it meant. */
  explained(about: Failure, client: string, host: string): Failure {
    if (about.code !== 'tls.client-rejected-certificate' || !this.#known.has(client)) return about;
    return failure('tls.client-pins-certificate', { host }, about.cause);
  }
}

/** A program as a CONNECT shows it: empty where it does not say what it is. `from`: its address and port. */
export function clientKind(userAgent: string | undefined, from: string | null): string {
  return userAgent ? `${(from ?? '').replace(/:\d+$/, '')} ${userAgent}` : '';
}
