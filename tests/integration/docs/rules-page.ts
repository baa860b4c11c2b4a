import fs from 'node:fs';
import path from 'node:path';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');

/** A block of code on a page of the documentation. */
export interface Block {
  /** The heading above it. */
  heading: string;
  language: string;
  text: string;
}

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = fs.readFileSync(path.join(DOCS, page), 'utf8');
  const found: Block[] = [];
  let heading = '';
  for (const [, title, language = '', code] of text.matchAll(/^#+ (.*)$|^```(\w*)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else if (code !== undefined) found.push({ heading, language, text: code });
  }
  return found;
}

/** A rule of an example: its name on the page is `heading: name`. */
export interface DocumentedRule {
  title: string;
  /** The whole example. */
  file: string;
}

/** All rules of all rules files on docs/rules.md. */
export function documentedRules(): DocumentedRule[] {
  return blocksOf('rules.md')
    .filter(({ language }) => language === 'json')
    .flatMap(({ heading, text }) => {
      const { rules } = JSON.parse(text) as { rules: { name: string }[] };
      return rules.map(({ name }) => ({ title: `${heading}: ${name}`, file: text }));
    });
}

/** A command that a page shows, and what it prints. `files`: those that `cat` showed before. */
export interface ShownCommand {
  command: string;
  output: string;
  files: Record<string, string>;
}

/** The sessions of a terminal on a page: each command follows a `$`. */
export function shownCommands(page: string): ShownCommand[] {
  return blocksOf(page)
    .filter(({ text }) => text.startsWith('$ '))
    .flatMap(({ text }) => {
      const files: Record<string, string> = {};
      return text
        .split(/^\$ /m)
        .slice(1)
        .flatMap((part) => {
          const [command = '', ...lines] = part.split('\n');
          const output = lines.join('\n');
          const [, file] = /^cat (\S+)$/.exec(command) ?? [];
          if (file === undefined) return [{ command, output, files }];
          files[file] = output;
          return [];
        });
    });
}
