import path from 'node:path';
import * as v from 'valibot';
import type { KeyGuard } from '../engine/tls/ca-files.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';

const SecretsSchema = v.object({
  upstreamProxyPassword: v.variant('kind', [
    v.object({ kind: v.literal('plain'), text: v.string() }),
    v.object({ kind: v.literal('sealed'), base64: v.string() }),
  ]),
});

/**
 * The upstream proxy's password, apart from the settings so that those can be shown and copied. The file is 0600; with a
 * guard (Electron's safeStorage) what it holds is sealed too.
 */
export class SecretStore {
  readonly #file: string;
  readonly #guard: KeyGuard | null;

  constructor(folder: string, guard: KeyGuard | null) {
    this.#file = path.join(folder, 'secrets.json');
    this.#guard = guard;
  }

  /** Empty where there is none. Throws where the file or its seal can't be read. */
  readProxyPassword(): string {
    const text = readIfThere(this.#file);
    if (text === null) return '';
    const { upstreamProxyPassword: kept } = v.parse(SecretsSchema, JSON.parse(text));
    if (kept.kind === 'plain') return kept.text;
    if (this.#guard === null) throw new Error('the upstream proxy password was sealed by the desktop app');
    return this.#guard.unwrap(Buffer.from(kept.base64, 'base64'));
  }

  writeProxyPassword(password: string): void {
    const kept = this.#guard
      ? { kind: 'sealed', base64: this.#guard.wrap(password).toString('base64') }
      : { kind: 'plain', text: password };
    writePrivateFile(this.#file, `${JSON.stringify({ upstreamProxyPassword: kept })}\n`);
  }
}
