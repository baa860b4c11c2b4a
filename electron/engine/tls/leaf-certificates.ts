import { randomBytes } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { describe, roundtripError } from '../errors.ts';
import { certificateNames } from './certificate-names.ts';
import { LeafIssuer } from './leaf-issuer.ts';
import { LeafStore, makeLeafKey, type StoredLeaf } from './leaf-store.ts';
import { DAY } from './sign-certificate.ts';

const RENEW_BEFORE = 7 * DAY;
const LIFETIME = 196 * DAY;
/** A context costs about 20 KB of native memory. */
const MEMORY_LIMIT = 1000;

export interface LeafCertificatesOptions {
  certificatePem: string;
  keyPem: string;
  /** The data folder; null: nothing is kept on disk. */
  folder: string | null;
}

interface Entry {
  context: SecureContext;
  notAfter: number;
}

/**
 * TLS contexts for the hosts that clients ask for, made on demand. Everything here is synchronous, on purpose: minting
 * costs about a millisecond, mostly the CA's signature, and a host that is asked for twice at once is minted once.
 */
export class LeafCertificates {
  /** Resolves when the leaves of earlier runs are read; until then they are minted again. Never rejects. */
  readonly ready: Promise<void>;
  readonly #issuer: LeafIssuer;
  readonly #store: LeafStore | null;
  readonly #leafKey: string;
  readonly #caPem: string;
  /** One for all contexts, so that a ticket from one tunnel resumes in the next whichever context serves it. */
  readonly #ticketKeys = randomBytes(48);
  /** Least recently used first. */
  readonly #contexts = new Map<string, Entry>();
  #stored = new Map<string, StoredLeaf>();

  constructor(options: LeafCertificatesOptions) {
    this.#caPem = options.certificatePem;
    this.#store = options.folder === null ? null : new LeafStore(options.folder, options.certificatePem);
    this.#leafKey = this.#store?.keyPem ?? makeLeafKey();
    this.#issuer = new LeafIssuer(options, this.#leafKey);
    this.ready = this.#load();
  }

  async #load(): Promise<void> {
    const leaves = (await this.#store?.load(MEMORY_LIMIT, Date.now() + RENEW_BEFORE)) ?? [];
    this.#stored = new Map(leaves.map((leaf) => [leaf.names.join(' '), leaf]));
  }

  /**
   * The context for a tunnel to `host` (name or IP literal, brackets or not) in which the client asked for `serverName`;
   * the certificate names both. Throws `tls.leaf-failed`.
   */
  contextFor(host: string, serverName: string | null = null): SecureContext {
    const key = serverName === null || serverName === host ? host : `${host} ${serverName}`;
    const known = this.#contexts.get(key);
    if (known !== undefined) {
      this.#contexts.delete(key);
      if (known.notAfter - Date.now() > RENEW_BEFORE) {
        this.#contexts.set(key, known);
        return known.context;
      }
    }
    return this.#remember(key, this.#make(host, serverName));
  }

  #make(host: string, serverName: string | null): Entry {
    try {
      const leaf = this.#leafFor(certificateNames(host, serverName));
      return { context: this.#contextOf(leaf.certificatePem), notAfter: leaf.notAfter };
    } catch (error) {
      throw roundtripError('tls.leaf-failed', { host, detail: describe(error) });
    }
  }

  #leafFor(names: string[]): StoredLeaf {
    const key = names.join(' ');
    const stored = this.#stored.get(key);
    this.#stored.delete(key);
    if (stored !== undefined && stored.notAfter - Date.now() > RENEW_BEFORE) return stored;
    const leaf = { names, certificatePem: this.#issuer.mint(names), notAfter: Date.now() + LIFETIME };
    this.#store?.save(leaf);
    return leaf;
  }

  #contextOf(certificatePem: string): SecureContext {
    return createSecureContext({
      key: this.#leafKey,
      // The CA is sent too: Chromium only allows its key (--ignore-certificate-errors-spki-list) where it is in the chain.
      cert: certificatePem + this.#caPem,
      ticketKeys: this.#ticketKeys,
      sessionIdContext: 'roundtrip',
      sessionTimeout: 3600,
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
