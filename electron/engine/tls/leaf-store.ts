import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { publishOnce } from '../../files/publish-file.ts';

/** A stored leaf. `names` is its key. */
export interface StoredLeaf {
  names: string[];
  certificatePem: string;
  /** Milliseconds since the Unix epoch. */
  notBefore: number;
  notAfter: number;
}

/** Milliseconds. */
const SAVE_DELAY = 300;

/** Ends each record. A record's first line holds the names, the rest is the certificate. */
const RECORD_END = '-----END CERTIFICATE-----\n';

/** Of a record without its end. */
function namesOf(record: string): string {
  const [names = ''] = record.split('\n', 1);
  return names;
}

function recordOf({ names, certificatePem }: StoredLeaf): string {
  return `${names.join(' ')}\n${certificatePem}`;
}

export function makeLeafKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
}

function readKey(file: string): string | null {
  try {
    const pem = fs.readFileSync(file, 'latin1');
    createPrivateKey(pem);
    return pem;
  } catch {
    return null;
  }
}

/**
 * Leaves on disk, and the key that they all share. The folder within `leaves/` is named after the CA's fingerprint,
 * which keeps the leaves of different CAs apart. This is a cache: leaves that can't be read are issued again, and
 * leaves that can't be written stay in memory only.
 */
export class LeafStore {
  readonly keyPem: string;
  readonly #folder: string;
  readonly #publicKey: string;
  readonly #unsaved: StoredLeaf[] = [];
  /** By names, oldest first; without their ends. */
  #records = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(dataFolder: string, caPem: string) {
    const ca = createHash('sha256').update(new X509Certificate(caPem).raw).digest('hex').slice(0, 32);
    this.#folder = path.join(dataFolder, 'leaves', ca);
    this.keyPem = this.#openKey();
    this.#publicKey = createPublicKey(this.keyPem).export({ type: 'spki', format: 'der' }).toString('base64');
  }

  #openKey(): string {
    const file = path.join(this.#folder, 'leaf.key');
    const kept = readKey(file);
    if (kept !== null) return kept;
    const made = makeLeafKey();
    try {
      fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      fs.rmSync(file, { force: true });
      publishOnce(file, made, 0o600);
    } catch {
      return made;
    }
    return readKey(file) ?? made;
  }

  /**
   * Reads the records, and removes all but the newest `limit` from the file, and those that a later one replaces. None
   * is checked before `take`: checking 1,000 of them took 0.15 s of each start. Never rejects.
   */
  async load(limit: number): Promise<void> {
    const text = await fs.promises.readFile(this.#file, 'latin1').catch(() => '');
    const records = text.split(RECORD_END);
    // Not empty if a process was killed while it wrote.
    const cut = records.pop();
    const found = new Map<string, string>();
    for (const record of records) {
      const names = namesOf(record);
      found.delete(names);
      found.set(names, record);
    }
    this.#records = new Map([...found].slice(-limit));
    if (this.#records.size < records.length || cut !== '') await this.#rewrite([...this.#records.values()]);
  }

  /** The leaf for these names, once. Null: there is none that can be read and has our key. */
  take(names: readonly string[]): StoredLeaf | null {
    const key = names.join(' ');
    const record = this.#records.get(key);
    this.#records.delete(key);
    return record === undefined ? null : this.#read(record);
  }

  get #file(): string {
    return path.join(this.#folder, 'leaves.pem');
  }

  #read(record: string): StoredLeaf | null {
    try {
      const names = namesOf(record);
      const certificatePem = `${record.slice(names.length + 1)}${RECORD_END}`;
      const certificate = new X509Certificate(certificatePem);
      const notBefore = Date.parse(certificate.validFrom);
      const notAfter = Date.parse(certificate.validTo);
      const key = certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
      const leaf = { names: names.split(' '), certificatePem, notBefore, notAfter };
      return key === this.#publicKey ? leaf : null;
    } catch {
      // Truncated, or not written by us.
      return null;
    }
  }

  async #rewrite(records: readonly string[]): Promise<void> {
    const made = `${this.#file}.${process.pid}`;
    try {
      await fs.promises.writeFile(made, records.map((record) => record + RECORD_END).join(''), { mode: 0o600 });
      await fs.promises.rename(made, this.#file);
    } catch {
      await fs.promises.rm(made, { force: true }).catch(() => undefined);
    }
  }

  /** Best effort, and delayed: a new host's first request must not wait for the disk. */
  save(leaf: StoredLeaf): void {
    this.#unsaved.push(leaf);
    this.#timer ??= setTimeout(() => void this.#saveAll(), SAVE_DELAY).unref();
  }

  /**
   * Appends all in one write, since several processes may append. One file per leaf took a tenth of a new host's CPU.
   */
  async #saveAll(): Promise<void> {
    const text = this.#unsaved.splice(0).map(recordOf).join('');
    this.#timer = null;
    await fs.promises.appendFile(this.#file, text, { mode: 0o600 }).catch(() => undefined);
  }
}
