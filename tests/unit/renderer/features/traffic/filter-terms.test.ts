import { expect, test } from 'vitest';
import { filterTerm, withTerm } from '../../../../../renderer/features/traffic/filter-terms.ts';
import { tokenize } from '../../../../../shared/filter/tokens.ts';

test('a term is quoted if its value would mean something else', () => {
  expect(filterTerm('host', 'api.example.com:8443')).toBe('host:api.example.com:8443');
  expect(filterTerm('path', '/a b')).toBe('path:"/a b"');
  for (const value of ['/say "hi"', 'a\\b', '(x)', 'a,b']) {
    expect(tokenize(filterTerm('path', value))).toMatchObject([{ kind: 'term', field: 'path', value, quoted: true }]);
  }
});

test('a term is added to the query once, and the query keeps its meaning', () => {
  expect(withTerm('', 'host:a')).toBe('host:a');
  expect(withTerm(' status:404 ', 'host:a')).toBe('status:404 host:a');
  expect(withTerm('status:404 host:a', 'host:a')).toBe('status:404 host:a');
  expect(withTerm('host:a OR host:b', 'path:/x')).toBe('(host:a OR host:b) path:/x');
  expect(withTerm('"never closed', 'host:a')).toBe('host:a');
});
