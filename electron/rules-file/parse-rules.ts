import * as v from 'valibot';
import { type Rule, type RuleList, RuleListSchema, RuleSchema } from '../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import { actionFaults } from './action-faults.ts';
import { JsonSource } from './json-source.ts';
import { repeatedNames, unknownGroups } from './list-faults.ts';
import { queryFaults } from './query-faults.ts';
import { schemaFaults } from './schema-faults.ts';
import { repeatedFields, syntaxFaults } from './syntax-faults.ts';

export type ParsedRules = { ok: true; rules: RuleList } | { ok: false; faults: RuleFault[] };

/** Reads the text of a rules file. Never throws; faults are in the order of the text. Paths in it stay unchanged. */
export function parseRules(text: string): ParsedRules {
  // Some editors on Windows begin a file with a byte order mark; column numbers don't count it either.
  const source = new JsonSource(text.replace(/^\ufeff/, ''));
  const syntax = syntaxFaults(source);
  if (syntax.length > 0) return { ok: false, faults: syntax };
  const value: unknown = JSON.parse(source.text);
  const faults = [
    ...repeatedFields(source),
    ...schemaFaults(source, RuleListSchema, value),
    ...ruleFaults(source, validRules(value)),
  ];
  if (faults.length > 0) return { ok: false, faults: inOrder(faults) };
  const rules = v.parse(RuleListSchema, value);
  const unknown = unknownGroups(source, rules.groupsOff, rules.rules);
  return unknown.length > 0 ? { ok: false, faults: unknown } : { ok: true, rules };
}

/**
 * The rules of a list, null for each one that the schema refuses: a fault in one rule does not hide those in others.
 */
function validRules(value: unknown): (Rule | null)[] {
  const rules: unknown = typeof value === 'object' && value !== null && 'rules' in value ? value.rules : null;
  if (!Array.isArray(rules)) return [];
  return rules.map((rule: unknown) => {
    const result = v.safeParse(RuleSchema, rule);
    return result.success ? result.output : null;
  });
}

function ruleFaults(source: JsonSource, rules: readonly (Rule | null)[]): RuleFault[] {
  const faults = rules.flatMap((rule, index) => {
    if (rule === null) return [];
    const path = ['rules', index];
    const ofActions = rule.do.flatMap((action, place) => actionFaults(source, action, [...path, 'do', place]));
    return [...queryFaults(source, rule, path), ...ofActions];
  });
  return [...faults, ...repeatedNames(source, rules)];
}

function inOrder(faults: readonly RuleFault[]): RuleFault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
