/** Characters. The width of the pages that people write. */
const COLUMNS = 120;
/** A word, or a piece of code with the spaces in it: a line break there would be read as a space. */
const PIECE = /(?:`[^`]*`|[^\s`])+/g;

/** A Markdown paragraph in lines of at most 120 columns. Further lines of a list item (`- `) are indented. */
export function wrapped(text: string): string {
  const indent = text.startsWith('- ') ? '  ' : '';
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(PIECE) ?? []) {
    if (line !== '' && line.length + 1 + piece.length > COLUMNS) {
      lines.push(line);
      line = indent + piece;
    } else line = line === '' ? piece : `${line} ${piece}`;
  }
  return [...lines, line].join('\n');
}
