import type * as v from 'valibot';
import { budgetKeys } from '../../../shared/insight/budget/budget-file.ts';
import { nearestName } from '../../../shared/insight/budget/nearest-name.ts';

export interface BudgetFault {
  /** Keys and indexes that lead to the fault. */
  path: readonly unknown[];
  /** The fault is the last key itself, not its value. */
  isKey: boolean;
  /** What is wrong, and what to write. */
  sentence: string;
}

type Issue = v.BaseIssue<unknown>;

function isUnknownKey({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never';
}

/**
 * A fault of the file's shape in words: the schema's own are for programmers. A misspelled key is also one that is
 * missing.
 */
export function budgetFault(issues: readonly [Issue, ...Issue[]], isLighthouse: boolean): BudgetFault {
  const issue = issues.find(isUnknownKey) ?? issues[0];
  const path = issue.path?.map(({ key }) => key) ?? [];
  if (isUnknownKey(issue)) return { path, isKey: true, sentence: unknownKey(path, isLighthouse) };
  if (issue.type === 'strict_object' && path.length > 0 && issue.received === 'undefined')
    return { path: path.slice(0, -1), isKey: false, sentence: `The key ${String(path.at(-1))} is missing: add it.` };
  return { path, isKey: false, sentence: wrongValue(path, issue) };
}

/** The last key among keys and indexes; empty at the top. */
function lastKey(path: readonly unknown[]): string {
  return String(path.filter((key) => typeof key === 'string').at(-1) ?? '');
}

function unknownKey(path: readonly unknown[], isLighthouse: boolean): string {
  const key = String(path.at(-1));
  const known = budgetKeys(isLighthouse, lastKey(path.slice(0, -1)));
  return `There is no key ${key}.${meant(key, known)} Use ${known.join(', ')}.`;
}

function meant(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'a text in quotes',
  number: 'a number',
  strict_object: 'a list of key: value',
  min_value: '0 or more',
};

function wrongValue(path: readonly unknown[], { type, input, expected }: Issue): string {
  const name = path.length === 0 ? 'The budget' : lastKey(path);
  const given = JSON.stringify(input) ?? 'nothing';
  if (path.length === 0)
    return `The file has no budget: write a key budget with a list of lines, as in budget: [count < 120].`;
  if (type !== 'picklist') return `${name} must be ${KINDS[type] ?? expected}, not ${given}.`;
  const known = [...(expected ?? '').matchAll(/"([^"]+)"/g)].map(([, value = '']) => value);
  return `${name} must be one of ${known.join(', ')}, not ${given}.${meant(String(input), known)}`;
}
