import fs from 'node:fs';

const PROGRAMS = /^(?:\$ )?(?:npx roundtrip|roundtrip|npm|npx|node|curl|git) /;

/** README.md, CONTRIBUTING.md and the handwritten pages of docs/. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...fs
    .readdirSync('docs')
    .flatMap((name) => (/^(?!api|command-line|failures).*\.md$/.test(name) ? [`docs/${name}`] : [])),
];

/**
 * The lines of a page's code blocks that a reader can copy: no synopsis (`[--json]`), no overview (`serve | record`).
 */
function commandsOf(page: string): string[] {
  const blocks = fs.readFileSync(page, 'utf8').matchAll(/^```([a-z]*)\n(.*?)^```/gms);
  return [...blocks]
    .flatMap(([, language, text = '']) => (language === '' ? text.split('\n') : []))
    .map((line) => line.replace(/\s+#.*$/, '').replace(/;$/, ''))
    .filter((line) => PROGRAMS.test(line) && !/ \[|\S {3,}\S| \| /.test(line))
    .map((line) => line.replace(/^\$ /, ''));
}

/** Every command that the documentation shows. */
export function documentedCommands(): string[] {
  return [...new Set(PAGES.flatMap(commandsOf))];
}

/** Every `roundtrip ...` in the text and the blocks of a page, synopses included. */
export function mentionsOf(page: string): string[] {
  const text = fs.readFileSync(page, 'utf8');
  const inline = [...text.matchAll(/`(?:npx )?(roundtrip [a-z][^`\n]*)`/g)].map(([, command = '']) => command);
  const lines = [...text.matchAll(/^(?:\$ )?(?:npx )?(roundtrip [a-z][^\n]*)$/gm)].map(([, command = '']) => command);
  return [...inline, ...lines];
}
