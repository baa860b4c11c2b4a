import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocs } from '../../../../build/docs/build-docs.ts';
import { NAVIGATION } from '../../../../build/docs/navigation.ts';
import { SEARCH_OPTIONS } from '../../../../build/docs/search-index.ts';

let site: string;
let pages: string[];

beforeAll(async () => {
  site = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-docs-'));
  await buildDocs(site);
  pages = fs.readdirSync(site, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.html'));
});
afterAll(() => fs.rmSync(site, { recursive: true, force: true }));

const read = (page: string) => fs.readFileSync(path.join(site, page), 'utf8');

/** What is wrong with a link or source of `page`, or null. */
function broken(page: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null;
  const [file = '', hash] = target.split('#');
  const name = file === '' ? page : path.join(path.dirname(page), file);
  if (!fs.existsSync(path.join(site, name))) return `${page}: ${target}`;
  if (hash === undefined || read(name).includes(`id="${hash}"`)) return null;
  return `${page}: ${target} (no such section)`;
}

it('turns each document into a page with a title, and lists it in the menu', () => {
  const listed = NAVIGATION.flatMap((group) => group.pages.map((page) => `${page}.html`));
  expect(listed.toSorted()).toEqual(pages.filter((page) => !page.includes(path.sep)).toSorted());
  expect(pages.filter((page) => !/<title>[^<]+ - Roundtrip<\/title>/.test(read(page)))).toEqual([]);
});

it('draws every bar chart', () => {
  expect(pages.filter((page) => read(page).includes('xychart-beta'))).toEqual([]);
  expect(read('performance.html')).toContain('<table class="bars">');
});

it('links only to pages, sections, files and images that exist', () => {
  const found = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/ (?:href|src)="([^"]*)"/g), ([, target = '']) => broken(page, target)),
  );
  expect(found.filter((problem) => problem !== null)).toEqual([]);
});

it('finds pages by the search index that the site loads', () => {
  const context: { searchIndexText?: string } = {};
  vm.runInNewContext(read('search-index.js'), context);
  const index = MiniSearch.loadJSON(context.searchIndexText ?? '', SEARCH_OPTIONS);
  expect(index.search('proxy').map(({ id }) => id)).toContain('corporate-proxy.html');
});
