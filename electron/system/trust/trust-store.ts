import { X509Certificate } from 'node:crypto';
import type { CertificateInfo } from '../../../shared/model/tls-info.ts';
import type { TrustStoreName, TrustStoreStatus } from '../../../shared/model/trust-store.ts';
import { CA_NAME_PREFIX } from '../../engine/ca/ca-files.ts';
import type { Command, CommandResult, Environment, RunCommand } from '../run-command.ts';
import type { ProofServer } from './proof-server.ts';

/** What every store needs. */
export interface TrustContext {
  ca: {
    certificatePath: string;
    info: CertificateInfo;
    /** Certificates of earlier CAs, PEM: imported ones can't be recognized by their name. */
    former: readonly string[];
  };
  env: Environment;
  run: RunCommand;
  /** Node's `process.platform`. */
  platform: string;
  /** Whether commands run as the administrator already. */
  isRoot: boolean;
  /** Whether a program that we run can prompt the user on this terminal (sudo does). */
  onTerminal: boolean;
}

/** A probe's result, without the store's names. */
export type Finding = Pick<TrustStoreStatus, 'state' | 'detail'>;

/** A certificate in a store. */
export interface Stored {
  name: string;
  /** SHA-256, colon-separated upper-case hex pairs. */
  fingerprint: string;
}

/** One place that can trust a CA. */
export interface TrustStore extends Pick<TrustStoreStatus, 'id' | 'store' | 'label' | 'needs'> {
  /** Never rejects. */
  probe(): Promise<Finding>;
  /** Returns what was done. Rejects with an Error whose message names the reason and the fix. */
  install(): Promise<string>;
  /** Likewise; also removes our older CAs. */
  uninstall(): Promise<string>;
  /** Whether a TLS client that has only this store accepts the server; null if there is no such client here. */
  handshake?(server: ProofServer): Promise<boolean | null>;
}

/** The CA's common name. */
export function commonNameOf(info: CertificateInfo): string {
  return /CN=([^,]+)$/.exec(info.subject)?.[1] ?? '';
}

/** The CA's name in stores: `Roundtrip CA 1a2b3c4d`. An imported CA is found by such a name too. */
export function caName(info: CertificateInfo): string {
  const name = commonNameOf(info);
  const ours = /^Roundtrip CA [0-9a-f]{8}$/.test(name);
  return ours ? name : CA_NAME_PREFIX + info.fingerprint.replaceAll(':', '').slice(0, 8).toLowerCase();
}

/** Name and fingerprint of a PEM certificate; null if it can't be read. */
export function identityOf(pem: string): Stored | null {
  try {
    const certificate = new X509Certificate(pem);
    return { name: /CN=(.+)/.exec(certificate.subject)?.[1] ?? '', fingerprint: certificate.fingerprint256 };
  } catch {
    return null;
  }
}

/** Whether a certificate is of this CA or an earlier one: by name, or by our earlier certificates. */
export function isOurs({ ca }: TrustContext, { name, fingerprint }: Stored): boolean {
  if (name.includes(CA_NAME_PREFIX) || fingerprint === ca.info.fingerprint) return true;
  return ca.former.some((pem) => identityOf(pem)?.fingerprint === fingerprint);
}

/** What these trusted certificates mean for a place. */
export function findingOf(context: TrustContext, stored: readonly Stored[], place: string): Finding {
  const ours = stored.filter((one) => isOurs(context, one));
  if (ours.some((one) => one.fingerprint === context.ca.info.fingerprint)) return { state: 'trusted', detail: place };
  if (ours.length === 0) return { state: 'not-trusted', detail: place };
  return {
    state: 'stale',
    detail: `${place} trusts ${ours.map((one) => one.name).join(', ')}, an older Roundtrip CA`,
  };
}

/** A store that this machine does not have. */
export function absentStore(store: TrustStoreName, label: string, detail: string): TrustStore {
  const refuse = (): Promise<string> => Promise.reject(new Error(`${label}: ${detail}.`));
  const probe = (): Promise<Finding> => Promise.resolve({ state: 'unavailable', detail });
  return { id: store, store, label, needs: 'none', probe, install: refuse, uninstall: refuse };
}

/** Runs a command. If it fails, throws an error with the last line that it printed. */
export async function mustRun(
  context: TrustContext,
  command: Command,
  explain: (command: Command, result: CommandResult) => string,
): Promise<CommandResult> {
  const result = await context.run(command, context.env);
  if (result.status !== 0) throw new Error(explain(command, result));
  return result;
}
