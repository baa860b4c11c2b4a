import { randomBytes } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { describe, roundtripError } from '../../failures/errors.ts';
import { certificateNames } from '../ca/certificate-names.ts';
import { DAY } from '../ca/sign-certificate.ts';
import { LeafIssuer } from './leaf-issuer.ts';
import { LeafStore, makeLeafKey, type StoredLeaf } from './leaf-store.ts';

const RENEW_BEFORE = 7 * DAY;
const LIFETIME = 196 * DAY;
/** Contexts. Each takes about 20 KB of native memory. */
const MEMORY_LIMIT = 1000;

export interface LeafCertificatesOptions {
  certificatePem: string;
  keyPem: string;
  /** The data folder; null keeps nothing on disk. */
  folder: string | null;
  /** True if all clients are on this machine. */
  localOnly?: boolean;
}

/**
 * Key exchanges with clients on this machine. Nobody records loopback traffic to decrypt it later with a quantum
 * computer, and X25519MLKEM768, otherwise the first choice, costs each side 0.1 ms.
 */
const LOCAL_GROUPS = 'X25519:P-256:P-384:P-521';

/**
 * The ciphers that Node's default list yields for a certificate with an EC key, in the same order. They are listed one
 * by one because resolving `HIGH:!aNULL:...` takes OpenSSL a third of the time that a context takes.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA',
].join(':');

const DONE = Promise.resolve();

/** Milliseconds since the Unix epoch. */
interface Life {
  notBefore: number;
  notAfter: number;
}

interface Entry extends Life {
  context: SecureContext;
}

/** A leaf that is not valid yet was issued before the clock was set back; every client would reject it. */
function isUsable({ notBefore, notAfter }: Life): boolean {
  const now = Date.now();
  return notBefore <= now && notAfter - now > RENEW_BEFORE;
}

function keyOf(host: string, serverName: string | null): string {
  return serverName === null || serverName === host ? host : `${host} ${serverName}`;
}

/**
 * TLS contexts for the hosts that clients connect to, made on demand. Each takes about a millisecond, half of it for
 * the CA's signature. A tunnel starts its host's context when it opens, in parallel with its client and its origin.
 */
export class LeafCertificates {
  /** Resolves when the leaves of earlier runs have been read; until then new ones are issued. Never rejects. */
  readonly ready: Promise<void>;
  readonly #issuer: LeafIssuer;
  readonly #store: LeafStore | null;
  readonly #leafKey: string;
  readonly #caPem: string;
  readonly #groups: { ecdhCurve?: string };
  /** Shared by all contexts: a ticket from one tunnel resumes in the next, whichever context serves it. */
  readonly #ticketKeys = randomBytes(48);
  /** Least recently used first. */
  readonly #contexts = new Map<string, Entry>();
  readonly #making = new Map<string, Promise<void>>();

  constructor(options: LeafCertificatesOptions) {
    this.#caPem = options.certificatePem;
    this.#groups = options.localOnly ? { ecdhCurve: LOCAL_GROUPS } : {};
    this.#store = options.folder === null ? null : new LeafStore(options.folder, options.certificatePem);
    this.#leafKey = this.#store?.keyPem ?? makeLeafKey();
    this.#issuer = new LeafIssuer(options, this.#leafKey);
    this.ready = this.#store?.load(MEMORY_LIMIT) ?? DONE;
  }

  /**
   * Prepares the context for a later `contextFor`, with the signature made on another thread. Resolves when the context
   * exists or could not be made; `contextFor` then throws the reason. Never rejects.
   */
  prepare(host: string, serverName: string | null = null): Promise<void> {
    const key = keyOf(host, serverName);
    if (this.#contexts.has(key)) return DONE;
    let making = this.#making.get(key);
    if (!making) {
      making = this.#makeAside(key, host, serverName).catch(() => {});
      this.#making.set(key, making);
    }
    return making;
  }

  async #makeAside(key: string, host: string, serverName: string | null): Promise<void> {
    try {
      const names = certificateNames(host, serverName);
      const leaf = this.#storedFor(names) ?? this.#fresh(names, await this.#issuer.mintAside(names));
      if (!this.#contexts.has(key)) this.#remember(key, this.#entryOf(leaf));
    } finally {
      this.#making.delete(key);
    }
  }

  /**
   * The context for a tunnel to `host` (a name, or an IP literal with or without brackets) whose client sent
   * `serverName` as SNI. The certificate names both. Throws `tls.leaf-failed`.
   */
  contextFor(host: string, serverName: string | null = null): SecureContext {
    const key = keyOf(host, serverName);
    const known = this.#contexts.get(key);
    if (known !== undefined) {
      this.#contexts.delete(key);
      if (isUsable(known)) {
        this.#contexts.set(key, known);
        return known.context;
      }
    }
    return this.#remember(key, this.#make(host, serverName));
  }

  #make(host: string, serverName: string | null): Entry {
    try {
      const names = certificateNames(host, serverName);
      return this.#entryOf(this.#storedFor(names) ?? this.#fresh(names, this.#issuer.mint(names)));
    } catch (error) {
      throw roundtripError('tls.leaf-failed', { host, detail: describe(error) });
    }
  }

  #storedFor(names: string[]): StoredLeaf | null {
    const stored = this.#store?.take(names) ?? null;
    return stored !== null && isUsable(stored) ? stored : null;
  }

  #fresh(names: string[], certificatePem: string): StoredLeaf {
    const now = Date.now();
    const leaf = { names, certificatePem, notBefore: now - DAY, notAfter: now + LIFETIME };
    this.#store?.save(leaf);
    return leaf;
  }

  #entryOf({ certificatePem, notBefore, notAfter }: StoredLeaf): Entry {
    return { context: this.#contextOf(certificatePem), notBefore, notAfter };
  }

  #contextOf(certificatePem: string): SecureContext {
    return createSecureContext({
      key: this.#leafKey,
      // Sends the CA too: Chromium's --ignore-certificate-errors-spki-list accepts its key only if it is in the chain.
      cert: certificatePem + this.#caPem,
      ticketKeys: this.#ticketKeys,
      sessionIdContext: 'roundtrip',
      sessionTimeout: 3600,
      ciphers: CIPHERS,
      ...this.#groups,
    });
  }

  #remember(key: string, entry: Entry): SecureContext {
    this.#contexts.set(key, entry);
    if (this.#contexts.size > MEMORY_LIMIT) {
      const [eldest] = this.#contexts.keys();
      if (eldest !== undefined) this.#contexts.delete(eldest);
    }
    return entry.context;
  }
}
