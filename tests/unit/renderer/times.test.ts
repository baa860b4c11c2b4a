import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Without a language these follow the browser's: the rest of the window is in English. */
const BY_THE_BROWSER = /\.toLocale(?:Time|Date)?String\(\)|new Intl\.\w+\(\)/;

test('no part of the window formats a time or a number by the browser’s language', () => {
  const files = globSync('{renderer,shared}/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => BY_THE_BROWSER.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
});
