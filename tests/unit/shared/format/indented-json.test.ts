import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentedJson } from '../../../../shared/format/indented-json.ts';

it('has a member or an item per line, as JSON.stringify writes them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(indentedJson(text)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

it('keeps numbers, escapes, doubled names and their order', () => {
  const text = ' {"id":12345678901234567890, "2":1.10,\n"1":"caf\\u00e9 \\"x\\" {","id":[ ] , "o":{ }}\t';
  expect(indentedJson(text)).toBe(
    '{\n  "id": 12345678901234567890,\n  "2": 1.10,\n  "1": "caf\\u00e9 \\"x\\" {",\n  "id": [],\n  "o": {}\n}',
  );
});

it('is null for other text', () => {
  expect(indentedJson('{"a":}')).toBeNull();
  expect(indentedJson('')).toBeNull();
});

it('reads long strings', () => {
  const text = JSON.stringify(['x\\"'.repeat(1_000_000)]);
  expect(indentedJson(text)).toHaveLength(text.length + 4);
});
