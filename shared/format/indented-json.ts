/** Strings, marks, numbers and words. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * A JSON document with a member or an item per line; null: it is not JSON. Only white space changes: parsed values
 * would lose digits of long numbers, escapes, doubled names and their order.
 */
export function indentedJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.match(JSON_TOKEN) ?? [];
  const parts: string[] = [];
  let line = '\n';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const next = tokens[at + 1] ?? '';
    if (/^[{[]$/.test(token) && /^[}\]]$/.test(next)) {
      parts.push(token, next);
      at += 1;
    } else if (token === '{' || token === '[') {
      line += '  ';
      parts.push(token, line);
    } else if (token === '}' || token === ']') {
      line = line.slice(0, -2);
      parts.push(line, token);
    } else if (token === ',') parts.push(token, line);
    else parts.push(token === ':' ? ': ' : token);
  }
  return parts.join('');
}
