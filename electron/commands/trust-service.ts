import type { CertificateAuthority } from '../engine/tls/certificate-authority.ts';
import { trustStores } from '../system/trust-stores.ts';
import type { Trust } from './host-services.ts';

/** The CA with the stores of this machine. */
export function trustOf(authority: CertificateAuthority): Trust {
  const stores = trustStores({ ca: authority });
  return {
    status: async () => ({
      certificate: authority.info,
      path: authority.certificatePath,
      stores: await stores.status(),
    }),
    install: (names) => stores.install(names),
    uninstall: (names) => stores.uninstall(names),
  };
}
