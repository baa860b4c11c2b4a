import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBudget } from '../../../../../electron/headless/insight/budget-reader.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function file(text: string): string {
  const name = path.join(temporaryFolder(), 'budget.yaml');
  fs.writeFileSync(name, text);
  return name;
}

/** Each list has the one before twenty times. */
const BILLIONS = ['a: &a [x]', ...[...'bcdefghij'].map(line)].join('\n');

function line(name: string, at: number): string {
  const before = at === 0 ? 'a' : 'bcdefghij'[at - 1];
  return `${name}: &${name} [${`*${before},`.repeat(20)}]`;
}

describe('readBudget', () => {
  it('reads JSON, YAML and the budgets of Lighthouse', () => {
    expect(readBudget(file('{ "budget": ["count < 3"] }'))).toMatchObject({
      kind: 'lines',
      lines: [{ text: 'count < 3' }],
    });
    expect(readBudget(file('budget:\n  - count < 3\nbaseline: { minimumMs: 9 }'))).toMatchObject({
      times: { minimumMs: 9, minimumShare: 0.05 },
    });
    const lighthouse = '[{ "path": "/", "resourceCounts": [{ "resourceType": "script", "budget": 3 }] }]';
    expect(readBudget(file(lighthouse))).toMatchObject({ kind: 'lighthouse' });
  });

  it.each([
    ['budget:\n  - count < 3\n  - cuont < 4\n', ':3:5: There is no measure cuont'],
    ['budget:\n  - p95(tfb) < 4ms\n', ':2:9: There is no field tfb. Did you mean ttfb?'],
    ['budget:\n  - "count < 3 where colour:red"\n', ':2:22: In "colour:red": There is no field colour.'],
    ['budget:\n  - sum(size) < 3ms\n', ':2:17: "ms" is not a unit here'],
    ['budget:\n  - findings == 0 where severty:high\n', 'severty:high. Did you mean severity?'],
    ['{ "budget": 3 }', ':1:13: budget must be a list, not 3.'],
    ['{ "budget": [3] }', ':1:14: budget must be a text in quotes, not 3.'],
    ['{ "bugdet": [] }', ':1:3: There is no key bugdet. Did you mean budget? Use $schema, budget, baseline.'],
    ['{ "baseline": {} }', ':1:1: The key budget is missing: add it.'],
    [
      'budget: []\nbaseline:\n  minimumMS: 3',
      ':3:3: There is no key minimumMS. Did you mean minimumMs? Use minimumMs, m',
    ],
    ['budget: []\nbaseline:\n  minimumMs: -3', ':3:14: minimumMs must be 0 or more, not -3.'],
    ['budget: []\n---\nbudget: []', 'The file has several YAML documents: keep one, and remove the line with ---.'],
    ['hello', ':1:1: The file has no budget: write a key budget with a list of lines'],
    ['{ "budget": [', ':1:'],
    ['budget: *none', ':1:9: Unresolved alias'],
    [BILLIONS, ':1:1: Excessive alias count'],
    ['', ':1:1: The file has no budget'],
    ['budget:\n  - findings == 0 where severity:hihg\n', ':2:25: No finding has severity:hihg. Did you mean high?'],
    [
      '[{ "resourceSizes": [{ "resourceType": "scripts", "budget": 1 }] }]',
      ':1:40: resourceType must be one of document, font, image, media, other, script, stylesheet, third-party, ' +
        'total, not "scripts". Did you mean script?',
    ],
    ['[{ "resourceSizes": [{ "resourceType": "script" }] }]', ':1:22: The key budget is missing'],
    ['[{ "resourceSize": [] }]', ':1:4: There is no key resourceSize. Did you mean resourceSizes? Use path, options'],
  ])('names the place of the fault in %j', (text, message) => {
    expect(() => readBudget(file(text))).toThrow(message);
  });

  it('refuses a file that is not there', () => {
    expect(() => readBudget(path.join(temporaryFolder(), 'none.json'))).toThrow("can't be read: there is no such file");
  });
});
