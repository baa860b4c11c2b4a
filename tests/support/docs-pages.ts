import fs from 'node:fs';
import path from 'node:path';

const DOCS = path.resolve(import.meta.dirname, '../../docs');

/** The pages about rules. Every rules file of the documentation is on one of them. */
export const RULE_PAGES = ['rules.md', 'rule-actions.md', 'rule-changes.md', 'breakpoints.md', 'rule-files.md'];

/** A block of code on a page of the documentation. */
export interface Block {
  /** The heading above it. */
  heading: string;
  language: string;
  text: string;
}

/** The Markdown of a page. */
export function textOf(page: string): string {
  return fs.readFileSync(path.join(DOCS, page), 'utf8');
}

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page);
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

/** The rules files on the pages about rules. */
export function rulesFiles(): Block[] {
  return RULE_PAGES.flatMap(blocksOf).filter(({ language }) => language === 'json');
}

/** All rules of these files. */
export function documentedRules(): DocumentedRule[] {
  return rulesFiles().flatMap(({ heading, text }) => {
    const { rules } = JSON.parse(text) as { rules: { name: string }[] };
    return rules.map(({ name }) => ({ title: `${heading}: ${name}`, file: text }));
  });
}

/** The other pages of the folder. */
export function otherPages(): string[] {
  return fs.readdirSync(DOCS).filter((name) => name.endsWith('.md') && !RULE_PAGES.includes(name));
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
