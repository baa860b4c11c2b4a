import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readUserText } from '../../../../electron/files/user-text.ts';
import { readBudget } from '../../../../electron/headless/insight/budget-reader.ts';
import { parseRules } from '../../../../electron/rules-file/parse-rules.ts';
import { readRulesText } from '../../../../electron/rules-file/read-rules.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-16, little-endian': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, big-endian': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

it.each(Object.keys(ENCODINGS))('a file in %s is read as rules and as a budget', (encoding) => {
  const file = path.join(temporaryFolder(), 'a.json');
  const write = (text: string) => fs.writeFileSync(file, ENCODINGS[encoding]?.(text) ?? '');
  write('größer: 漢字 😀');
  expect(readUserText(file)).toBe('größer: 漢字 😀');
  write('{ "version": 1, "rules": [{ "name": "ä", "do": [{ "mark": { "color": "red" } }] }] }');
  const faults = [{ line: 1, column: 61, message: expect.stringContaining('"color" is unknown') }];
  expect(parseRules(readRulesText(file))).toEqual({ ok: false, faults });
  write('{ "budget": ["count < 3"] }');
  expect(readBudget(file)).toMatchObject({ lines: [{ text: 'count < 3' }] });
});
