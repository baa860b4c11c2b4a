import path from 'node:path';
import * as v from 'valibot';
import type { KeyGuard } from '../../engine/ca/ca-files.ts';
import { readIfThere, writePrivateFile } from '../private-file.ts';

const KeptSchema = v.variant('kind', [
  v.object({ kind: v.literal('plain'), text: v.string() }),
  v.object({ kind: v.literal('sealed'), base64: v.string() }),
]);
type Kept = v.InferOutput<typeof KeptSchema>;
const NOTHING: Kept = { kind: 'plain', text: '' };

const SecretsSchema = v.object({
  /** The passwords in the proxy's address and in the separate login. */
  upstreamProxyPassword: v.optional(KeptSchema, NOTHING),
  proxyLoginPassword: v.optional(KeptSchema, NOTHING),
});

/** The passwords for upstream proxies; an empty string means none. */
export interface ProxyPasswords {
  address: string;
  login: string;
}

/**
 * Stores the passwords separately from the settings: those can be shown and copied. The file's mode is 0600;
 * with a guard (Electron's safeStorage) its content is encrypted as well.
 */
export class SecretStore {
  readonly #file: string;
  readonly #guard: KeyGuard | null;

  constructor(folder: string, guard: KeyGuard | null) {
    this.#file = path.join(folder, 'secrets.json');
    this.#guard = guard;
  }

  /** Throws if the file can't be read or decrypted. */
  read(): ProxyPasswords {
    const text = readIfThere(this.#file);
    if (text === null) return { address: '', login: '' };
    const { upstreamProxyPassword, proxyLoginPassword } = v.parse(SecretsSchema, JSON.parse(text));
    return { address: this.#opened(upstreamProxyPassword), login: this.#opened(proxyLoginPassword) };
  }

  write({ address, login }: ProxyPasswords): void {
    const kept = { upstreamProxyPassword: this.#sealed(address), proxyLoginPassword: this.#sealed(login) };
    writePrivateFile(this.#file, `${JSON.stringify(kept)}\n`);
  }

  #opened(kept: Kept): string {
    if (kept.kind === 'plain') return kept.text;
    if (this.#guard === null) throw new Error('only the desktop app can read the upstream proxy password');
    return this.#guard.unwrap(Buffer.from(kept.base64, 'base64'));
  }

  #sealed(password: string): Kept {
    if (this.#guard === null || password === '') return { kind: 'plain', text: password };
    return { kind: 'sealed', base64: this.#guard.wrap(password).toString('base64') };
  }
}
