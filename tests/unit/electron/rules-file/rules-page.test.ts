import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../../electron/rules-file/parse-rules.ts';
import { ACTIONS } from '../../../../shared/model/rule/actions.ts';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../../docs/rules.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text]) => text ?? '');

describe('docs/rules.md', () => {
  it('has examples', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(6);
  });

  it.each(EXAMPLES)('has an example without faults: %s', (text) => {
    expect(parseRules(text)).toMatchObject({ ok: true });
  });

  it.each(Object.entries(ACTIONS))('names each field of %s', (name, { entries }) => {
    expect(PAGE).toMatch(new RegExp(`^### .*\\b${name}\\b`, 'm'));
    for (const field of Object.keys(entries)) expect(PAGE).toContain(`\`${field}\``);
  });
});
