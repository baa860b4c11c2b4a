import fs from 'node:fs';
import path from 'node:path';
import { counted } from '../../../shared/format/counts.ts';
import { importRules } from '../../rules-file/import/import-rules.ts';
import { readRulesText } from '../../rules-file/read-rules.ts';
import { Output } from '../output.ts';
import type { RulesCommand } from './rules-options.ts';

/**
 * Writes the rules of another program's file as a rules file. Prints a line per item without an equivalent. Rejects
 * with `rules.unreadable`, `rules.not-importable`, or what the file system throws.
 */
export async function importRulesFile({ file, out, json }: Extract<RulesCommand, { action: 'import' }>): Promise<0> {
  const output = new Output(json);
  const { rules, skipped } = await importRules(file, readRulesText(file), path.dirname(path.resolve(file)));
  const list = { version: 1, rules };
  if (out !== null) fs.writeFileSync(out, `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 });
  if (json) output.event({ file, rules: rules.length, skipped, ...(out === null && { list }) });
  else if (out === null) output.say(JSON.stringify(list, null, 2));
  else output.say(`${out}: ${counted(rules.length, 'rule')}`);
  for (const line of skipped) output.note(`${file}: ${line}`);
  return 0;
}
