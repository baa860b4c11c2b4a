import { counted } from '../../../shared/format/counts.ts';
import { parseRules } from '../../rules-file/parse-rules.ts';
import { faultLine, readRulesText } from '../../rules-file/read-rules.ts';
import { Output } from '../output.ts';
import type { RulesCommand } from './rules-options.ts';

/** Prints each fault of a rules file. Gives the exit code, 1 for any fault. Throws `rules.unreadable`. */
export function checkRules({ file, json }: Extract<RulesCommand, { action: 'check' }>): 0 | 1 {
  const output = new Output(json);
  const parsed = parseRules(readRulesText(file));
  if (parsed.ok) {
    const { length } = parsed.rules.rules;
    output.event({ file, rules: length });
    output.say(`${file}: ${counted(length, 'rule')}, no faults`);
    return 0;
  }
  for (const fault of parsed.faults) {
    output.event({ file, ...fault });
    output.say(faultLine(file, fault));
  }
  return 1;
}
