import { escapeHtml } from './html-text.ts';

/** A link of the menu: the page's stem (`rules`) and its title. */
export interface MenuPage {
  stem: string;
  title: string;
}
export interface MenuGroup {
  group: string;
  pages: readonly MenuPage[];
}

/** The whole document around a page's content. `stem` is its path below the site without `.html`, with `/`. */
export function documentOf(stem: string, title: string, content: string, menu: readonly MenuGroup[]): string {
  // Relative addresses only: the site is read from disk too.
  const root = '../'.repeat(stem.split('/').length - 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Roundtrip</title>
<link rel="stylesheet" href="${root}site.css">
<script src="${root}search-index.js" defer></script>
<script src="${root}search.js" defer></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${root}index.html">Roundtrip</a>
<form role="search">
<input id="search" type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off">
<p id="search-status" role="status"></p>
<ul id="search-results" aria-label="Search results" hidden></ul>
</form>
</header>
<nav aria-label="Pages">
${menu.map((group) => menuGroup(group, stem, root)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`;
}

function menuGroup({ group, pages }: MenuGroup, current: string, root: string): string {
  const links = pages.map(({ stem, title }) => {
    const mark = stem === current ? ' aria-current="page"' : '';
    return `<li><a href="${root}${stem}.html"${mark}>${escapeHtml(title)}</a></li>`;
  });
  return `<h2>${group}</h2>\n<ul>${links.join('')}</ul>`;
}
