import path from 'node:path';
import { describe } from '../../failures/errors.ts';
import { isWritable } from '../../files/is-writable.ts';
import { type Command, lastWords } from '../run-command.ts';
import { runAsRoot } from './elevation.ts';
import { CACERTS_PASSWORD, type Java } from './java.ts';
import { handshakeByJava } from './java-proof.ts';
import type { ProofServer } from './proof-server.ts';
import { caName, type Finding, findingOf, mustRun, type TrustContext, type TrustStore } from './trust-store.ts';

function keytool(java: Java, ...parameters: string[]): Command {
  // Its output is translated otherwise.
  const place = ['-J-Duser.language=en', '-keystore', java.cacerts, '-storepass', CACERTS_PASSWORD];
  return [java.keytool, ...parameters, ...place];
}

/**
 * Our entries in `keytool -list`: a line with the alias, which Java writes in lower case, then one with the
 * fingerprint: `roundtrip ca 1a2b3c4d, Nov 20, 2026, trustedCertEntry,` / `Certificate fingerprint (SHA-256):
 * 5D:93:...`.
 */
function parseEntries(listing: string): { alias: string; fingerprint: string }[] {
  const pattern = /^(roundtrip ca [0-9a-f]+),[^\n]*trustedCertEntry[^\n]*\n[^\n]*\(SHA-256\): ([0-9A-F:]{95})/gim;
  return [...listing.matchAll(pattern)].map(([, alias = '', fingerprint = '']) => ({ alias, fingerprint }));
}

/** The roots of one Java. */
export class JavaStore implements TrustStore {
  readonly id: string;
  readonly store = 'java';
  readonly label: string;
  /** A JDK in the user's own folder needs no root. */
  readonly needs: 'nobody' | 'administrator';
  readonly #java: Java;
  readonly #context: TrustContext;

  constructor(java: Java, context: TrustContext) {
    this.id = `java:${java.cacerts}`;
    this.label = `Java: ${path.basename(java.home.replace(/\/Contents\/Home$/, ''))}`;
    this.needs = isWritable(java.cacerts) ? 'nobody' : 'administrator';
    this.#java = java;
    this.#context = context;
  }

  #explain = (_: Command, result: Parameters<typeof lastWords>[0]): string => `keytool refused: ${lastWords(result)}`;

  async #entries(): Promise<{ alias: string; fingerprint: string }[]> {
    return parseEntries((await mustRun(this.#context, keytool(this.#java, '-list'), this.#explain)).stdout);
  }

  async #change(command: Command): Promise<void> {
    if (this.needs === 'administrator') await runAsRoot(this.#context, command);
    else await mustRun(this.#context, command, this.#explain);
  }

  async probe(): Promise<Finding> {
    try {
      const stored = (await this.#entries()).map(({ alias, fingerprint }) => ({
        name: alias.replace('roundtrip ca', 'Roundtrip CA'),
        fingerprint,
      }));
      return findingOf(this.#context, stored, this.#java.cacerts);
    } catch (error) {
      return { state: 'unavailable', detail: describe(error) };
    }
  }

  async install(): Promise<string> {
    await this.#removeAll();
    const { certificatePath, info } = this.#context.ca;
    const what = ['-noprompt', '-trustcacerts', '-alias', caName(info), '-file', certificatePath];
    await this.#change(keytool(this.#java, '-importcert', ...what));
    return `Put the CA into ${this.#java.cacerts}.`;
  }

  async #removeAll(): Promise<number> {
    const entries = await this.#entries();
    for (const { alias } of entries) await this.#change(keytool(this.#java, '-delete', '-alias', alias));
    return entries.length;
  }

  handshake(server: ProofServer): Promise<boolean | null> {
    return handshakeByJava(this.#java, server, this.#context);
  }

  async uninstall(): Promise<string> {
    const removed = await this.#removeAll();
    const { cacerts } = this.#java;
    return removed === 0
      ? `No Roundtrip CA was found in ${cacerts}.`
      : `Removed ${removed} of Roundtrip's CAs from ${cacerts}.`;
  }
}
