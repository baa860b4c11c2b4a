import MiniSearch, { type Options } from 'minisearch';
import { textOf } from './html-text.ts';

/** What the search stores of a page: `id` is its path below the site. */
interface SearchPage {
  id: string;
  title: string;
  headings: string;
  text: string;
}

/** The index's options. The page that searches needs the same ones as the build. */
export const SEARCH_OPTIONS: Options<SearchPage> = {
  fields: ['title', 'headings', 'text'],
  storeFields: ['title'],
  searchOptions: { boost: { title: 8, headings: 3 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
};

/** A page's entry, from its content's HTML. */
export function searchPage(id: string, title: string, html: string): SearchPage {
  const headings = Array.from(html.matchAll(/<h[2-6][^>]*>(.*?)<\/h[2-6]>/gs), ([, heading = '']) => textOf(heading));
  return { id, title, headings: headings.join(' '), text: textOf(html) };
}

/** The index of these pages as JSON text, for `MiniSearch.loadJSON`. */
export function searchIndex(pages: readonly SearchPage[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(pages);
  return JSON.stringify(index);
}
