import path from 'node:path';
import * as v from 'valibot';
import { StoreSelectorSchema, TRUST_STORES } from '../../../shared/model/trust-store.ts';
import { CA_FORMS, type CaForm } from '../../engine/ca/ca-export.ts';
import { BadArguments } from '../bad-arguments.ts';

const CA_ACTIONS = ['status', 'install', 'uninstall', 'export', 'renew', 'rotate', 'import'] as const;
export type CaAction = (typeof CA_ACTIONS)[number];

export interface CaCommand {
  command: 'ca';
  action: CaAction;
  /** Kinds of stores, or store ids; null: the system's default. */
  stores: 'all' | string[] | null;
  /** For `export`. */
  form: CaForm;
  /** Where `export` writes; null: standard output. */
  out: string | null;
  /** For `import`. */
  files: string[];
  dataFolder: string;
  json: boolean;
}

export interface CaValues {
  store?: string[] | undefined;
  format?: string | undefined;
  out?: string | undefined;
  json?: boolean | undefined;
}

function storesOf(names: readonly string[] | undefined): 'all' | string[] | null {
  if (names === undefined) return null;
  if (names.includes('all')) return 'all';
  const wrong = names.find((name) => !v.is(StoreSelectorSchema, name));
  if (wrong === undefined) return [...names];
  throw new BadArguments(`--store ${JSON.stringify(wrong)} is not a store: use one of ${TRUST_STORES.join(', ')}, all`);
}

function formOf(name: string): CaForm {
  const form = CA_FORMS.find((one) => one === name);
  if (form === undefined)
    throw new BadArguments(`--format ${JSON.stringify(name)} is not a format: use one of ${CA_FORMS.join(', ')}`);
  return form;
}

function actionOf(name: string | undefined): CaAction {
  const action = CA_ACTIONS.find((one) => one === name);
  if (action !== undefined) return action;
  const given = name === undefined ? 'ca needs an action' : `ca ${JSON.stringify(name)} is not an action`;
  throw new BadArguments(`${given}: use one of ${CA_ACTIONS.join(', ')}`);
}

/** Throws `BadArguments`. `positionals`: the action, followed by the files for `import`. */
export function caCommand(values: CaValues, positionals: readonly string[], dataFolder: string): CaCommand {
  const action = actionOf(positionals[0]);
  const files = positionals.slice(1);
  if (action !== 'import' && files[0] !== undefined)
    throw new BadArguments(`unexpected argument ${JSON.stringify(files[0])}`);
  if (action === 'import' && (files.length === 0 || files.length > 2))
    throw new BadArguments('ca import needs one file (PKCS#12, or PEM with key and certificate) or two (PEM)');
  return {
    command: 'ca',
    action,
    stores: storesOf(values.store),
    form: formOf(values.format ?? 'pem'),
    out: values.out === undefined ? null : path.resolve(values.out),
    files: files.map((file) => path.resolve(file)),
    dataFolder,
    json: values.json ?? false,
  };
}
