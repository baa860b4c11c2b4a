import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES_SCHEMA, rulesSchema } from '../../../build/rules-schema.ts';

describe('docs/rules.schema.json', () => {
  it('is what node build/rules-schema.ts writes', () => {
    expect(JSON.parse(fs.readFileSync(RULES_SCHEMA, 'utf8'))).toEqual(JSON.parse(JSON.stringify(rulesSchema())));
  });

  it('demands exactly one key of an action', () => {
    expect(rulesSchema()).toMatchObject({
      properties: { rules: { items: { properties: { do: { items: { minProperties: 1, maxProperties: 1 } } } } } },
    });
  });
});
