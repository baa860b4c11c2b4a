import fs from 'node:fs/promises';
import type { CaStatus, InputOf, OutputOf, SavedFile } from '../../shared/contract/requests.ts';
import { exportedCa } from '../engine/tls/ca-export.ts';
import { readCaMaterial } from '../engine/tls/ca-import.ts';
import type { HostServices } from './host-services.ts';

/** Throws `ca.export-refused`. A file with the key in it is the user's alone. */
export async function exportCa(
  { form, passphrase }: InputOf<'ca.export'>,
  { files, trust }: HostServices,
): Promise<SavedFile> {
  const { bytes, ...suggestion } = exportedCa(trust.ca.authority, form, passphrase);
  const target = await files.choose(suggestion);
  if (target === null) return { status: 'cancelled' };
  await fs.writeFile(target.path, bytes, { mode: form === 'p12' ? 0o600 : 0o644 });
  return await target.finish({ bytes: bytes.length, exchanges: 0 });
}

export async function installCa(
  { stores }: InputOf<'ca.install'>,
  { trust }: HostServices,
): Promise<OutputOf<'ca.install'>> {
  const changes = await trust.install(stores);
  return { changes, status: await trust.status() };
}

export async function uninstallCa(
  { stores }: InputOf<'ca.uninstall'>,
  { trust }: HostServices,
): Promise<OutputOf<'ca.uninstall'>> {
  const changes = await trust.uninstall(stores);
  return { changes, status: await trust.status() };
}

export async function renewCa({ trust }: HostServices): Promise<CaStatus> {
  await trust.ca.renew();
  return await trust.status();
}

export async function rotateCa({ trust }: HostServices): Promise<CaStatus> {
  await trust.ca.rotate();
  return await trust.status();
}

/** Throws `ca.import-refused`; then nothing has changed. */
export async function importCa(
  { files, passphrase }: InputOf<'ca.import'>,
  { trust }: HostServices,
): Promise<CaStatus> {
  const bytes = files.map((base64) => Buffer.from(base64, 'base64'));
  await trust.ca.adopt(readCaMaterial(bytes, passphrase));
  return await trust.status();
}
