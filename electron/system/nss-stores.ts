import type { TrustStoreName } from '../../shared/model/trust-store.ts';
import { CERTUTIL_PACKAGE, findCertutil, NssDatabase } from './nss-database.ts';
import type { Finding, TrustContext, TrustStore } from './trust-store.ts';

/** Of several databases the worst counts: a browser that does not trust us is what a user has to know of. */
const WORST_FIRST = ['stale', 'not-trusted', 'trusted'] as const;

export interface NssPlace {
  name: TrustStoreName;
  label: string;
  folders: () => string[];
  /** Said where there are none. */
  none: string;
}

/** A store made of NSS databases: Chromium's, or all Firefox profiles. */
export class NssStore implements TrustStore {
  readonly name: TrustStoreName;
  readonly label: string;
  readonly #place: NssPlace;
  readonly #context: TrustContext;

  constructor(place: NssPlace, context: TrustContext) {
    this.name = place.name;
    this.label = place.label;
    this.#place = place;
    this.#context = context;
  }

  #databases(): NssDatabase[] {
    const certutil = findCertutil(this.#context.env);
    if (certutil === null) throw new Error(CERTUTIL_PACKAGE);
    const folders = this.#place.folders();
    if (folders.length === 0) throw new Error(this.#place.none);
    return folders.map((folder) => new NssDatabase(folder, this.#context, certutil));
  }

  async probe(): Promise<Finding> {
    try {
      const findings = await Promise.all(this.#databases().map((database) => database.probe()));
      const worst = WORST_FIRST.find((state) => findings.some((finding) => finding.state === state)) ?? 'not-trusted';
      const of = findings.filter((finding) => finding.state === worst);
      return { state: worst, detail: of.map((finding) => finding.detail).join(', ') };
    } catch (error) {
      return { state: 'unavailable', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async install(): Promise<string> {
    const databases = this.#databases();
    for (const database of databases) await database.install();
    return `Put the CA into ${databases.map(({ folder }) => folder).join(', ')}. Restart the browser.`;
  }

  async uninstall(): Promise<string> {
    let removed = 0;
    for (const database of this.#databases()) removed += await database.uninstall();
    const places = this.#place.folders().join(', ');
    return removed === 0
      ? `There was no CA of Roundtrip in ${places}.`
      : `Removed ${removed} of Roundtrip's CAs from ${places}.`;
  }
}
