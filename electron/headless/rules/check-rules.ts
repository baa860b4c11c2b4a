import path from 'node:path';
import { counted } from '../../../shared/format/counts.ts';
import type { RuleList } from '../../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../../shared/model/rule/rule-state.ts';
import { namedFaults } from '../../rules-file/named-faults.ts';
import { parseRules } from '../../rules-file/parse-rules.ts';
import { faultLine, readRulesText } from '../../rules-file/read-rules.ts';
import { ScriptChecker } from '../../worker/script/script-checker.ts';
import { Output } from '../output.ts';
import type { RulesCommand } from './rules-options.ts';

/** Prints each fault of a rules file. Returns the exit code: 1 for any fault. Rejects with `rules.unreadable`. */
export async function checkRules({ file, json }: Extract<RulesCommand, { action: 'check' }>): Promise<0 | 1> {
  const output = new Output(json);
  const text = readRulesText(file);
  const parsed = parseRules(text);
  const faults = parsed.ok ? await faultsOfNamed(file, text, parsed.rules) : parsed.faults;
  if (parsed.ok && faults.length === 0) {
    const { length } = parsed.rules.rules;
    output.event({ file, rules: length });
    output.say(`${file}: ${counted(length, 'rule')}, no faults`);
    return 0;
  }
  for (const fault of faults) {
    output.event({ file, ...fault });
    output.say(faultLine(file, fault));
  }
  return 1;
}

async function faultsOfNamed(file: string, text: string, rules: RuleList): Promise<RuleFault[]> {
  const scripts = new ScriptChecker(__dirname);
  try {
    return await namedFaults(text, rules, { folder: path.dirname(path.resolve(file)), compile: scripts.check });
  } finally {
    await scripts.close();
  }
}
