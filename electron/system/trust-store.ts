import { X509Certificate } from 'node:crypto';
import type { CertificateInfo } from '../../shared/model/tls-info.ts';
import type { TrustChange, TrustStoreName, TrustStoreStatus } from '../../shared/model/trust-store.ts';
import { CA_NAME_PREFIX } from '../engine/tls/certificate-authority.ts';
import type { Command, CommandResult, Environment, RunCommand } from './run-command.ts';

/** What every store needs to know. */
export interface TrustContext {
  ca: { certificatePath: string; info: CertificateInfo };
  env: Environment;
  run: RunCommand;
}

/** What a probe found, without the store's names. */
export type Finding = Pick<TrustStoreStatus, 'state' | 'detail'>;

/** One place that can trust a CA. Nothing here rejects: what goes wrong is in the answer. */
export interface TrustStore {
  readonly name: TrustStoreName;
  readonly label: string;
  probe(): Promise<Finding>;
  /** Gives what was done, or throws an Error whose message says why not, and what to do. */
  install(): Promise<string>;
  uninstall(): Promise<string>;
}

/** The CA's own name, `Roundtrip CA 1a2b3c4d`: what stores call it by. */
export function caName(info: CertificateInfo): string {
  return /CN=([^,]+)$/.exec(info.subject)?.[1] ?? CA_NAME_PREFIX.trim();
}

/** Our CAs among the certificates of a store: by name, and the right one by fingerprint (SHA-256). */
export function findingOf(
  stored: { name: string; fingerprint: string }[],
  info: CertificateInfo,
  place: string,
): Finding {
  const ours = stored.filter((one) => one.name.includes(CA_NAME_PREFIX));
  if (ours.some((one) => one.fingerprint === info.fingerprint)) return { state: 'trusted', detail: place };
  if (ours.length === 0) return { state: 'not-trusted', detail: place };
  return {
    state: 'stale',
    detail: `${place} trusts ${ours.map((one) => one.name).join(', ')}, an older CA of Roundtrip`,
  };
}

/** Name and fingerprint of a PEM certificate; null where it can't be read. */
export function identityOf(pem: string): { name: string; fingerprint: string } | null {
  try {
    const certificate = new X509Certificate(pem);
    return { name: /CN=(.+)/.exec(certificate.subject)?.[1] ?? '', fingerprint: certificate.fingerprint256 };
  } catch {
    return null;
  }
}

/** Runs a command that has to end well. Throws with its own last words otherwise. */
export async function mustRun(
  context: TrustContext,
  command: Command,
  explain: (command: Command, result: CommandResult) => string,
): Promise<CommandResult> {
  const result = await context.run(command, context.env);
  if (result.status !== 0) throw new Error(explain(command, result));
  return result;
}

/** A store's change as it is shown. */
export async function changeOf(store: TrustStore, change: () => Promise<string>): Promise<TrustChange> {
  try {
    return { store: store.name, ok: true, message: await change() };
  } catch (error) {
    return { store: store.name, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
