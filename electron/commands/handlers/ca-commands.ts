import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { SavedFile } from '../../../shared/contract/saved-file.ts';
import { type CaForm, exportedCa } from '../../engine/ca/ca-export.ts';
import { readCaMaterial } from '../../engine/ca/ca-import.ts';
import { roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { writeUserFile } from '../../files/user-file.ts';
import type { HostServices } from '../host-services.ts';

/** Rejects with `ca.export-failed`. A file that contains the key is readable only by its owner. */
export async function writeCaExport(file: string, bytes: Uint8Array, form: CaForm): Promise<void> {
  try {
    await writeUserFile(file, bytes, form === 'p12' ? 0o600 : 0o644);
  } catch (error) {
    throw roundtripError('ca.export-failed', { path: file, detail: fileProblem(error, file) }, systemCode(error));
  }
}

/** Rejects with `ca.export-refused` or `ca.export-failed`. */
export async function exportCa(
  { form, passphrase }: InputOf<'ca.export'>,
  { files, trust }: HostServices,
): Promise<SavedFile> {
  const { bytes, ...suggestion } = await exportedCa(trust.ca.authority, form, passphrase);
  const target = await files.choose(suggestion);
  if (target === null) return { status: 'cancelled' };
  try {
    await writeCaExport(target.path, bytes, form);
    return await target.finish({ bytes: bytes.length, exchanges: 0 });
  } catch (error) {
    await target.discard();
    throw error;
  }
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

/** Rejects with `ca.import-refused` and then changes nothing. */
export async function importCa(
  { files, passphrase }: InputOf<'ca.import'>,
  { trust }: HostServices,
): Promise<CaStatus> {
  const bytes = files.map((base64) => Buffer.from(base64, 'base64'));
  await trust.ca.adopt(await readCaMaterial(bytes, passphrase));
  return await trust.status();
}
