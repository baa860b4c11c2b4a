import fs from 'node:fs';
import path from 'node:path';
import { COMMENTED, commentShare, fewComments, folderSizes, fullFolders, longFiles, wideLines } from './file-shape.ts';
import { importCycles } from './import-cycles.ts';
import { type FunctionSize, type ModuleFacts, moduleFacts, NOTED_LINES } from './module-imports.ts';
import { type Breach, breaches, type Rooms, unlistedFolders, unusedEntries } from './rooms.ts';

/** Lines. A longer function has more than one idea. */
const MOST_LINES = 60;
/** How many functions may have more lines than `NOTED_LINES`: a few are lists of cases that a split would hide. */
const MOST_LONG = 10;
/** The product. Scripts and tests read from top to bottom, and may be longer. */
const CHECKED_FUNCTIONS = ['shared', 'electron', 'renderer'];
/** Tests mirror sources, and follow the same rules. */
const CHECKED_SHAPE = ['shared', 'electron', 'renderer', 'build'];

/** Modules and style sheets. */
function filesOf(root: string): string[] {
  return [...CHECKED_SHAPE, 'tests']
    .map((folder) => path.join(root, folder))
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter(
      (entry) =>
        entry.isFile() && /\.(tsx?|css)$/.test(entry.name) && !/node_modules|[\\/]\.cache\b/.test(entry.parentPath),
    )
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}

function textsOf(root: string, files: readonly string[]): Map<string, string> {
  return new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
}

function sourcesOf(texts: ReadonlyMap<string, string>): Map<string, ModuleFacts> {
  const modules = [...texts].filter(([file]) => !file.endsWith('.css'));
  return new Map(modules.map(([file, text]) => [file, moduleFacts(file, text)]));
}

function isIn(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

function isShaped(file: string): boolean {
  return isIn(CHECKED_SHAPE, file);
}

type NotedFunction = FunctionSize & { file: string };

function notedFunctions(sources: ReadonlyMap<string, ModuleFacts>): NotedFunction[] {
  return [...sources]
    .filter(([file]) => isIn(CHECKED_FUNCTIONS, file))
    .flatMap(([file, { functions }]) => functions.map((each) => ({ file, ...each })));
}

function longFunctions(long: readonly NotedFunction[]): Breach[] {
  // All of them are named: which one to split is a choice.
  const found = long.length > MOST_LONG ? long : long.filter(({ lines }) => lines > MOST_LINES);
  const rule = `${MOST_LINES} lines are the most, and ${MOST_LONG} functions may have more than ${NOTED_LINES}`;
  return found.map(({ file, line, lines }) => ({ file, line, message: `a function of ${lines} lines: ${rule}` }));
}

function cyclesOf(sources: ReadonlyMap<string, ModuleFacts>): Breach[] {
  const graph = new Map<string, string[]>();
  for (const [file, { imports }] of sources) {
    if (!isShaped(file)) continue;
    const targets = imports
      .filter(({ source }) => source.startsWith('.'))
      .map(({ source }) => path.posix.join(path.posix.dirname(file), source));
    graph.set(
      file,
      targets.filter((target) => sources.has(target)),
    );
  }
  return importCycles(graph).map((files) => ({
    file: files[0] ?? '',
    line: 1,
    message: `is in a cycle of imports: ${files.join(', ')}`,
  }));
}

/** One line for people: how far the tree is from its limits. */
function summary(files: readonly string[], sources: ReadonlyMap<string, ModuleFacts>): string {
  const long = notedFunctions(sources).map(({ lines }) => lines);
  const largest = Math.max(0, ...folderSizes(files.filter(isShaped)).values());
  const comments = COMMENTED.map((folder) => `${commentShare(folder, sources).toFixed(1)} % in ${folder}`);
  return [
    `${sources.size} modules`,
    `largest folder ${largest}`,
    `functions over ${NOTED_LINES} lines ${long.length}, longest ${Math.max(0, ...long)}`,
    `comments ${comments.join(' and ')}`,
  ].join('; ');
}

/**
 * Folder = environment: finds imports that rooms.json does not list, entries of it that no import needs, folders of the
 * engine that it leaves out, import cycles, folders with too many files, files, functions and lines that are too long,
 * and folders with too few comments.
 */
export function checkRooms(root: string): { summary: string; found: Breach[] } {
  const rooms: Rooms = JSON.parse(fs.readFileSync(path.join(root, 'build/rooms.json'), 'utf8'));
  const files = filesOf(root);
  const texts = textsOf(root, files);
  const sources = sourcesOf(texts);
  const imports = [...sources].flatMap(([file, facts]) => breaches(file, facts, rooms));
  return {
    summary: summary(files, sources),
    found: [
      ...imports,
      ...unusedEntries(sources, rooms),
      ...unlistedFolders(sources.keys(), rooms),
      ...cyclesOf(sources),
      ...fullFolders(files.filter(isShaped)),
      ...longFiles(texts),
      ...longFunctions(notedFunctions(sources)),
      ...wideLines(texts),
      ...fewComments(sources),
    ],
  };
}

if (import.meta.main) {
  const { summary: figures, found } = checkRooms(process.argv[2] ?? process.cwd());
  for (const { file, line, message } of found) console.error(`${file}:${line}: ${message}`);
  console.log(`rooms: ${figures}; ${found.length} breaches`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
