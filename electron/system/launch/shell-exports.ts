import { fishWord, posixWord } from './shell-word.ts';

/** Lists of options: ours are appended to those from the shell's start-up files. */
const OPTIONS = new Set(['NODE_OPTIONS', 'JAVA_TOOL_OPTIONS']);

function posixExport([name, value]: [string, string]): string {
  const word = posixWord(value);
  if (!OPTIONS.has(name)) return `export ${name}=${word}`;
  return `case "$${name}" in *${word}*) ;; *) export ${name}="\${${name}:+$${name} }"${word} ;; esac`;
}

function fishExport([name, value]: [string, string]): string {
  const word = fishWord(value);
  if (!OPTIONS.has(name)) return `set -gx ${name} ${word}`;
  return `string split -q -- ${word} "$${name}"; or set -gx ${name} (string trim -- "$${name} "${word})`;
}

/** Lines of a POSIX shell that set the variables. */
export function posixExports(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(posixExport);
}

/** The same for fish. */
export function fishExports(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(fishExport);
}
