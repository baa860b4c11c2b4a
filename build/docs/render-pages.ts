import Eleventy from '@11ty/eleventy';
import { withBarCharts } from './bar-charts.ts';
import { withHeadingIds } from './heading-ids.ts';
import { titleOf } from './html-text.ts';
import { withPageLinks } from './page-links.ts';

/** A page of the site: its path without `.html`, its title, and its content's HTML. */
export interface Page {
  stem: string;
  title: string;
  html: string;
}

/**
 * The Markdown files below `folder`, a path below the working directory, as pages.
 * Throws an Error if one has no level-1 heading.
 */
export async function renderPages(folder: string): Promise<Page[]> {
  const eleventy = new Eleventy(folder, 'out/docs-site', {
    configPath: null,
    quietMode: true,
    config(configuration) {
      configuration.addGlobalData('permalink', () => (data) => `${data.page.filePathStem}.html`);
      // Braces in the documents are examples, not templates.
      return { markdownTemplateEngine: false, templateFormats: ['md'] };
    },
  });
  const rendered = await eleventy.toJSON();
  return rendered.map(({ inputPath, url, content }) => {
    const html = withBarCharts(withPageLinks(withHeadingIds(content)));
    const title = titleOf(html);
    if (title === null) throw new Error(`${inputPath} has no title: begin it with a line "# Title".`);
    return { stem: stemOf(url), title, html };
  });
}

/** Eleventy's address of an index page is its folder. */
function stemOf(url: string): string {
  return url
    .replace(/^\//, '')
    .replace(/\.html$/, '')
    .replace(/(^|\/)$/, '$1index');
}
