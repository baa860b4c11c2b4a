import { createHash, randomBytes } from 'node:crypto';
import type { AuthChallenge } from './auth-challenge.ts';
import type { ProxyLogin } from './proxy-login.ts';

const ALGORITHMS: Record<string, string> = { md5: 'md5', 'sha-256': 'sha256', 'sha-512-256': 'sha512-256' };

function hasherOf(challenge: AuthChallenge): { hash: (text: string) => string; session: boolean } | null {
  const name = (challenge.params.get('algorithm') ?? 'MD5').toLowerCase();
  const session = name.endsWith('-sess');
  const algorithm = ALGORITHMS[session ? name.slice(0, -5) : name];
  if (!algorithm) return null;
  return { hash: (text) => createHash(algorithm).update(text, 'utf8').digest('hex'), session };
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Answers one nonce of a proxy as often as it allows (RFC 7616): later requests need no new challenge. */
export class DigestAnswer {
  readonly #challenge: AuthChallenge;
  readonly #login: ProxyLogin;
  readonly #clientNonce = randomBytes(12).toString('base64url');
  #count = 0;

  /** Null for an unsupported algorithm or quality of protection. */
  static to(challenge: AuthChallenge, login: ProxyLogin): DigestAnswer | null {
    const qop = challenge.params.get('qop');
    const speaks = qop === undefined || qop.split(',').some((each) => each.trim().toLowerCase() === 'auth');
    if (!speaks || !challenge.params.has('nonce') || !hasherOf(challenge)) return null;
    return new DigestAnswer(challenge, login);
  }

  private constructor(challenge: AuthChallenge, login: ProxyLogin) {
    this.#challenge = challenge;
    this.#login = login;
  }

  /** How many requests its nonce was used for. */
  get count(): number {
    return this.#count;
  }

  /** The value of Proxy-Authorization. `uri`: the request's target as it is sent. */
  header(method: string, uri: string): string {
    const { params } = this.#challenge;
    const { hash, session } = hasherOf(this.#challenge) ?? { hash: () => '', session: false };
    const realm = params.get('realm') ?? '';
    const nonce = params.get('nonce') ?? '';
    this.#count += 1;
    const count = this.#count.toString(16).padStart(8, '0');
    const secret = hash(`${this.#login.user}:${realm}:${this.#login.password}`);
    const first = session ? hash(`${secret}:${nonce}:${this.#clientNonce}`) : secret;
    const second = hash(`${method}:${uri}`);
    const protects = params.has('qop');
    const middle = protects ? `${nonce}:${count}:${this.#clientNonce}:auth` : nonce;
    const fields = [
      `username=${quoted(this.#login.user)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(nonce)}`,
      `uri=${quoted(uri)}`,
      `response="${hash(`${first}:${middle}:${second}`)}"`,
    ];
    for (const name of ['algorithm', 'opaque'] as const) {
      const value = params.get(name);
      if (value !== undefined) fields.push(name === 'opaque' ? `opaque=${quoted(value)}` : `algorithm=${value}`);
    }
    if (protects) fields.push('qop=auth', `nc=${count}`, `cnonce="${this.#clientNonce}"`);
    return `Digest ${fields.join(', ')}`;
  }
}
