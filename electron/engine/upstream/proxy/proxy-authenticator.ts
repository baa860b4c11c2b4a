import type { Failure } from '../../../../shared/model/failure.ts';
import { failure } from '../../../failures/errors.ts';
import { ConnectionError } from '../connect/connection-error.ts';
import type { AuthChallenge } from './auth-challenge.ts';
import { DigestAnswer } from './digest-answer.ts';
import { LoginRefusals } from './login-refusals.ts';
import type { ProxyLogin } from './proxy-login.ts';

/** Strongest first: the order of preference, regardless of the order offered. */
const SCHEMES = ['negotiate', 'ntlm', 'digest', 'basic'] as const;
export type AuthScheme = (typeof SCHEMES)[number];
/** SOCKS5 sends user and password in a separate message (RFC 1929). */
type RefusedScheme = AuthScheme | 'socks5';

/** Creates a Negotiate token (base64) for the HTTP service at a host from the user's ticket; null if there is none. */
export type TicketSource = (host: string) => Promise<string | null>;

/**
 * How long an unproven login delays other connections, in milliseconds: a wrong one is refused long before. Some
 * responses are slow for other reasons (a long poll): the next connection may then attempt it. The time doubles
 * after each unanswered attempt, because a proxy may be slow to refuse.
 */
const TRIAL_TIME = 5_000;

/**
 * Authentication to one proxy with one login: the scheme that the proxy accepts, and whether it accepted the login.
 * Both are learned from its first response and used from then on: a later connection costs no extra round trip. Only
 * one connection at a time attempts a login until it is known to be good, and none does once it was refused: some
 * directories lock an account after a few wrong passwords.
 */
export class ProxyAuthenticator {
  /** `host:port` of the proxy. */
  readonly address: string;
  readonly host: string;
  readonly login: ProxyLogin | null;
  /** The proxy has accepted a request without authentication. */
  letIn = false;
  readonly #ticket: TicketSource;
  readonly #refusals: LoginRefusals;
  /** SOCKS: the login is sent at once, without a challenge. */
  readonly #always: boolean;
  readonly #dropped = new Set<AuthScheme>();
  #scheme: AuthScheme | null = null;
  #digest: DigestAnswer | null = null;
  #good = false;
  #refused: Failure | null = null;
  #trial: Promise<void> | null = null;
  #trialTime = TRIAL_TIME;

  constructor(of: {
    address: string;
    host: string;
    login: ProxyLogin | null;
    ticket: TicketSource;
    unasked: boolean;
    /** Shared by all authenticators with that login. */
    refusals?: LoginRefusals;
  }) {
    this.address = of.address;
    this.host = of.host;
    this.login = of.login;
    this.#ticket = of.ticket;
    this.#refusals = of.refusals ?? new LoginRefusals();
    this.#always = of.unasked && of.login !== null;
  }

  get scheme(): AuthScheme | null {
    return this.#scheme;
  }

  get digest(): DigestAnswer | null {
    return this.#digest;
  }

  /** Whether the proxy has accepted the login. */
  get good(): boolean {
    return this.#good;
  }
  ticket(): Promise<string | null> {
    return this.#ticket(this.host);
  }

  /**
   * Waits until a login may be sent; call what it resolves with when its outcome is known. Rejects with a
   * ConnectionError once the proxy has refused the login.
   */
  async mayTry(): Promise<() => void> {
    for (;;) {
      if (this.#refused) throw new ConnectionError(this.#refused, false);
      if (this.#good || (this.#scheme === null && !this.#always)) return () => {};
      this.#checkElsewhere();
      if (!this.#trial) return this.#beginTrial();
      await this.#trial;
    }
  }

  /** Throws if other proxies have refused the login that would be sent now. */
  #checkElsewhere(): void {
    const address = this.#scheme === 'negotiate' ? null : this.#refusals.enough;
    if (address === null) return;
    const about = failure('proxy.wrong-password', { address, scheme: this.#scheme ?? 'socks5' });
    throw new ConnectionError(about, false);
  }

  #beginTrial(): () => void {
    let end = (): void => {};
    const trial = new Promise<void>((resolve) => {
      end = () => {
        clearTimeout(timer);
        if (this.#trial === trial) this.#trial = null;
        resolve();
      };
    });
    const timer = setTimeout(() => {
      this.#trialTime *= 2;
      end();
    }, this.#trialTime);
    this.#trial = trial;
    return () => end();
  }

  /** Chooses the strongest offered scheme that can be answered. Returns false if there is none. */
  choose(challenges: readonly AuthChallenge[]): boolean {
    for (const scheme of SCHEMES) {
      const offered = challenges.filter((each) => each.scheme === scheme);
      if (offered.length > 0 && !this.#dropped.has(scheme) && this.#canAnswer(scheme, offered)) {
        this.#scheme = scheme;
        this.letIn = false;
        this.#good = false;
        return true;
      }
    }
    return false;
  }

  #canAnswer(scheme: AuthScheme, offered: readonly AuthChallenge[]): boolean {
    // Whether there is a ticket is only known once it is requested.
    if (scheme === 'negotiate') return true;
    if (!this.login) return false;
    return scheme !== 'digest' || this.renew(offered);
  }

  /** Uses a new nonce from now on. */
  renew(challenges: readonly AuthChallenge[]): boolean {
    const { login } = this;
    if (!login) return false;
    const answers = challenges.filter((each) => each.scheme === 'digest').map((each) => DigestAnswer.to(each, login));
    const answer = answers.find((each) => each !== null);
    if (answer) this.#digest = answer;
    return answer !== undefined;
  }

  accepted(): void {
    this.#good = true;
    this.#trialTime = TRIAL_TIME;
    if (this.#scheme !== 'negotiate') this.#refusals.taken();
  }

  /** Drops a scheme that turns out to be unusable here: the next offered one is used. */
  drop(scheme: AuthScheme): void {
    this.#dropped.add(scheme);
    this.#scheme = null;
  }

  /** Marks the login as wrong: it is not sent again. */
  refuse(scheme: RefusedScheme): Failure {
    this.#good = false;
    this.#refusals.add(this.address);
    this.#refused = failure('proxy.wrong-password', { address: this.address, scheme });
    return this.#refused;
  }

  forget(): void {
    this.#refused = null;
    this.#refusals.forget();
    this.#trialTime = TRIAL_TIME;
    this.letIn = false;
    this.#scheme = null;
    this.#digest = null;
    this.#good = false;
    this.#dropped.clear();
  }
}
