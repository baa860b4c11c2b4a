import { type Node, printParseErrorCode } from 'jsonc-parser';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import type { JsonSource } from './json-source.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is not a JSON value: use text in double quotes, a number, true, false, null, {...} or [...].',
  InvalidNumberFormat: 'This is not a JSON number: write it like 300 or 0.5.',
  PropertyNameExpected:
    'A field name in double quotes is missing here. If a comma stands before a }, remove the comma.',
  ValueExpected: 'A value is missing here. If a comma stands before a ] or }, remove the comma.',
  ColonExpected: 'A colon is missing here: write "name": value.',
  CommaExpected: 'A comma is missing here.',
  CloseBraceExpected: 'A } is missing here.',
  CloseBracketExpected: 'A ] is missing here.',
  EndOfFileExpected: 'The rules end before this: remove what follows them.',
  InvalidCommentToken: 'JSON has no comments: remove this one.',
  UnexpectedEndOfComment: 'JSON has no comments: remove this one.',
  UnexpectedEndOfString: 'This text does not end on its line: add a double quote.',
  UnexpectedEndOfNumber: 'This number is incomplete: write it like 300 or 0.5.',
  InvalidUnicode: 'This escape is incomplete: \\u needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'This escape is unknown: write a backslash in JSON as \\\\.',
  InvalidCharacter: 'A control character is not allowed in JSON text: write a tab as \\t and a new line as \\n.',
};

/** Only the first error counts: the parser guesses after it, and often reports false faults. */
export function syntaxFaults(source: JsonSource): RuleFault[] {
  if (source.text.trim() === '') {
    return [source.fault(0, 'The file is empty: write {"version": 1, "rules": []}.')];
  }
  if (source.tooDeepAt !== null) return [source.fault(source.tooDeepAt, 'This is nested too deeply to be a rule.')];
  const [first] = source.errors;
  if (first === undefined) return [];
  const sentence = SENTENCES[printParseErrorCode(first.error)] ?? 'This is not JSON.';
  return [source.fault(first.offset, sentence)];
}

/** Fields that an object has twice: JSON readers take the last one silently. */
export function repeatedFields(source: JsonSource, node: Node | undefined = source.root): RuleFault[] {
  if (node === undefined) return [];
  const own = node.type === 'object' ? repeatedIn(source, node) : [];
  return [...own, ...(node.children ?? []).flatMap((child) => repeatedFields(source, child))];
}

function repeatedIn(source: JsonSource, object: Node): RuleFault[] {
  const seen = new Set<unknown>();
  return (object.children ?? []).flatMap((property) => {
    const name: unknown = property.children?.[0]?.value;
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [source.fault(property.offset, `The field ${JSON.stringify(name)} is here twice: remove one of them.`)];
  });
}
