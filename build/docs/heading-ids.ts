import { textOf } from './html-text.ts';

/** Gives each heading the id that GitHub gives it. A link to a section then works in both places. */
export function withHeadingIds(html: string): string {
  const taken = new Map<string, number>();
  return html.replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, content: string) => {
    const slug = slugOf(content);
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    return `<h${level} id="${count === 0 ? slug : `${slug}-${count}`}">${content}</h${level}>`;
  });
}

function slugOf(content: string): string {
  // Inline tags count as no character: `<code>a</code>b` is one word.
  const text = textOf(content.replace(/<[^>]*>/g, ''));
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
