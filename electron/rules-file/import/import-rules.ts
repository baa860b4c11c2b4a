import { roundtripError } from '../../failures/errors.ts';
import { htkRules } from './htk-rules.ts';
import type { ImportedRules } from './imported.ts';
import { mitmproxyRules } from './mitmproxy-options.ts';

/**
 * The rules of another program's file: `.htkrules` of HTTP Toolkit, or `config.yaml` of mitmproxy. `name`: for
 * messages. `folder`: where relative paths in it begin; null: nobody may look at files for it. Rejects with
 * `rules.not-importable`.
 */
export async function importRules(name: string, text: string, folder: string | null): Promise<ImportedRules> {
  const yaml = await import('yaml');
  let value: unknown;
  try {
    // JSON is YAML too.
    value = yaml.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw roundtripError('rules.not-importable', { name, detail: `it is neither JSON nor YAML (${detail})` });
  }
  const imported = htkRules(value) ?? mitmproxyRules(value, folder);
  if (imported === null) {
    const detail =
      'it has neither rules of HTTP Toolkit nor map_local, map_remote, modify_headers or modify_body of mitmproxy';
    throw roundtripError('rules.not-importable', { name, detail });
  }
  return imported;
}
