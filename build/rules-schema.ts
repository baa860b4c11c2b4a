import fs from 'node:fs';
import path from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { RuleListSchema } from '../shared/model/rule/rule.ts';

/**
 * The JSON schema of rules files, for editors. Queries, regular expressions and names are checked by `rules check`
 * only.
 */
export function rulesSchema(): object {
  const schema = toJsonSchema(RuleListSchema, {
    typeMode: 'input',
    errorMode: 'ignore',
    // The check of an object: an action has exactly one key.
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === 'check' && jsonSchema.type === 'object'
        ? { ...jsonSchema, minProperties: 1, maxProperties: 1 }
        : undefined,
  });
  return { ...schema, title: 'Rules of Roundtrip' };
}

/** Where it is published. */
export const RULES_SCHEMA = path.resolve(import.meta.dirname, '../docs/rules.schema.json');

if (import.meta.main) fs.writeFileSync(RULES_SCHEMA, `${JSON.stringify(rulesSchema(), null, 2)}\n`);
