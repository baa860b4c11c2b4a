import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Pages of tables, listings and figures, where a picture of the window would show nothing. */
const WITHOUT = [
  'api.md',
  'architecture.md',
  'benchmark.md',
  'client-errors.md',
  'command-line.md',
  'evidence.md',
  'faults.md',
  'mechanisms.md',
  'performance-tables.md',
  'performance.md',
  'releasing.md',
  'session-file.md',
  'warehouse.md',
];

const picturesOf = (page: string) =>
  [...fs.readFileSync(`docs/${page}`, 'utf8').matchAll(/^!\[[^\]]+\]\((.+)\)$/gm)].map(([, file = '']) => file);

describe('the pages of the documentation', () => {
  const pages = fs
    .readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .sort();

  it('have a picture each, except for tables and listings', () => {
    expect(pages.filter((page) => picturesOf(page).length === 0)).toEqual(WITHOUT);
  });

  it('show pictures that exist', () => {
    const shown = pages.flatMap(picturesOf).map((file) => path.join('docs', file));
    expect(shown.filter((file) => !fs.existsSync(file))).toEqual([]);
  });
});
