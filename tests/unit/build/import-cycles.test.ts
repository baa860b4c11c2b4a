import { expect, it } from 'vitest';
import { importCycles } from '../../../build/import-cycles.ts';

const graph = (imports: Record<string, string[]>) => new Map(Object.entries(imports));

it('finds no cycle in a tree, or if two files import a third', () => {
  expect(importCycles(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([]);
});

it('finds each group of files that import each other, however long the path', () => {
  const found = importCycles(graph({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a'] }));
  expect(found).toHaveLength(2);
  expect(found).toContainEqual(['a', 'b', 'c']);
  expect(found).toContainEqual(['d', 'e']);
});

it('finds a file that imports itself', () => {
  expect(importCycles(graph({ a: ['a'] }))).toEqual([['a']]);
});
