import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../../shared/model/failure.ts';
import { formerCertificates, type KeyGuard, type Pair } from '../../engine/ca/ca-files.ts';
import { lifeOf } from '../../engine/ca/ca-renewal.ts';
import {
  adoptCertificateAuthority,
  type CertificateAuthority,
  openCertificateAuthority,
  renewCertificateAuthority,
  rotateCertificateAuthority,
} from '../../engine/ca/certificate-authority.ts';
import { tightenKeyFile } from '../../engine/ca/key-file-mode.ts';
import { failure } from '../../failures/errors.ts';

/** Whether the desktop app's CA in a folder has another key. True if it can't be read. */
function isAnother({ certificatePem }: CertificateAuthority, folder: string): boolean {
  try {
    const other = new X509Certificate(fs.readFileSync(path.join(folder, 'ca.crt')));
    return !other.publicKey.equals(new X509Certificate(certificatePem).publicKey);
  } catch {
    return true;
  }
}

function day(iso: string): string {
  return iso.slice(0, 10);
}

/** Keeps the CA of this host: opens it, renews it before it expires, replaces it when the user asks for that. */
export class CaKeeper {
  readonly #folder: string;
  readonly #guard: KeyGuard | undefined;
  readonly #listeners = new Set<(authority: CertificateAuthority) => void>();
  #authority: CertificateAuthority;
  #renewed: Failure | null = null;
  /** Set if the key file was readable by others at the start. */
  #exposed: Failure | null = null;
  /** The folder of the desktop app's CA, which only the app can open; null if there is no other CA. */
  #sealed: string | null = null;

  /**
   * Renews Roundtrip's CA if it is about to expire. Rejects with `ca.unreadable` or `ca.write-failed`. `now`:
   * milliseconds since the Unix epoch.
   */
  static async open(folder: string, guard: KeyGuard | null, now = Date.now()): Promise<CaKeeper> {
    const exposed = tightenKeyFile(folder);
    const keeper = new CaKeeper(folder, guard ?? undefined, await openCertificateAuthority(folder, guard ?? undefined));
    keeper.#exposed = exposed;
    if (lifeOf(keeper.authority.info, now) === 'renew') {
      await keeper.renew();
      keeper.#renewed = failure('ca.renewed', { date: day(keeper.authority.info.notAfter) });
    }
    return keeper;
  }

  /** Creates a new CA in a folder whose files can't be read; keeps the old files. Rejects with `ca.unreadable`. */
  static async rotateIn(folder: string, guard: KeyGuard | null): Promise<CaKeeper> {
    const made = await rotateCertificateAuthority(folder, guard ?? undefined);
    return new CaKeeper(folder, guard ?? undefined, made);
  }

  private constructor(folder: string, guard: KeyGuard | undefined, authority: CertificateAuthority) {
    this.#folder = folder;
    this.#guard = guard;
    this.#authority = authority;
  }

  get authority(): CertificateAuthority {
    return this.#authority;
  }

  /** The certificates of earlier CAs, PEM. */
  get former(): string[] {
    return formerCertificates(this.#folder);
  }

  /** What the user should know about the CA now. Reads the files again. */
  notices(now = Date.now()): Failure[] {
    const notices = [this.#renewed, this.#exposed].filter((notice) => notice !== null);
    if (lifeOf(this.#authority.info, now) === 'replace')
      notices.push(failure('ca.expires-soon', { date: day(this.#authority.info.notAfter) }));
    if (!this.#isOnDisk()) notices.push(failure('ca.changed-on-disk', { path: this.#folder }));
    if (this.#sealed !== null && isAnother(this.#authority, this.#sealed))
      notices.push(failure('ca.sealed', { path: this.#sealed, folder: this.#folder }));
    return notices;
  }

  /** Registers the folder of the desktop app's sealed CA. While that CA has another key, `notices` reports it. */
  standsBeside(folder: string): void {
    this.#sealed = folder;
  }

  #isOnDisk(): boolean {
    try {
      return (
        fs.readFileSync(this.#authority.certificatePath, 'latin1') === this.#authority.certificatePem &&
        fs.statSync(path.join(this.#folder, 'ca.key')).size > 0
      );
    } catch {
      return false;
    }
  }

  async renew(): Promise<void> {
    this.#become(await renewCertificateAuthority(this.#folder, this.#authority, this.#guard));
  }

  async rotate(): Promise<void> {
    this.#become(await rotateCertificateAuthority(this.#folder, this.#guard));
    this.#exposed = null;
  }

  /** `pair`: from `readCaMaterial`. */
  async adopt(pair: Pair): Promise<void> {
    this.#become(await adoptCertificateAuthority(this.#folder, pair, this.#guard));
    this.#exposed = null;
  }

  #become(authority: CertificateAuthority): void {
    this.#authority = authority;
    this.#renewed = null;
    for (const listener of this.#listeners) listener(authority);
  }

  onChange(listener: (authority: CertificateAuthority) => void): void {
    this.#listeners.add(listener);
  }
}
