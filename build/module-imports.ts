import { parseSync } from 'vite';

/** One import of a file, in any syntax: static, `export from`, dynamic, `require`, or a type's `import('x')`. */
export interface ModuleImport {
  source: string;
  /** Names taken from it; empty for `*`, default and dynamic imports. */
  names: string[];
  line: number;
}

/** A name used that the file did not declare by import; `object` where it was read off another name. */
export interface NameUse {
  name: string;
  object: string | null;
  line: number;
}

/** A function with its body, from its name or first parenthesis to its last brace. */
export interface FunctionSize {
  line: number;
  lines: number;
}

export interface ModuleFacts {
  imports: ModuleImport[];
  uses: NameUse[];
  /** Those with more lines than `NOTED_LINES`. */
  functions: FunctionSize[];
  /** Lines that are not blank. */
  lines: number;
  /** Lines that hold a comment, or a part of one. */
  commentLines: number;
}

/** A function up to this length fits on a screen. */
export const NOTED_LINES = 40;

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function text(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : null;
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
  'TSExternalModuleReference',
]);

function importedSource(node: Node): string | null {
  if (IMPORTING.has(node.type)) return text(node.source ?? node.argument ?? node.expression);
  const called = node.type === 'CallExpression' && text(node.callee) === 'require';
  return called && Array.isArray(node.arguments) ? text(node.arguments[0]) : null;
}

function importedNames(node: Node): string[] {
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  return specifiers.flatMap((specifier) => text(specifier.imported ?? specifier.local) ?? []);
}

function nameUse(node: Node): Omit<NameUse, 'line'> | null {
  if (node.type === 'MemberExpression') return { name: text(node.property) ?? '', object: text(node.object) };
  if (node.type === 'Identifier') return { name: text(node) ?? '', object: null };
  return null;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** How many lines these parts of a text touch that are not blank. */
function linesTouched(parts: readonly { start: number; end: number }[], source: string): number {
  const lines = source.split('\n');
  const touched = new Set<number>();
  for (const { start, end } of parts) {
    const first = source.slice(0, start).split('\n').length - 1;
    const last = first + source.slice(start, end).split('\n').length - 1;
    for (let index = first; index <= last; index += 1) if (lines[index]?.trim() !== '') touched.add(index);
  }
  return touched.size;
}

function linesIn(node: Node, source: string): number {
  return source.slice(node.start, node.end).split('\n').length;
}

/** What a TypeScript file imports and names, its long functions and its comments. Throws if it does not parse. */
export function moduleFacts(file: string, source: string): ModuleFacts {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const lines = linesTouched([{ start: 0, end: source.length }], source);
  const facts: ModuleFacts = {
    ...{ imports: [], uses: [], functions: [] },
    ...{ lines, commentLines: linesTouched(comments, source) },
  };
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const visit = (node: Node): void => {
    const imported = importedSource(node);
    if (imported !== null)
      facts.imports.push({ source: imported, names: importedNames(node), line: lineOf(node.start) });
    const use = nameUse(node);
    if (use) facts.uses.push({ ...use, line: lineOf(node.start) });
    const lines = FUNCTIONS.has(node.type) ? linesIn(node, source) : 0;
    if (lines > NOTED_LINES) facts.functions.push({ line: lineOf(node.start), lines });
    for (const child of children(node)) visit(child);
  };
  if (isNode(program)) visit(program);
  return facts;
}
