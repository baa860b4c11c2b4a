import type { CaStatus } from '../../shared/contract/requests.ts';
import type { TrustChange } from '../../shared/model/trust-store.ts';
import { lifeOf } from '../engine/tls/ca-renewal.ts';
import { startProofServer } from '../system/proof-server.ts';
import { type TrustStores, trustStores } from '../system/trust-stores.ts';
import type { CaKeeper } from './ca-keeper.ts';
import type { Trust } from './host-services.ts';

/** The CA with the stores of this machine. */
export class TrustService implements Trust {
  readonly ca: CaKeeper;

  constructor(ca: CaKeeper) {
    this.ca = ca;
  }

  #stores(): TrustStores {
    const { certificatePath, info } = this.ca.authority;
    return trustStores({
      ca: { certificatePath, info, former: this.ca.former },
      startProof: () => startProofServer(this.ca.authority),
    });
  }

  async status(): Promise<CaStatus> {
    const { info, certificatePath } = this.ca.authority;
    return {
      certificate: info,
      path: certificatePath,
      life: lifeOf(info, Date.now()),
      notices: this.ca.notices(),
      stores: await this.#stores().status(),
    };
  }

  install(selectors: readonly string[]): Promise<TrustChange[]> {
    return this.#stores().install(selectors);
  }

  uninstall(selectors: readonly string[]): Promise<TrustChange[]> {
    return this.#stores().uninstall(selectors);
  }
}
