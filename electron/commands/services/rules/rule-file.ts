import fs from 'node:fs';
import type { Failure } from '../../../../shared/model/failure.ts';
import { NO_RULES, type RuleList } from '../../../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../../../shared/model/rule/rule-state.ts';
import { failureOf, roundtripError, systemCode } from '../../../failures/errors.ts';
import { fileProblem } from '../../../files/file-problem.ts';
import { parseRules } from '../../../rules-file/parse-rules.ts';
import { invalidRules, readRulesText } from '../../../rules-file/read-rules.ts';
import { writePrivateFile } from '../../private-file.ts';

/** The content of a file. `text`: null if there is none; `rules`: null if `failure` gives a reason. */
export interface Reading {
  text: string | null;
  rules: RuleList | null;
  problems: RuleFault[];
  failure: Failure | null;
}

/** Differs after every change: of content, by replacement, or of the file that a symbolic link leads to. */
export function stateOf(stats: fs.BigIntStats | undefined): string {
  return stats === undefined ? 'none' : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/** Never throws. `isNamed`: the file must exist. `seen`: its state (`stateOf`) before it was read. */
export function readRuleFile(file: string, isNamed: boolean): { reading: Reading; seen: string } {
  let seen = stateOf(undefined);
  try {
    // Before the content: a change in between is seen as one later.
    seen = stateOf(fs.statSync(file, { bigint: true, throwIfNoEntry: false }));
    const text = readRulesText(file);
    const parsed = parseRules(text);
    if (!parsed.ok) return { reading: refused(file, text, parsed.faults), seen };
    return { reading: { text, rules: parsed.rules, problems: [], failure: null }, seen };
  } catch (error) {
    const failure = failureOf(error);
    const isAbsent = failure.cause === 'ENOENT' && !isNamed;
    const reading = { text: null, problems: [] };
    return {
      reading: isAbsent ? { ...reading, rules: NO_RULES, failure: null } : { ...reading, rules: null, failure },
      seen,
    };
  }
}

/** A file that is not used because of its faults, of which there is at least one. */
export function refused(file: string, text: string | null, faults: RuleFault[]): Reading {
  return { text, rules: null, problems: faults, failure: invalidRules(file, faults) };
}

/** Throws `rules.write-failed`. */
export function writeRuleFile(file: string, text: string): void {
  try {
    // A symbolic link is kept.
    writePrivateFile(fs.existsSync(file) ? fs.realpathSync(file) : file, text);
  } catch (error) {
    const detail = fileProblem(error, file);
    throw roundtripError('rules.write-failed', { path: file, detail }, systemCode(error));
  }
}
