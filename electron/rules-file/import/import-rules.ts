import { roundtripError } from '../../failures/errors.ts';
import { JsonSource } from '../json-source.ts';
import { syntaxFaults } from '../syntax-faults.ts';
import { htkRules } from './htk-rules.ts';
import type { ImportedRules } from './imported.ts';
import { mitmproxyRules } from './mitmproxy-options.ts';

type Read = { value: unknown } | { fault: string };

/** YAML's messages quote the text, which may hold secrets: only the place and kind of an error are reported. */
async function readYaml(text: string): Promise<Read> {
  const yaml = await import('yaml');
  try {
    return { value: yaml.parse(text) };
  } catch (error) {
    if (!(error instanceof yaml.YAMLParseError)) return { fault: 'it is neither JSON nor YAML' };
    const [at] = error.linePos ?? [];
    const place = at === undefined ? '' : `line ${at.line}, column ${at.col}, `;
    return { fault: `it is neither JSON nor YAML (${place}${error.code})` };
  }
}

function readJson(text: string): Read {
  const [fault] = syntaxFaults(new JsonSource(text));
  if (fault === undefined) return { value: JSON.parse(text) };
  return { fault: `line ${fault.line}, column ${fault.column}: ${fault.message.replace(/\.$/, '')}` };
}

/** A YAML file may begin like JSON; any other that does is JSON. */
function isJson(name: string, text: string): boolean {
  return /^\s*[{[]/.test(text) ? !/\.ya?ml$/i.test(name) : /\.(json|htkrules)$/i.test(name);
}

async function read(name: string, text: string): Promise<unknown> {
  const source = text.replace(/^\ufeff/, '');
  if (source.trim() === '') throw roundtripError('rules.not-importable', { name, detail: 'it is empty' });
  const made = isJson(name, source) ? readJson(source) : await readYaml(source);
  if ('fault' in made) throw roundtripError('rules.not-importable', { name, detail: made.fault });
  return made.value;
}

/**
 * The rules of another program's file: `.htkrules` of HTTP Toolkit, or `config.yaml` of mitmproxy. `name`: for
 * messages. `folder`: where relative paths in it begin; null: files must not be read for it. Rejects with
 * `rules.not-importable`.
 */
export async function importRules(name: string, text: string, folder: string | null): Promise<ImportedRules> {
  const value = await read(name, text);
  const imported = htkRules(value) ?? mitmproxyRules(value, folder);
  if (imported === null) {
    const detail =
      'it has neither rules of HTTP Toolkit nor map_local, map_remote, modify_headers or modify_body of mitmproxy';
    throw roundtripError('rules.not-importable', { name, detail });
  }
  return imported;
}
