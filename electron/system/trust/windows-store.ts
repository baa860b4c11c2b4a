import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { CA_NAME_PREFIX } from '../../engine/ca/ca-files.ts';
import { type Command, type Environment, lastWords } from '../run-command.ts';
import type { ProofServer } from './proof-server.ts';
import { type Finding, mustRun, type TrustContext, type TrustStore } from './trust-store.ts';

function systemRoot(env: Environment): string {
  return env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows';
}

/** Uses the full path: NSS has a certutil too. */
function certutil(env: Environment): string {
  return `${systemRoot(env)}\\System32\\certutil.exe`;
}

const COMMANDS = {
  list: (env: Environment): Command => [certutil(env), '-user', '-store', 'Root'],
  add: (env: Environment, file: string): Command => [certutil(env), '-user', '-addstore', 'Root', file],
  remove: (env: Environment, hash: string): Command => [certutil(env), '-user', '-delstore', 'Root', hash],
  /** Windows' own curl verifies with Schannel. Revocation is not checked: our leaves name no revocation list. */
  handshake: (env: Environment, port: number): Command => [
    `${systemRoot(env)}\\System32\\curl.exe`,
    '--silent',
    '--noproxy',
    '*',
    '--ssl-no-revoke',
    '--output',
    'NUL',
    `https://localhost:${port}/`,
  ],
};

/**
 * Certificates in `certutil -store`. Its labels are translated; `(sha1)`, `CN=` and the rule of `=` between
 * certificates are not.
 */
export function parseStore(listing: string): { name: string; sha1: string }[] {
  return listing.split(/^={8,}.*$/m).flatMap((block) => {
    const name = /CN=([^,\r\n]+)/.exec(block)?.[1];
    const hashes = [...block.matchAll(/\(sha1\):\s*([0-9a-f ]{40,59})/gi)];
    // The last one: a verbose listing has the name's hash before the certificate's.
    const sha1 = hashes.at(-1)?.[1]?.replaceAll(' ', '');
    return name === undefined || sha1 === undefined ? [] : [{ name: name.trim(), sha1: sha1.toLowerCase() }];
  });
}

function sha1Of(pem: string): string {
  return new X509Certificate(pem).fingerprint.replaceAll(':', '').toLowerCase();
}

/**
 * Windows' Root store of this user: Edge, Chrome, Firefox, .NET. Adding to it and removing from it each show a prompt.
 */
export class WindowsStore implements TrustStore {
  readonly id = 'windows';
  readonly store = 'windows';
  readonly needs = 'user';
  readonly label = 'Windows user Root store';
  readonly #context: TrustContext;

  constructor(context: TrustContext) {
    this.#context = context;
  }

  #explain = (_: Command, result: Parameters<typeof lastWords>[0]): string => `Windows refused: ${lastWords(result)}`;

  #sha1(): string {
    return sha1Of(fs.readFileSync(this.#context.ca.certificatePath, 'latin1'));
  }

  /** Those of ours: by name, or by our earlier certificates. */
  async #list(): Promise<{ name: string; sha1: string }[]> {
    const { ca, env } = this.#context;
    const known = new Set([this.#sha1(), ...ca.former.map(sha1Of)]);
    const all = parseStore((await mustRun(this.#context, COMMANDS.list(env), this.#explain)).stdout);
    return all.filter(({ name, sha1 }) => name.startsWith(CA_NAME_PREFIX) || known.has(sha1));
  }

  async probe(): Promise<Finding> {
    try {
      const ours = await this.#list();
      const detail = 'certutil -user -store Root';
      if (ours.some(({ sha1 }) => sha1 === this.#sha1())) return { state: 'trusted', detail };
      if (ours.length === 0) return { state: 'not-trusted', detail };
      return {
        state: 'stale',
        detail: `it trusts ${ours.map(({ name }) => name).join(', ')}, an older Roundtrip CA`,
      };
    } catch (error) {
      return { state: 'unavailable', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async install(): Promise<string> {
    await this.#removeAll((sha1) => sha1 !== this.#sha1());
    await mustRun(this.#context, COMMANDS.add(this.#context.env, this.#context.ca.certificatePath), this.#explain);
    return "Put the CA into this user's Root store.";
  }

  async #removeAll(which: (sha1: string) => boolean): Promise<number> {
    const ours = (await this.#list()).filter(({ sha1 }) => which(sha1));
    for (const { sha1 } of ours) await mustRun(this.#context, COMMANDS.remove(this.#context.env, sha1), this.#explain);
    return ours.length;
  }

  async uninstall(): Promise<string> {
    const removed = await this.#removeAll(() => true);
    if (removed === 0) return "No Roundtrip CA was found in this user's Root store.";
    return `Removed ${removed} of Roundtrip's CAs from this user's Root store.`;
  }

  async handshake({ port }: ProofServer): Promise<boolean | null> {
    const { run, env } = this.#context;
    const { status } = await run(COMMANDS.handshake(env, port), env);
    return status === null ? null : status === 0;
  }
}
