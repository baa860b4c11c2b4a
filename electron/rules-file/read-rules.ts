import type { Failure } from '../../shared/model/failure.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import { describe, failure, roundtripError, systemCode } from '../failures/errors.ts';
import { readUserText } from '../files/user-text.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
};

/** The text of a rules file. Throws `rules.unreadable`. */
export function readRulesText(file: string): string {
  try {
    return readUserText(file);
  } catch (error) {
    const code = systemCode(error);
    throw roundtripError('rules.unreadable', { path: file, detail: REASONS[code ?? ''] ?? describe(error) }, code);
  }
}

/** `FILE:line:column: what`, as compilers print it and editors jump to it. */
export function faultLine(file: string, { line, column, message }: RuleFault): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** The failure for a file with these faults, of which there is at least one. */
export function invalidRules(file: string, faults: readonly RuleFault[]): Failure {
  const [first] = faults;
  const text = first === undefined ? '' : `${first.line}:${first.column}: ${first.message}`;
  return failure('rules.invalid', { path: file, count: faults.length, first: text });
}
