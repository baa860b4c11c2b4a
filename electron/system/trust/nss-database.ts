import fs from 'node:fs';
import { CA_NAME_PREFIX } from '../../engine/ca/ca-files.ts';
import { type Command, findProgram, lastWords } from '../run-command.ts';
import { caName, type Finding, findingOf, identityOf, type TrustContext } from './trust-store.ts';

/** The package has different names on Debian, Fedora, Arch and Homebrew. */
export const CERTUTIL_PACKAGE =
  'certutil is missing: install libnss3-tools (Debian, Ubuntu), nss-tools (Fedora), mozilla-nss-tools (openSUSE) ' +
  'or nss (Arch, Homebrew)';

const COMMANDS = {
  create: (folder: string) => ['-d', `sql:${folder}`, '-N', '--empty-password'],
  list: (folder: string) => ['-d', `sql:${folder}`, '-L'],
  show: (folder: string, nickname: string) => ['-d', `sql:${folder}`, '-L', '-n', nickname, '-a'],
  add: (folder: string, nickname: string, file: string) => [
    '-d',
    `sql:${folder}`,
    '-A',
    '-t',
    'C,,',
    '-n',
    nickname,
    '-i',
    file,
  ],
  remove: (folder: string, nickname: string) => ['-d', `sql:${folder}`, '-D', '-n', nickname],
} as const;

/** Lines of `certutil -L` are a nickname, then its trust for SSL, mail and code: `Roundtrip CA 1a2b3c4d   C,,`. */
export function parseNicknames(listing: string): { nickname: string; trustedForTls: boolean }[] {
  return listing.split('\n').flatMap((line) => {
    const [, nickname, flags] = /^(\S.*?)\s+([a-zA-Z]*),[a-zA-Z]*,[a-zA-Z]*\s*$/.exec(line) ?? [];
    return nickname === undefined || nickname === 'SSL'
      ? []
      : [{ nickname, trustedForTls: flags?.includes('C') ?? false }];
  });
}

/** NSS's own certutil; Windows has another program of that name. */
export function findCertutil(env: TrustContext['env']): string | null {
  return process.platform === 'win32' ? null : findProgram('certutil', env);
}

/** The certificates of one NSS database (Chromium on Linux, a Firefox profile), through certutil. */
export class NssDatabase {
  readonly folder: string;
  readonly #context: TrustContext;
  readonly #certutil: string;

  constructor(folder: string, context: TrustContext, certutil: string) {
    this.folder = folder;
    this.#context = context;
    this.#certutil = certutil;
  }

  async #run(parameters: readonly string[]): Promise<string> {
    const command: Command = [this.#certutil, ...parameters];
    const result = await this.#context.run(command, this.#context.env);
    if (result.status !== 0) throw new Error(`certutil on ${this.folder}: ${lastWords(result)}`);
    return result.stdout;
  }

  #exists(): boolean {
    return fs.existsSync(`${this.folder}/cert9.db`);
  }

  async #ours(): Promise<{ nickname: string; trustedForTls: boolean }[]> {
    if (!this.#exists()) return [];
    const all = parseNicknames(await this.#run(COMMANDS.list(this.folder)));
    return all.filter(({ nickname }) => nickname.startsWith(CA_NAME_PREFIX));
  }

  async probe(): Promise<Finding> {
    const stored: { name: string; fingerprint: string }[] = [];
    for (const { nickname, trustedForTls } of await this.#ours()) {
      const identity = trustedForTls ? identityOf(await this.#run(COMMANDS.show(this.folder, nickname))) : null;
      // Identified by the nickname that we gave it: an imported CA has another common name.
      if (identity !== null) stored.push({ ...identity, name: nickname });
    }
    return findingOf(this.#context, stored, this.folder);
  }

  /** Adds our CA and removes older ones of ours. */
  async install(): Promise<void> {
    const { info, certificatePath } = this.#context.ca;
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (!this.#exists()) await this.#run(COMMANDS.create(this.folder));
    await this.uninstall();
    await this.#run(COMMANDS.add(this.folder, caName(info), certificatePath));
  }

  /** Returns the number of our CAs that were removed. */
  async uninstall(): Promise<number> {
    const ours = await this.#ours();
    for (const { nickname } of ours) await this.#run(COMMANDS.remove(this.folder, nickname));
    return ours.length;
  }
}
