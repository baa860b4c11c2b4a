import { expect, test } from 'vitest';
import { summedQuery } from '../../../../../renderer/features/compare/summed-query.ts';
import { compileFilter } from '../../../../../shared/filter/compile.ts';
import { exampleRow } from '../../../../support/example-row.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

/** Which of these hosts and paths a query finds. */
function found(query: string, rows: { authority: string; path?: string }[]): string[] {
  const filter = compileFilter(query);
  if (!filter.ok) throw new Error(filter.problem.message);
  return rows
    .map((row) => exampleRow({}, row))
    .filter((row) => filter.matches(row))
    .map(({ authority, path }) => authority + path);
}

test('a name stays as it is, unless it is a part of another one', () => {
  expect(summedQuery('type', 'text/html', named('text/html', 'image/png'), [])).toBe('type:text/html');
  expect(summedQuery('type', '', named('', 'image/png'), [])).toBe('-type:/');
  const hosts = named('shop.test', 'api.shop.test', 'shop.test:8080', '[::1]:80', '[::1]:8080');
  const rows = hosts.map(({ name }) => ({ authority: name, path: '/' }));
  for (const { name } of hosts) expect(found(summedQuery('host', name, hosts, []), rows)).toEqual([`${name}/`]);
});

test('what the comparison ignored is left out', () => {
  const rows = ['/a', '/health', '/b?x=1'].map((path) => ({ authority: 'a.test', path }));
  const query = summedQuery('host', 'a.test', named('a.test'), ['path:/health', 'path:/c OR path:x=1']);
  expect(found(query, rows)).toEqual(['a.test/a']);
});
