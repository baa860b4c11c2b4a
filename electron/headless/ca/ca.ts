import fs from 'node:fs';
import { TRUST_STORES, type TrustChange } from '../../../shared/model/trust-store.ts';
import { writeCaExport } from '../../commands/handlers/ca-commands.ts';
import { CaKeeper } from '../../commands/services/ca-keeper.ts';
import { TrustService } from '../../commands/services/trust-service.ts';
import { exportedCa } from '../../engine/ca/ca-export.ts';
import { readCaMaterial } from '../../engine/ca/ca-import.ts';
import { roundtripError } from '../../failures/errors.ts';
import { Output } from '../output.ts';
import { caFolderOf } from './ca-folder.ts';
import type { CaCommand } from './ca-options.ts';

/** Default stores of `install`: those that the system's browsers use, if possible without administrator rights. */
const USUAL: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['keychain'], win32: ['windows'] };

/** An environment variable rather than an option: any user can read the command line of a process. */
function passphrase(): string {
  return process.env.ROUNDTRIP_PASSPHRASE ?? '';
}

async function chosen({ stores, action }: CaCommand, trust: TrustService): Promise<readonly string[]> {
  if (stores !== 'all' && stores !== null) return stores;
  if (stores === null && action === 'install') return USUAL[process.platform] ?? ['system', 'nss'];
  const here = (await trust.status()).stores;
  return here.filter(({ state, needs }) => state !== 'unavailable' && needs !== 'none').map(({ id }) => id);
}

async function status(trust: TrustService, { stores }: CaCommand, output: Output): Promise<number> {
  const found = await trust.status();
  const wanted: readonly string[] = stores === null || stores === 'all' ? TRUST_STORES : stores;
  const shown = found.stores.filter(({ store, id }) => wanted.includes(store) || wanted.includes(id));
  output.event({ event: 'ca', ...found, stores: shown });
  output.say(`${found.certificate.subject}\n  file         ${found.path}`);
  output.say(`  fingerprint  ${found.certificate.fingerprint}\n  expires      ${found.certificate.notAfter}`);
  for (const { store, state, label, detail } of shown) {
    output.say(`  ${store.padEnd(11)}  ${state.padEnd(11)}  ${label}: ${detail}`);
  }
  for (const notice of found.notices) output.failure(notice);
  return 0;
}

function report(changes: readonly TrustChange[], output: Output): number {
  output.event({ event: 'ca', changes });
  for (const { label, ok, message } of changes) output.say(`${ok ? 'ok    ' : 'failed'}  ${label}: ${message}`);
  return changes.every(({ ok }) => ok) ? 0 : 1;
}

/** Rejects with `ca.export-failed`. A file that contains the key is readable only by its owner. */
async function exportCa(ca: CaKeeper, { form, out }: CaCommand, output: Output): Promise<number> {
  const { certificatePath, certificatePem } = ca.authority;
  const { bytes } = await exportedCa(ca.authority, form, passphrase());
  if (out !== null) {
    await writeCaExport(out, bytes, form);
    output.event({ event: 'ca', path: out, form });
    output.say(out);
  } else if (output.json) output.event({ event: 'ca', path: certificatePath, pem: certificatePem });
  else process.stdout.write(bytes);
  return 0;
}

/** Prints a CA that has changed. Stores that trust the previous one show up as `stale` in `status`. */
function say({ authority }: CaKeeper, output: Output): number {
  const { info, certificatePath } = authority;
  output.event({ event: 'ca', certificate: info, path: certificatePath });
  output.say(`${info.subject}\n  expires  ${info.notAfter}\nInstall it with: roundtrip ca install`);
  return 0;
}

function readFiles(files: readonly string[]): Buffer[] {
  try {
    return files.map((file) => fs.readFileSync(file));
  } catch (error) {
    throw roundtripError('ca.import-refused', { detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Shows, exports, installs, removes, renews or replaces the CA. Returns the exit code: 1 if a store failed. */
export async function ca(command: CaCommand): Promise<number> {
  const output = new Output(command.json);
  const folder = caFolderOf(command.dataFolder);
  // Must work even if the CA's files can't be read: that is when it is needed most.
  if (command.action === 'rotate') return say(await CaKeeper.rotateIn(folder, null), output);
  const keeper = await CaKeeper.open(folder, null);
  if (folder !== command.dataFolder) keeper.standsBeside(command.dataFolder);
  const trust = new TrustService(keeper);
  switch (command.action) {
    case 'status':
      return status(trust, command, output);
    case 'export':
      return await exportCa(keeper, command, output);
    case 'renew':
      await keeper.renew();
      return say(keeper, output);
    case 'import':
      await keeper.adopt(await readCaMaterial(readFiles(command.files), passphrase()));
      return say(keeper, output);
    case 'install':
      return report(await trust.install(await chosen(command, trust)), output);
    case 'uninstall':
      return report(await trust.uninstall(await chosen(command, trust)), output);
  }
}
