import fs from 'node:fs/promises';
import type { OutputOf, SavedFile } from '../../shared/contract/requests.ts';
import type { TrustStoreName } from '../../shared/model/trust-store.ts';
import type { HostServices } from './host-services.ts';

export async function exportCa({ files, trust }: HostServices): Promise<SavedFile> {
  const { path } = await trust.status();
  const suggestion = { name: 'roundtrip-ca.crt', extension: 'crt', description: 'Certificate (PEM)' };
  const target = await files.choose(suggestion);
  if (target === null) return { status: 'cancelled' };
  const certificate = await fs.readFile(path);
  await fs.writeFile(target.path, certificate);
  return await target.finish({ bytes: certificate.length, exchanges: 0 });
}

export async function installCa(
  { trust }: HostServices,
  stores: readonly TrustStoreName[],
): Promise<OutputOf<'ca.install'>> {
  const changes = await trust.install(stores);
  return { changes, stores: (await trust.status()).stores };
}

export async function uninstallCa(
  { trust }: HostServices,
  stores: readonly TrustStoreName[],
): Promise<OutputOf<'ca.uninstall'>> {
  const changes = await trust.uninstall(stores);
  return { changes, stores: (await trust.status()).stores };
}
