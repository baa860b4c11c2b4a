import fs from 'node:fs';
import { runAsRoot } from './elevation.ts';
import { CACERTS_PASSWORD, findJava, type Java } from './java.ts';
import { type Command, lastWords } from './run-command.ts';
import { caName, type Finding, findingOf, mustRun, type TrustContext, type TrustStore } from './trust-store.ts';

const NO_JAVA = 'no Java with a keytool was found by JAVA_HOME or PATH';

function keytool(java: Java, ...parameters: string[]): Command {
  // Its words are translated otherwise.
  const place = ['-J-Duser.language=en', '-keystore', java.cacerts, '-storepass', CACERTS_PASSWORD];
  return [java.keytool, ...parameters, ...place];
}

/**
 * Entries of ours in `keytool -list`: a line with the alias, which Java writes in lower case, then one with the
 * fingerprint: `roundtrip ca 1a2b3c4d, Nov 20, 2026, trustedCertEntry,` / `Certificate fingerprint (SHA-256): 5D:93:...`.
 */
export function parseEntries(listing: string): { alias: string; fingerprint: string }[] {
  const pattern = /^(roundtrip ca [0-9a-f]+),[^\n]*trustedCertEntry[^\n]*\n[^\n]*\(SHA-256\): ([0-9A-F:]{95})/gim;
  return [...listing.matchAll(pattern)].map(([, alias = '', fingerprint = '']) => ({ alias, fingerprint }));
}

/** The roots of the Java that JAVA_HOME or PATH names. */
export class JavaStore implements TrustStore {
  readonly name = 'java';
  readonly label = 'Java (cacerts)';
  readonly #context: TrustContext;

  constructor(context: TrustContext) {
    this.#context = context;
  }

  #explain = (_: Command, result: Parameters<typeof lastWords>[0]): string => `keytool refused: ${lastWords(result)}`;

  #java(): Java {
    const java = findJava(this.#context.env);
    if (java === null) throw new Error(NO_JAVA);
    return java;
  }

  async #entries(java: Java): Promise<{ alias: string; fingerprint: string }[]> {
    return parseEntries((await mustRun(this.#context, keytool(java, '-list'), this.#explain)).stdout);
  }

  /** A JDK in the user's own folder needs no root. */
  async #change(java: Java, command: Command): Promise<void> {
    try {
      fs.accessSync(java.cacerts, fs.constants.W_OK);
    } catch {
      await runAsRoot(this.#context, command);
      return;
    }
    await mustRun(this.#context, command, this.#explain);
  }

  async probe(): Promise<Finding> {
    try {
      const java = this.#java();
      const stored = (await this.#entries(java)).map(({ fingerprint }) => ({ name: 'Roundtrip CA ', fingerprint }));
      return findingOf(stored, this.#context.ca.info, java.cacerts);
    } catch (error) {
      return { state: 'unavailable', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async install(): Promise<string> {
    const java = this.#java();
    await this.#removeAll(java);
    const { certificatePath, info } = this.#context.ca;
    const what = ['-noprompt', '-trustcacerts', '-alias', caName(info), '-file', certificatePath];
    await this.#change(java, keytool(java, '-importcert', ...what));
    return `Put the CA into ${java.cacerts}.`;
  }

  async #removeAll(java: Java): Promise<number> {
    const entries = await this.#entries(java);
    for (const { alias } of entries) await this.#change(java, keytool(java, '-delete', '-alias', alias));
    return entries.length;
  }

  async uninstall(): Promise<string> {
    const java = this.#java();
    const removed = await this.#removeAll(java);
    return removed === 0
      ? `There was no CA of Roundtrip in ${java.cacerts}.`
      : `Removed ${removed} of Roundtrip's CAs from ${java.cacerts}.`;
  }
}
