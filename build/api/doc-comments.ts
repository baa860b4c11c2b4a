import fs from 'node:fs';
import path from 'node:path';

const ENTRY = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*'([a-z][a-z.-]*)':/g;

/** The comment before each quoted key of a folder's files (`'feed.batch':`), as one line of text. */
export function docComments(folder: string): Map<string, string> {
  const texts = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(ENTRY)]);
  return new Map(found.map(([, comment = '', name = '']) => [name, oneLine(comment)]));
}

function oneLine(comment: string): string {
  return comment
    .replace(/^\s*\*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
