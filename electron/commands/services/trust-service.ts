import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import type { TrustChange } from '../../../shared/model/trust-store.ts';
import { lifeOf } from '../../engine/ca/ca-renewal.ts';
import { startProofServer } from '../../system/trust/proof-server.ts';
import { type TrustStores, trustStores } from '../../system/trust/trust-stores.ts';
import type { Trust } from '../host-services.ts';
import type { CaKeeper } from './ca-keeper.ts';

/** The CA and this machine's certificate stores. */
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

  async status(selectors?: readonly string[]): Promise<CaStatus> {
    const { info, certificatePath } = this.ca.authority;
    return {
      certificate: info,
      path: certificatePath,
      life: lifeOf(info, Date.now()),
      notices: this.ca.notices(),
      stores: await this.#stores().status(selectors),
    };
  }

  install(selectors: readonly string[]): Promise<TrustChange[]> {
    return this.#stores().install(selectors);
  }

  uninstall(selectors: readonly string[]): Promise<TrustChange[]> {
    return this.#stores().uninstall(selectors);
  }
}
