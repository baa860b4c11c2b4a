import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../../electron/rules-file/parse-rules.ts';
import { ACTIONS, type Action, type ActionName, isFinalAction } from '../../../../shared/model/rule/actions.ts';
import { blocksOf, otherPages, rulesFiles, textOf } from '../../../support/docs-pages.ts';

const EXAMPLES = rulesFiles().map(({ text }) => text);

describe('the pages about rules', () => {
  it('have examples', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(13);
  });

  it.each(EXAMPLES)('have an example without faults: %s', (text) => {
    expect(parseRules(text)).toMatchObject({ ok: true });
  });

  it('have every rules file of the documentation', () => {
    const blocks = otherPages().flatMap((page) => blocksOf(page).map(({ text }) => ({ page, text })));
    expect(blocks.filter(({ text }) => /"rules": \[/.test(text))).toEqual([]);
  });

  it.each(Object.entries(ACTIONS))('name each field of %s, in a section about it', (name, { entries }) => {
    const sections = textOf('rule-actions.md').split(/^## /m);
    const own = sections.find((section) => new RegExp(`^.*\\b${name}\\b`).test(section)) ?? '';
    for (const field of Object.keys(entries)) expect(own).toContain(`\`${field}\``);
  });

  it.each(Object.keys(ACTIONS) as ActionName[])('list %s, and say whether it is final', (name) => {
    const [row = ''] = new RegExp(`^\\| \\[.*\`${name}\`.*$`, 'm').exec(textOf('rule-actions.md')) ?? [];
    expect(row).toContain('](');
    expect(row.includes('; final |')).toBe(isFinalAction({ [name]: {} } as Action));
  });
});
