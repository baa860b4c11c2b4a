import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { NAVIGATION } from './navigation.ts';
import { documentOf, type MenuGroup } from './page-layout.ts';
import { type Page, renderPages } from './render-pages.ts';
import { searchIndex, searchPage } from './search-index.ts';

const DOCS = 'docs';

/**
 * Writes the documentation site to the folder `out`, which is emptied first. The site needs no server and no network.
 */
export async function buildDocs(out: string): Promise<void> {
  const pages = await renderPages(DOCS);
  fs.rmSync(out, { recursive: true, force: true });
  fs.cpSync(DOCS, out, { recursive: true, filter: (file) => !file.endsWith('.md') });
  const menu = menuOf(pages);
  for (const { stem, title, html } of pages) {
    const file = path.join(out, `${stem}.html`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, documentOf(stem, title, html, menu));
  }
  const index = searchIndex(pages.map(({ stem, title, html }) => searchPage(`${stem}.html`, title, html)));
  fs.writeFileSync(path.join(out, 'search-index.js'), `globalThis.searchIndexText = ${JSON.stringify(index)};\n`);
  fs.copyFileSync(path.join(import.meta.dirname, 'site.css'), path.join(out, 'site.css'));
  const entry = path.join(import.meta.dirname, 'search-box.ts');
  await build({
    entryPoints: [entry],
    outfile: path.join(out, 'search.js'),
    bundle: true,
    minify: true,
    format: 'iife',
  });
}

/** Throws an Error if the menu names a page that does not exist. */
function menuOf(pages: readonly Page[]): MenuGroup[] {
  const titles = new Map(pages.map(({ stem, title }) => [stem, title]));
  return NAVIGATION.map(({ group, pages: stems }) => ({
    group,
    pages: stems.map((stem) => {
      const title = titles.get(stem);
      if (title === undefined)
        throw new Error(`build/docs/navigation.ts names ${stem}, but docs/${stem}.md is missing.`);
      return { stem, title };
    }),
  }));
}

if (import.meta.main) {
  await buildDocs('out/docs-site');
  console.log('out/docs-site/index.html');
}
