import fs from 'node:fs';
import { TRUST_STORES, type TrustChange, type TrustStoreName } from '../../shared/model/trust-store.ts';
import type { Trust } from '../commands/host-services.ts';
import { trustOf } from '../commands/trust-service.ts';
import { openCertificateAuthority } from '../engine/tls/certificate-authority.ts';
import { caFolderOf } from './ca-folder.ts';
import type { CommandLine } from './options.ts';
import { Output } from './output.ts';

type CaCommand = Extract<CommandLine, { command: 'ca' }>;

/** What `install` means where no store is named: what the browsers of this system read, without an administrator if possible. */
const USUAL: Partial<Record<NodeJS.Platform, TrustStoreName[]>> = { darwin: ['keychain'], win32: ['windows'] };

function chosen({ stores, action }: CaCommand, here: readonly TrustStoreName[]): readonly TrustStoreName[] {
  if (stores === 'all' || (stores === null && action === 'uninstall')) return here;
  return stores ?? USUAL[process.platform] ?? ['system', 'nss'];
}

async function status(trust: Trust, { stores }: CaCommand, output: Output): Promise<number> {
  const found = await trust.status();
  const wanted = stores === null || stores === 'all' ? TRUST_STORES : stores;
  const shown = found.stores.filter(({ store }) => wanted.includes(store));
  output.event({ event: 'ca', ...found, stores: shown });
  output.say(`${found.certificate.subject}\n  file         ${found.path}`);
  output.say(`  fingerprint  ${found.certificate.fingerprint}\n  expires      ${found.certificate.notAfter}`);
  for (const { store, state, label, detail } of shown) {
    output.say(`  ${store.padEnd(11)}  ${state.padEnd(11)}  ${label}: ${detail}`);
  }
  return 0;
}

function report(changes: readonly TrustChange[], output: Output): number {
  output.event({ event: 'ca', changes });
  for (const { store, ok, message } of changes)
    output.say(`${ok ? 'ok    ' : 'failed'}  ${store.padEnd(8)}  ${message}`);
  return changes.every(({ ok }) => ok) ? 0 : 1;
}

async function exportCertificate(file: string, output: Output): Promise<number> {
  const pem = fs.readFileSync(file, 'utf8');
  if (output.json) output.event({ event: 'ca', path: file, pem });
  else process.stdout.write(pem);
  return 0;
}

/** Shows, exports, installs or removes the CA. Gives the exit code: 1 where a store refused. */
export async function ca(command: CaCommand): Promise<number> {
  const output = new Output(command.json);
  const trust = trustOf(await openCertificateAuthority(caFolderOf(command.dataFolder)));
  if (command.action === 'status') return status(trust, command, output);
  const { path, stores } = await trust.status();
  if (command.action === 'export') return exportCertificate(path, output);
  const here = stores.filter(({ state }) => state !== 'unavailable').map(({ store }) => store);
  const names = chosen(command, here);
  return report(command.action === 'install' ? await trust.install(names) : await trust.uninstall(names), output);
}
