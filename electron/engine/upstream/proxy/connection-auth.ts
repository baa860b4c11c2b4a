import type { Failure } from '../../../../shared/model/failure.ts';
import { allHeaders } from '../../../../shared/model/headers.ts';
import { failure } from '../../../failures/errors.ts';
import type { ResponseHead } from '../../http/message.ts';
import { type AuthChallenge, offeredSchemes, readChallenges } from './auth-challenge.ts';
import { ntlmAuthenticate, ntlmNegotiate } from './ntlm-answer.ts';
import type { AuthScheme, ProxyAuthenticator } from './proxy-authenticator.ts';

/**
 * What the proxy's response means. `pass`: it accepted the request. `again`: send the same request again over the
 * same connection. `reconnect`: send it again over any connection. Otherwise the reason why it refused.
 */
export type AuthVerdict = 'pass' | 'again' | 'reconnect' | Failure;

/**
 * The authentication of one connection to a proxy. NTLM and Negotiate authenticate a connection once; Basic and Digest
 * authenticate each request.
 */
export class ConnectionAuth {
  readonly #authenticator: ProxyAuthenticator;
  #release: () => void = () => {};
  #sent: AuthScheme | null = null;
  #ntlmChallenge: string | null = null;
  #ticket: string | null = null;
  #inside = false;
  #renewed = false;

  constructor(authenticator: ProxyAuthenticator) {
    this.#authenticator = authenticator;
  }

  /**
   * Called before a connection's first request: waits its turn and gets a ticket if needed. Rejects as `mayTry` does.
   */
  async prepare(): Promise<void> {
    this.#release();
    this.#release = await this.#authenticator.mayTry();
    if (this.#authenticator.scheme !== 'negotiate' || this.#inside) return;
    this.#ticket = await this.#authenticator.ticket();
    if (this.#ticket === null) this.#authenticator.drop('negotiate');
  }

  /** The value of Proxy-Authorization for the next request, or null. `uri`: its target as it is sent. */
  header(method: string, uri: string): string | null {
    const { scheme, login } = this.#authenticator;
    this.#sent = null;
    if (this.#inside || scheme === null) return null;
    this.#sent = scheme;
    if (scheme === 'negotiate') return `Negotiate ${this.#ticket ?? ''}`;
    if (!login) return null;
    if (scheme === 'basic') return `Basic ${Buffer.from(`${login.user}:${login.password}`, 'utf8').toString('base64')}`;
    if (scheme === 'digest') return this.#authenticator.digest?.header(method, uri) ?? null;
    return this.#ntlmChallenge === null ? ntlmNegotiate() : ntlmAuthenticate(this.#ntlmChallenge, login);
  }

  /**
   * Whether the proxy may still challenge the request that `header` was for, although the login is right: no scheme is
   * known yet, or a nonce is old.
   */
  get mayBeChallenged(): boolean {
    if (this.#inside) return false;
    if (this.#sent === null) return this.#authenticator.login !== null || !this.#authenticator.letIn;
    return this.#sent === 'digest' && (this.#authenticator.digest?.count ?? 0) > 1;
  }

  /**
   * Whether the request that `header` was for carries an unproven password. If no response arrives, it is not sent
   * again: the password may have been refused, and some directories lock an account after a few wrong ones.
   */
  get guesses(): boolean {
    if (this.#authenticator.good || this.#sent === null || this.#sent === 'negotiate') return false;
    return this.#sent !== 'ntlm' || this.#ntlmChallenge !== null;
  }

  /** Whether authentication takes two messages, the first of which is always challenged. */
  get needsGreeting(): boolean {
    return this.#authenticator.scheme === 'ntlm' && !this.#inside;
  }

  /** Reads the response to the request that `header` was for. */
  responded(head: Pick<ResponseHead, 'status' | 'headers'>): AuthVerdict {
    const verdict = head.status === 407 ? this.#challenged(head) : this.#passed();
    if (verdict !== 'again') this.close();
    return verdict;
  }

  /** The proxy refused the login just sent with a status other than 407. */
  refused(): Failure | null {
    const failed = this.#sent && this.#authenticator.refuse(this.#sent);
    this.close();
    return failed;
  }

  /** The connection is gone, or its outcome known: other connections may attempt their login. */
  close(): void {
    this.#release();
    this.#release = () => {};
  }

  #passed(): AuthVerdict {
    if (this.#sent === null) this.#authenticator.letIn = true;
    else this.#authenticator.accepted();
    if (this.#sent === 'ntlm' || this.#sent === 'negotiate') this.#inside = true;
    return 'pass';
  }

  #challenged({ headers }: Pick<ResponseHead, 'headers'>): AuthVerdict {
    const challenges = readChallenges(allHeaders(headers, 'proxy-authenticate'));
    const sent = this.#sent;
    if (sent === null) return this.#choose(challenges);
    if (sent === 'ntlm' && this.#ntlmChallenge === null) return this.#ntlmAnswer(challenges);
    if (sent === 'digest' && this.#mayRenew(challenges)) return 'again';
    if (sent === 'negotiate') {
      this.#authenticator.drop('negotiate');
      return this.#choose(challenges);
    }
    return this.#authenticator.refuse(sent);
  }

  #choose(challenges: readonly AuthChallenge[]): AuthVerdict {
    if (this.#authenticator.choose(challenges)) return 'reconnect';
    const schemes = offeredSchemes(challenges);
    const { address, login } = this.#authenticator;
    const code = login ? 'proxy.authentication-unsupported' : 'proxy.authentication-required';
    return failure(code, { address, schemes });
  }

  #ntlmAnswer(challenges: readonly AuthChallenge[]): AuthVerdict {
    const token = challenges.find((each) => each.scheme === 'ntlm')?.token ?? null;
    if (token === null) return this.#authenticator.refuse('ntlm');
    this.#ntlmChallenge = token;
    return 'again';
  }

  /**
   * An expired nonce is marked `stale`. Some proxies omit that mark; a login that was accepted before gets the benefit
   * of the doubt.
   */
  #mayRenew(challenges: readonly AuthChallenge[]): boolean {
    const digest = challenges.find((each) => each.scheme === 'digest');
    const stale = digest?.params.get('stale')?.toLowerCase() === 'true';
    if (this.#renewed || !digest || !(stale || this.#authenticator.good)) return false;
    this.#renewed = true;
    return this.#authenticator.renew(challenges);
  }
}
