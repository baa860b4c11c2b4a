import type { Settings } from '../../../shared/model/settings.ts';
import { DEFAULT_PORT } from '../../commands/default-port.ts';
import { dataFolderOf, file, notEmpty, port } from '../arguments.ts';
import type { ProxyValues } from './proxy-flags.ts';
import { overridesOf } from './setting-options.ts';

/** The options of commands that start a proxy. */
export interface ProxyOptions {
  port: number;
  host: string;
  uiPort: number;
  dataFolder: string;
  /** Null: a new file in the data folder. */
  session: string | null;
  har: string | null;
  /** Null: `rules.json` in the data folder, if there is one. */
  rules: string | null;
  /** For `record`: the recording is checked against it (docs/ci.md). */
  budget: string | null;
  /** Settings for this run. */
  overrides: Partial<Settings>;
  json: boolean;
}

/** Throws `BadArguments`. */
export function proxyOptions(values: ProxyValues): ProxyOptions {
  return {
    port: port('port', values.port, DEFAULT_PORT),
    host: notEmpty('host', values.host) ?? '127.0.0.1',
    uiPort: port('ui-port', values['ui-port'], 0),
    dataFolder: dataFolderOf(values),
    session: file('session', values.session),
    har: file('har', values.har),
    rules: file('rules', values.rules),
    budget: file('budget', values.budget),
    overrides: overridesOf(values),
    json: values.json ?? false,
  };
}
