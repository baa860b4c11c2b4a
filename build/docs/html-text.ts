const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text that a piece of HTML shows, its white space collapsed. Knows the entities that markdown-it writes. */
export function textOf(html: string): string {
  const bare = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return bare.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '').trim();
}

/** `text` for an element's content or an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** The text of a page's first level-1 heading, or null if it has none. */
export function titleOf(html: string): string | null {
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1];
  return heading === undefined ? null : textOf(heading);
}
