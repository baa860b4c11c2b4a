import fs from 'node:fs';
import path from 'node:path';
import { certificatesIn } from '../../engine/ca/system-roots.ts';
import type { Command } from '../run-command.ts';
import { runAsRoot } from './elevation.ts';
import { handshakeWith, type ProofServer } from './proof-server.ts';
import { findSystemFamily, type SystemFamily } from './system-store-families.ts';
import { caName, type Finding, findingOf, identityOf, type TrustContext, type TrustStore } from './trust-store.ts';

const FILE = /^roundtrip-ca-[0-9a-f]+\.crt$/;

/** Installs the file and applies it in one command: the user enters the password only once. */
function putAndUpdate(from: string, to: string, update: Command): Command {
  return ['sh', '-c', 'install -m 0644 "$1" "$2" && shift 2 && exec "$@"', 'sh', from, to, ...update];
}

function removeAndUpdate(files: readonly string[], update: Command): Command {
  const script = 'n=$1; shift; while [ "$n" -gt 0 ]; do rm -f "$1"; shift; n=$((n-1)); done; exec "$@"';
  return ['sh', '-c', script, 'sh', String(files.length), ...files, ...update];
}

/** Linux's system store: what curl, git, Python's ssl and most programs of the distribution read. */
export class SystemStore implements TrustStore {
  readonly id = 'system';
  readonly store = 'system';
  readonly needs = 'administrator';
  readonly label: string;
  readonly #context: TrustContext;
  readonly #family: SystemFamily | null;

  constructor(context: TrustContext, family: SystemFamily | null = findSystemFamily(context.env)) {
    this.#context = context;
    this.#family = family;
    this.label = family === null ? 'System store' : `System store (${family.name})`;
  }

  async probe(): Promise<Finding> {
    if (this.#family === null) {
      return { state: 'unavailable', detail: 'neither update-ca-certificates nor update-ca-trust is installed' };
    }
    try {
      const bundle = await fs.promises.readFile(this.#family.bundle, 'latin1');
      const stored = certificatesIn(bundle).map(identityOf);
      return findingOf(
        this.#context,
        stored.filter((one) => one !== null),
        this.#family.bundle,
      );
    } catch {
      return { state: 'not-trusted', detail: `${this.#family.bundle} does not exist yet` };
    }
  }

  #ourFiles({ anchors }: SystemFamily): string[] {
    const names = fs.existsSync(anchors) ? fs.readdirSync(anchors) : [];
    return names.filter((name) => FILE.test(name)).map((name) => path.join(anchors, name));
  }

  #known(): SystemFamily {
    if (this.#family === null)
      throw new Error(
        'Roundtrip does not know where this distribution keeps its root certificates. Use `roundtrip ca export` ' +
          'and add the file by hand.',
      );
    return this.#family;
  }

  async install(): Promise<string> {
    const family = this.#known();
    const { certificatePath, info } = this.#context.ca;
    const file = path.join(family.anchors, `roundtrip-ca-${caName(info).split(' ').at(-1)}.crt`);
    const stale = this.#ourFiles(family).filter((one) => one !== file);
    if (stale.length > 0) await this.#remove(family, stale);
    await runAsRoot(this.#context, putAndUpdate(certificatePath, file, family.added));
    return `Put the CA into ${file} and ran ${family.added.join(' ')}.`;
  }

  async #remove(family: SystemFamily, files: readonly string[]): Promise<void> {
    await runAsRoot(this.#context, removeAndUpdate(files, family.removed));
  }

  async uninstall(): Promise<string> {
    const family = this.#known();
    const files = this.#ourFiles(family);
    if (files.length === 0) return `No Roundtrip CA was found in ${family.anchors}.`;
    await this.#remove(family, files);
    return `Removed ${files.join(', ')} and ran ${family.removed.join(' ')}.`;
  }

  /** Uses the roots of the resulting bundle, which curl and OpenSSL read. */
  async handshake(server: ProofServer): Promise<boolean | null> {
    if (this.#family === null) return null;
    return handshakeWith(server, certificatesIn(await fs.promises.readFile(this.#family.bundle, 'latin1')));
  }
}
