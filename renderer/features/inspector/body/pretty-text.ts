import { indentedJson } from '../../../../shared/format/indented-json.ts';

/** HTML's void elements, comments and declarations: they have no end tag and don't indent what follows. */
const VOID = /^<(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|!|\?)/i;

/** Text formatted by its media type. Text that can't be formatted is returned unchanged. */
export function prettyText(text: string, mediaType: string): string {
  // Invalid JSON is shown as it is: the user may be looking for exactly that fault.
  if (/json$/.test(mediaType)) return indentedJson(text) ?? text;
  if (/(html|xml)$/.test(mediaType)) return prettyMarkup(text);
  return text;
}

/**
 * One tag per line, indented by depth. Text with about one line break per 200 characters is already formatted:
 * unchanged.
 */
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
