import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { publishOnce } from './publish-file.ts';

/** What is kept of one leaf. `names` is the key it is found by. */
export interface StoredLeaf {
  names: string[];
  certificatePem: string;
  /** Milliseconds since the Unix epoch. */
  notAfter: number;
}

/** Milliseconds. */
const SAVE_DELAY = 300;

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
 * Leaves on disk, and the key that all of them are for. The folder's name within `leaves/` is the CA's fingerprint, so
 * another CA's leaves are never looked at. A cache: whatever can't be read is made again, whatever can't be written is
 * only kept in memory.
 */
export class LeafStore {
  readonly keyPem: string;
  readonly #folder: string;
  readonly #publicKey: string;
  readonly #unsaved: StoredLeaf[] = [];
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

  /** Every leaf that still fits the key, at most `limit`, freshest first; files that are no use are removed. */
  async load(limit: number, oldest: number): Promise<StoredLeaf[]> {
    const files = await fs.promises.readdir(this.#folder).catch(() => []);
    const leaves: StoredLeaf[] = [];
    for (const file of files.filter((name) => name.endsWith('.pem'))) {
      const leaf = await this.#read(path.join(this.#folder, file), oldest);
      if (leaf !== null) leaves.push(leaf);
    }
    leaves.sort((a, b) => b.notAfter - a.notAfter);
    for (const leaf of leaves.slice(limit)) await this.#remove(this.#fileOf(leaf.names));
    return leaves.slice(0, limit);
  }

  #fileOf(names: string[]): string {
    return path.join(this.#folder, `${createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 32)}.pem`);
  }

  async #remove(file: string): Promise<void> {
    await fs.promises.rm(file, { force: true }).catch(() => undefined);
  }

  async #read(file: string, oldest: number): Promise<StoredLeaf | null> {
    try {
      const [names = '', ...pem] = (await fs.promises.readFile(file, 'latin1')).split('\n');
      const certificate = new X509Certificate(pem.join('\n'));
      const notAfter = Date.parse(certificate.validTo);
      const key = certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
      if (key === this.#publicKey && notAfter > oldest) {
        return { names: names.split(' '), certificatePem: pem.join('\n'), notAfter };
      }
    } catch {
      // Cut short or not ours: removed like an expired one.
    }
    await this.#remove(file);
    return null;
  }

  /** Best effort, and not at once: a new host's first request has better to do than to wait for a disk. */
  save(leaf: StoredLeaf): void {
    this.#unsaved.push(leaf);
    this.#timer ??= setTimeout(() => void this.#saveAll(), SAVE_DELAY).unref();
  }

  async #saveAll(): Promise<void> {
    for (let leaf = this.#unsaved.shift(); leaf; leaf = this.#unsaved.shift()) {
      const text = `${leaf.names.join(' ')}\n${leaf.certificatePem}`;
      await fs.promises.writeFile(this.#fileOf(leaf.names), text, { mode: 0o600 }).catch(() => undefined);
    }
    this.#timer = null;
  }
}
