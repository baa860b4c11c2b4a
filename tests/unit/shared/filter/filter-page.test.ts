import { expect, it } from 'vitest';
import { describeContentFields } from '../../../../shared/filter/content-terms.ts';
import { describeFields } from '../../../../shared/filter/fields.ts';
import { IS_WORDS } from '../../../../shared/filter/is-words.ts';
import { parseQuery } from '../../../../shared/filter/parse.ts';
import { textOf } from '../../../support/docs-pages.ts';

/** The rows of docs/filter.md whose first cell begins with a piece of code. */
const ROWS = textOf('filter.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

/** The pieces of code in a cell of a row. */
function codesIn(row: string, cell: number): string[] {
  return [...(row.split(' | ')[cell] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

it('docs/filter.md lists the fields, as the filter box describes them', () => {
  const rows = [...describeFields(), ...describeContentFields()].map(
    ({ name, about, examples }) => `| \`${name}:\` | ${about} | ${examples.map((one) => `\`${one}\``).join(', ')} |`,
  );
  expect(ROWS.filter((row) => /^\| `[a-z-]+:` \|/.test(row))).toEqual(rows);
});

it('docs/filter.md lists the states', () => {
  const states = ROWS.filter((row) => row.startsWith('| `is:') && !row.startsWith('| `is:`'));
  const listed = states.flatMap((row) => codesIn(row, 0)).map((state) => state.replace('is:', ''));
  expect(listed.toSorted()).toEqual(Object.keys(IS_WORDS).toSorted());
});

it('docs/filter.md shows queries that compile', () => {
  const queries = ROWS.filter((row) => !/^\| `[a-z-]+:` \|/.test(row)).flatMap((row) => codesIn(row, 0));
  expect(queries.length).toBeGreaterThan(20);
  const faulty = queries.filter((query) => !parseQuery(query, 'all').ok);
  expect(faulty).toEqual([]);
});
