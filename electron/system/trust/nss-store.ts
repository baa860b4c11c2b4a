import type { TrustStoreName } from '../../../shared/model/trust-store.ts';
import { describe } from '../../failures/errors.ts';
import { findProgram } from '../run-command.ts';
import { CERTUTIL_PACKAGE, findCertutil, NssDatabase } from './nss-database.ts';
import type { NssPlace } from './nss-places.ts';
import type { ProofServer } from './proof-server.ts';
import type { Finding, TrustContext, TrustStore } from './trust-store.ts';

/** The NSS database of Chromium or of a Firefox profile. It belongs to the user and needs no confirmation. */
export class NssStore implements TrustStore {
  readonly id: string;
  readonly store: TrustStoreName;
  readonly label: string;
  readonly needs = 'nobody';
  readonly #place: NssPlace;
  readonly #context: TrustContext;

  constructor(place: NssPlace, context: TrustContext) {
    this.id = `${place.store}:${place.folder}`;
    this.store = place.store;
    this.label = place.label;
    this.#place = place;
    this.#context = context;
  }

  #database(): NssDatabase {
    const certutil = findCertutil(this.#context.env);
    if (certutil === null) throw new Error(CERTUTIL_PACKAGE);
    return new NssDatabase(this.#place.folder, this.#context, certutil);
  }

  async probe(): Promise<Finding> {
    try {
      return await this.#database().probe();
    } catch (error) {
      return { state: 'unavailable', detail: describe(error) };
    }
  }

  async install(): Promise<string> {
    await this.#database().install();
    return `Put the CA into ${this.#place.folder}; restart running browsers.`;
  }

  async uninstall(): Promise<string> {
    const removed = await this.#database().uninstall();
    const { folder } = this.#place;
    return removed === 0
      ? `No Roundtrip CA was found in ${folder}.`
      : `Removed ${removed} of Roundtrip's CAs from ${folder}.`;
  }

  /**
   * By NSS's own test client, which comes with certutil on Debian. -4: where the server listens; -Q: it ends after the
   * handshake.
   */
  async handshake({ port }: ProofServer): Promise<boolean | null> {
    const tstclnt = findProgram('tstclnt', this.#context.env);
    if (tstclnt === null) return null;
    const place = ['-4', '-h', 'localhost', '-p', String(port), '-d', `sql:${this.#place.folder}`, '-Q'];
    return (await this.#context.run([tstclnt, ...place], this.#context.env)).status === 0;
  }
}
