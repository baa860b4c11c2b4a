import fs from 'node:fs';
import path from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { BudgetFileSchema } from '../shared/insight/budget/budget-file.ts';

/** The JSON schema of budget files, for editors. Expressions are checked by `roundtrip check` only. */
export function budgetSchema(): object {
  return { ...toJsonSchema(BudgetFileSchema, { typeMode: 'input' }), title: 'A budget of Roundtrip' };
}

/** Where it is published. */
export const BUDGET_SCHEMA = path.resolve(import.meta.dirname, '../docs/budget.schema.json');

if (import.meta.main) fs.writeFileSync(BUDGET_SCHEMA, `${JSON.stringify(budgetSchema(), null, 2)}\n`);
