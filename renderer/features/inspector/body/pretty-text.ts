/** Void elements of HTML: they have no end tag to go back at. */
const VOID = /^<(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|!|\?)/i;

/** Text set out by its type; what it can't set out stays as it is. */
export function prettyText(text: string, mediaType: string): string {
  if (/json$/.test(mediaType)) return prettyJson(text);
  if (/(html|xml)$/.test(mediaType)) return prettyMarkup(text);
  return text;
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A tag a line, by depth. Text that has line breaks of its own is left alone: somebody set it out already. */
function prettyMarkup(text: string): string {
  if ((text.match(/\n/g)?.length ?? 0) > text.length / 200) return text;
  let depth = 0;
  const lines = text.match(/<[^>]*>|[^<]+/g) ?? [];
  return lines
    .filter((part) => part.trim() !== '')
    .map((part) => {
      if (part.startsWith('</')) depth = Math.max(0, depth - 1);
      const line = '  '.repeat(depth) + part.trim();
      if (/^<[a-z]/i.test(part) && !part.endsWith('/>') && !VOID.test(part)) depth += 1;
      return line;
    })
    .join('\n');
}
