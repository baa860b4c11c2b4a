import os from 'node:os';
import path from 'node:path';
import { CA_NAME_PREFIX } from '../engine/tls/certificate-authority.ts';
import { type Command, lastWords } from './run-command.ts';
import { caName, type Finding, mustRun, type TrustContext, type TrustStore } from './trust-store.ts';

const SECURITY = '/usr/bin/security';

const COMMANDS = {
  find: (keychain: string): Command => [
    SECURITY,
    'find-certificate',
    '-a',
    '-Z',
    '-c',
    CA_NAME_PREFIX.trim(),
    keychain,
  ],
  trustSettings: (): Command => [SECURITY, 'dump-trust-settings'],
  add: (keychain: string, file: string): Command => [
    SECURITY,
    'add-trusted-cert',
    '-r',
    'trustRoot',
    '-k',
    keychain,
    file,
  ],
  /** -t: the trust settings go with it. */
  remove: (keychain: string, hash: string): Command => [SECURITY, 'delete-certificate', '-Z', hash, '-t', keychain],
};

/** `SHA-256 hash: 5D93...` lines of find-certificate, as colon-separated fingerprints. */
export function parseHashes(output: string): string[] {
  return [...output.matchAll(/^SHA-256 hash: ([0-9A-F]{64})$/gim)].map(([, hash = '']) =>
    (hash.toUpperCase().match(/../g) ?? []).join(':'),
  );
}

/** `Cert 0: Roundtrip CA 1a2b3c4d` lines of dump-trust-settings: the user's own trust settings. */
export function parseTrustedNames(output: string): string[] {
  return [...output.matchAll(/^Cert \d+: (.+)$/gm)].map(([, name = '']) => name.trim());
}

/** macOS's login keychain: Safari, Chrome, curl of the system. Changing it asks the user once. */
export class KeychainStore implements TrustStore {
  readonly name = 'keychain';
  readonly label = 'macOS login keychain';
  readonly #context: TrustContext;
  readonly #keychain: string;

  constructor(context: TrustContext) {
    this.#context = context;
    this.#keychain = path.join(context.env.HOME || os.homedir(), 'Library/Keychains/login.keychain-db');
  }

  #explain = (_: Command, result: Parameters<typeof lastWords>[0]): string =>
    `The keychain refused: ${lastWords(result)}.`;

  /** Being in the keychain is not being trusted: a user can have taken the trust away in Keychain Access. */
  async probe(): Promise<Finding> {
    const { run, env, ca } = this.#context;
    const found = await run(COMMANDS.find(this.#keychain), env);
    if (found.status === null) return { state: 'unavailable', detail: lastWords(found) };
    const hashes = parseHashes(found.stdout);
    const trusted = parseTrustedNames((await run(COMMANDS.trustSettings(), env)).stdout);
    const detail = this.#keychain;
    if (hashes.includes(ca.info.fingerprint) && trusted.includes(caName(ca.info))) return { state: 'trusted', detail };
    const older = trusted.filter((name) => name.startsWith(CA_NAME_PREFIX) && name !== caName(ca.info));
    if (older.length > 0)
      return { state: 'stale', detail: `${detail} trusts ${older.join(', ')}, an older CA of Roundtrip` };
    return { state: 'not-trusted', detail };
  }

  async install(): Promise<string> {
    await this.#removeAll((hash) => hash !== this.#context.ca.info.fingerprint);
    await mustRun(this.#context, COMMANDS.add(this.#keychain, this.#context.ca.certificatePath), this.#explain);
    return `Put the CA into ${this.#keychain} and trusted it as a root.`;
  }

  async #removeAll(which: (hash: string) => boolean): Promise<number> {
    const { run, env } = this.#context;
    const hashes = parseHashes((await run(COMMANDS.find(this.#keychain), env)).stdout).filter(which);
    for (const hash of hashes) {
      await mustRun(this.#context, COMMANDS.remove(this.#keychain, hash.replaceAll(':', '')), this.#explain);
    }
    return hashes.length;
  }

  async uninstall(): Promise<string> {
    const removed = await this.#removeAll(() => true);
    if (removed === 0) return `There was no CA of Roundtrip in ${this.#keychain}.`;
    return `Removed ${removed} of Roundtrip's CAs and their trust settings from ${this.#keychain}.`;
  }
}
