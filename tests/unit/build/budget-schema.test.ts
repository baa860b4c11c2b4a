import fs from 'node:fs';
import { expect, it } from 'vitest';
import { BUDGET_SCHEMA, budgetSchema } from '../../../build/budget-schema.ts';

it('docs/budget.schema.json is what build/budget-schema.ts writes', () => {
  expect(JSON.parse(fs.readFileSync(BUDGET_SCHEMA, 'utf8'))).toEqual(budgetSchema());
});
