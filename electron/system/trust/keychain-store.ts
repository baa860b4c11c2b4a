import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Command, lastWords } from '../run-command.ts';
import { runAsRoot } from './elevation.ts';
import type { ProofServer } from './proof-server.ts';
import {
  commonNameOf,
  type Finding,
  isOurs,
  mustRun,
  type Stored,
  type TrustContext,
  type TrustStore,
} from './trust-store.ts';

const SECURITY = '/usr/bin/security';

/**
 * security(1), and its source (Apple, Security, SecurityTool/macOS). `-d`: the administrator's trust settings, not the
 * user's own. Since macOS 11 these are changed by a process that can ask for the password, and therefore not by one
 * that is root through osascript ("The authorization was denied since no user interaction was possible"), while the
 * System keychain takes certificates only from root: two commands are needed, each with its own prompt.
 */
const COMMANDS = {
  /** All certificates, with their hashes (-Z) and attributes, or (-p) as PEM. */
  find: (keychain: string): Command => [SECURITY, 'find-certificate', '-a', '-Z', keychain],
  pems: (keychain: string): Command => [SECURITY, 'find-certificate', '-a', '-Z', '-p', keychain],
  trustSettings: (admin: boolean): Command => [SECURITY, 'dump-trust-settings', ...(admin ? ['-d'] : [])],
  /** Nothing is trusted by it. */
  add: (keychain: string, file: string): Command => [SECURITY, 'add-certificates', '-k', keychain, file],
  /** Without adding it to a keychain. */
  trust: (admin: boolean, file: string): Command => [
    ...([SECURITY, 'add-trusted-cert'] as const),
    ...(admin ? ['-d'] : []),
    ...['-r', 'trustRoot', file],
  ],
  /** The settings are kept by the certificate's hash: those of a removed one would still trust it in a chain. */
  distrust: (admin: boolean, file: string): Command => [
    SECURITY,
    'remove-trusted-cert',
    ...(admin ? ['-d'] : []),
    file,
  ],
  remove: (keychain: string, hash: string): Command => [SECURITY, 'delete-certificate', '-Z', hash, keychain],
  /** As Safari would check it: by the keychains, for this host. */
  verify: (leaf: string): Command => [SECURITY, 'verify-cert', '-c', leaf, '-p', 'ssl', '-n', 'localhost', '-L'],
};

/**
 * Certificates in find-certificate's output: a `SHA-256 hash: 5D93...` line, then attributes, the common name as
 * `"alis"<blob>="Roundtrip CA 1a2b3c4d"`.
 */
export function parseCertificates(output: string): Stored[] {
  return output.split(/^(?=SHA-256 hash: )/m).flatMap((block) => {
    const hash = /^SHA-256 hash: ([0-9A-F]{64})$/im.exec(block)?.[1];
    if (hash === undefined) return [];
    const name = /"(?:alis|labl)"<blob>=(?:0x[0-9A-F]+\s+)?"(.*)"$/m.exec(block)?.[1] ?? '';
    return [{ name, fingerprint: (hash.toUpperCase().match(/../g) ?? []).join(':') }];
  });
}

/** The certificates of `find-certificate -Z -p`: a hash's line, then PEM. */
export function parsePems(output: string): { fingerprint: string; pem: string }[] {
  return output.split(/^(?=SHA-256 hash: )/m).flatMap((block) => {
    const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(block)?.[0];
    const fingerprint = parseCertificates(block)[0]?.fingerprint;
    return pem === undefined || fingerprint === undefined ? [] : [{ fingerprint, pem: `${pem}\n` }];
  });
}

/**
 * `Cert 0: Roundtrip CA 1a2b3c4d` lines of dump-trust-settings, each with its settings below it. Without any it is
 * trusted for everything; removing the trust leaves a setting that denies it (Apple,
 * SecTrustSettingsCopyTrustSettings).
 */
export function parseTrustSettings(output: string): { name: string; denied: boolean }[] {
  return output.split(/^(?=Cert \d+: )/m).flatMap((block) => {
    const name = /^Cert \d+: (.+)$/m.exec(block)?.[1]?.trim();
    return name === undefined ? [] : [{ name, denied: /: kSecTrustSettingsResultDeny/.test(block) }];
  });
}

interface Keychain extends Pick<TrustStore, 'store' | 'label' | 'needs'> {
  file: string;
  admin: boolean;
}

/**
 * Safari, Chrome, curl of the system. Changing the login keychain asks the user once, the System one an administrator.
 */
class KeychainStore implements TrustStore {
  readonly id: string;
  readonly store: Keychain['store'];
  readonly label: string;
  readonly needs: Keychain['needs'];
  readonly #context: TrustContext;
  readonly #keychain: Keychain;

  constructor(keychain: Keychain, context: TrustContext) {
    this.id = keychain.store;
    this.store = keychain.store;
    this.label = keychain.label;
    this.needs = keychain.needs;
    this.#keychain = keychain;
    this.#context = context;
  }

  #explain = (_: Command, result: Parameters<typeof lastWords>[0]): string =>
    `The keychain refused: ${lastWords(result)}.`;

  async #change(command: Command): Promise<void> {
    if (this.#keychain.admin) await runAsRoot(this.#context, command);
    else await mustRun(this.#context, command, this.#explain);
  }

  async #ours(): Promise<Stored[]> {
    const { stdout } = await this.#context.run(COMMANDS.find(this.#keychain.file), this.#context.env);
    return parseCertificates(stdout).filter((one) => isOurs(this.#context, one));
  }

  /**
   * A certificate in the keychain is not necessarily trusted: the user may have removed the trust in Keychain Access.
   */
  async probe(): Promise<Finding> {
    const { run, env, ca } = this.#context;
    const { file: detail, admin } = this.#keychain;
    const settings = await run(COMMANDS.trustSettings(admin), env);
    if (settings.status === null) return { state: 'unavailable', detail: lastWords(settings) };
    const names = parseTrustSettings(settings.stdout)
      .filter(({ denied }) => !denied)
      .map(({ name }) => name);
    const trusted = (await this.#ours()).filter(({ name }) => names.includes(name));
    if (trusted.some(({ fingerprint }) => fingerprint === ca.info.fingerprint)) return { state: 'trusted', detail };
    const older = trusted.map(({ name }) => name).filter((name) => name !== commonNameOf(ca.info));
    if (trusted.length === 0) return { state: 'not-trusted', detail };
    const whose = older.length > 0 ? older.join(', ') : commonNameOf(ca.info);
    return { state: 'stale', detail: `${detail} trusts ${whose}, an older Roundtrip CA` };
  }

  async install(): Promise<string> {
    const { info, certificatePath } = this.#context.ca;
    const { file, admin } = this.#keychain;
    await this.#removeAll((fingerprint) => fingerprint !== info.fingerprint);
    const isThere = (await this.#ours()).some(({ fingerprint }) => fingerprint === info.fingerprint);
    if (!isThere) await this.#change(COMMANDS.add(file, certificatePath));
    await mustRun(this.#context, COMMANDS.trust(admin, certificatePath), this.#explain);
    return `Put the CA into ${file} and trusted it as a root.`;
  }

  async #removeAll(which: (fingerprint: string) => boolean): Promise<number> {
    const ours = (await this.#ours()).filter(({ fingerprint }) => which(fingerprint));
    if (ours.length > 0) await this.#distrust(ours);
    for (const { fingerprint } of ours) {
      await this.#change(COMMANDS.remove(this.#keychain.file, fingerprint.replaceAll(':', '')));
    }
    return ours.length;
  }

  /** Removes the trust settings of these, if they have any. */
  async #distrust(ours: readonly Stored[]): Promise<void> {
    const { run, env } = this.#context;
    const { file: keychain, admin } = this.#keychain;
    const settings = parseTrustSettings((await run(COMMANDS.trustSettings(admin), env)).stdout);
    const listed = ours.filter((one) => settings.some(({ name }) => name === one.name));
    if (listed.length === 0) return;
    const pems = parsePems((await run(COMMANDS.pems(keychain), env)).stdout);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-trust-'));
    try {
      for (const { pem } of pems.filter((one) => listed.some(({ fingerprint }) => fingerprint === one.fingerprint))) {
        const file = path.join(folder, 'ca.pem');
        fs.writeFileSync(file, pem);
        await mustRun(this.#context, COMMANDS.distrust(admin, file), this.#explain);
      }
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }

  async uninstall(): Promise<string> {
    const removed = await this.#removeAll(() => true);
    const { file } = this.#keychain;
    if (removed === 0) return `No Roundtrip CA was found in ${file}.`;
    return `Removed ${removed} of Roundtrip's CAs and their trust settings from ${file}.`;
  }

  async handshake({ leafPath }: ProofServer): Promise<boolean> {
    return (await this.#context.run(COMMANDS.verify(leafPath), this.#context.env)).status === 0;
  }
}

export function loginKeychain(context: TrustContext): TrustStore {
  const file = path.join(context.env.HOME || os.homedir(), 'Library/Keychains/login.keychain-db');
  return new KeychainStore(
    { store: 'keychain', label: 'macOS login keychain', needs: 'user', file, admin: false },
    context,
  );
}

export function systemKeychain(context: TrustContext): TrustStore {
  const file = '/Library/Keychains/System.keychain';
  return new KeychainStore(
    { store: 'system', label: 'macOS System keychain', needs: 'administrator', file, admin: true },
    context,
  );
}
