import { expect, test } from 'vitest';
import { differing, entriesOf, unlisted } from '../../../../../renderer/features/compare/entries.ts';
import { compareSessions } from '../../../../../shared/compare/compare-sessions.ts';
import { exampleRow } from '../../../../support/example-row.ts';

const rows = Array.from({ length: 1200 }, (_each, at) =>
  exampleRow({ id: at + 1, request: { path: `/${'a'.repeat(at % 7)}` } }),
);
const compared = (limit: number) => compareSessions(rows, rows.slice(0, 1100), { changes: [] }, limit);

test('a comparison names what its lists leave out', () => {
  expect(unlisted(compared(1000), 'all')).toContain('the first 1,000 of 1,100 unchanged. ');
  expect(unlisted(compared(50), 'gone')).toContain('Listed: the first 50 of 100 gone. ');
});

test('a part that is complete has nothing to name', () => {
  expect(unlisted(compared(1000), 'gone')).toBe('');
  expect(unlisted(compared(2000), 'all')).toBe('');
});

test('what is different is all but what did not change', () => {
  const result = compared(2000);
  const entries = entriesOf(result, 'different');
  expect(entries.map(({ kind }) => kind)).toEqual(new Array(100).fill('gone'));
  expect(differing(result)).toBe(100);
  expect(entriesOf(result, 'all')).toHaveLength(1200);
  expect(unlisted(compared(50), 'different')).toContain('Listed: the first 50 of 100 gone. ');
});
