import type { CertificateAuthority } from '../../engine/ca/certificate-authority.ts';
import { LeafCertificates } from '../../engine/tls/leaf-certificates.ts';
import { Link, type LinkConditions } from '../link/link.ts';
import { originOf, type ReadBody, type RecordedPage } from '../page/recorded-page.ts';
import type { VariantPlan } from '../variants.ts';
import { type OriginConditions, ReplayOrigin } from './replay-origin.ts';
import { ReplaySource } from './replay-source.ts';

const NO_DELAY: LinkConditions = { rtt: 0, bandwidth: 0, nagle: false };

/** All origins of a page behind one emulated network. Loads run in sequence. */
export class ReplayNetwork {
  readonly source: ReplaySource;
  /** Chromium's `--host-resolver-rules`: the page's origins lead to their listeners, any other name to nothing. */
  readonly resolverRules: string;
  readonly #origins: readonly ReplayOrigin[];
  readonly #state: { conditions: OriginConditions };

  /** Listens for each origin of the page. `authority`: signs the certificates. */
  static async open(page: RecordedPage, read: ReadBody, authority: CertificateAuthority): Promise<ReplayNetwork> {
    const leaves = new LeafCertificates({ ...authority, folder: null });
    const source = new ReplaySource(page, read);
    const state = { conditions: { link: new Link(NO_DELAY), http2: false } };
    const names = [...new Set(page.responses.map(originOf))];
    const origins = names.map((name) => {
      const context = leaves.contextFor(new URL(`https://${name}`).hostname);
      return new ReplayOrigin(name, source, context, () => state.conditions);
    });
    const ports = await Promise.all(origins.map((origin) => origin.listen()));
    const rules = origins.map(({ name }, index) => `MAP ${name} 127.0.0.1:${ports[index]}`);
    return new ReplayNetwork(source, origins, state, [...rules, 'MAP * ~NOTFOUND'].join(', '));
  }

  private constructor(
    source: ReplaySource,
    origins: readonly ReplayOrigin[],
    state: { conditions: OriginConditions },
    resolverRules: string,
  ) {
    this.source = source;
    this.#origins = origins;
    this.#state = state;
    this.resolverRules = resolverRules;
  }

  get origins(): number {
    return this.#origins.length;
  }

  /** Begins a load with new connections. `overHttp2`: the protocol of this load. */
  begin(plan: VariantPlan, overHttp2: boolean, network: Pick<LinkConditions, 'rtt' | 'bandwidth'>): void {
    for (const origin of this.#origins) origin.closeConnections();
    this.#state.conditions = { link: new Link({ ...network, nagle: plan.nagle }), http2: overHttp2 };
    this.source.begin(plan);
  }

  close(): void {
    for (const origin of this.#origins) origin.close();
  }
}
