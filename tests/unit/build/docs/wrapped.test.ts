import { describe, expect, it } from 'vitest';
import { wrapped } from '../../../../build/docs/wrapped.ts';

describe('a paragraph of a generated page', () => {
  it('has lines of at most 120 columns', () => {
    const lines = wrapped('word '.repeat(100)).split('\n');
    expect(lines.map((line) => line.length)).toEqual([119, 119, 119, 119, 19]);
  });

  it('indents the further lines of a list item', () => {
    expect(wrapped(`- ${'a'.repeat(110)} ${'b'.repeat(110)}`)).toBe(`- ${'a'.repeat(110)}\n  ${'b'.repeat(110)}`);
  });

  it('never breaks inside of code', () => {
    expect(wrapped(`${'a'.repeat(110)} (\`one two three\`).`)).toBe(`${'a'.repeat(110)}\n(\`one two three\`).`);
  });

  it('keeps a short one', () => {
    expect(wrapped('Nothing to break.')).toBe('Nothing to break.');
  });
});
