import fs from 'node:fs';
import path from 'node:path';
import { importCycles } from './import-cycles.ts';
import { type ModuleFacts, moduleFacts, NOTED_LINES } from './module-imports.ts';
import { type Breach, breaches, type Rooms, unusedEntries } from './rooms.ts';

/** A folder with more files than this has more than one idea. */
const MOST_FILES = 20;
/** Lines. A longer function has more than one idea. */
const MOST_LINES = 60;
/** How many functions may have more lines than `NOTED_LINES`: few are a list of cases that a split would hide. */
const MOST_LONG = 10;
/** Characters. Biome wraps code there, but neither comments nor text. */
const MOST_COLUMNS = 120;
/** The product. Scripts and tests read from top to bottom, and may be longer. */
const CHECKED_FUNCTIONS = ['shared', 'electron', 'renderer'];
/** Tests mirror sources, and have what these have. */
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

function wideLines(texts: ReadonlyMap<string, string>): Breach[] {
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const columns = line.length > MOST_COLUMNS ? [...line].length : 0;
      if (columns <= MOST_COLUMNS) return [];
      return [{ file, line: index + 1, message: `${columns} columns, and ${MOST_COLUMNS} is the most` }];
    }),
  );
}

function isIn(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

function isShaped(file: string): boolean {
  return isIn(CHECKED_SHAPE, file);
}

function longFunctions(sources: ReadonlyMap<string, ModuleFacts>): Breach[] {
  const long = [...sources]
    .filter(([file]) => isIn(CHECKED_FUNCTIONS, file))
    .flatMap(([file, { functions }]) => functions.map((each) => ({ file, ...each })));
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

function fullFolders(files: readonly string[]): Breach[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    if (isShaped(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => ({
      file: folder,
      line: 1,
      message: `has ${count} files, and ${MOST_FILES} is the most`,
    }));
}

/**
 * Folder = environment: finds imports that rooms.json does not list, entries of it that no import needs, import cycles,
 * folders with too many files, and functions and lines that are too long.
 */
export function checkRooms(root: string): { files: number; found: Breach[] } {
  const rooms: Rooms = JSON.parse(fs.readFileSync(path.join(root, 'build/rooms.json'), 'utf8'));
  const files = filesOf(root);
  const texts = textsOf(root, files);
  const sources = sourcesOf(texts);
  const imports = [...sources].flatMap(([file, facts]) => breaches(file, facts, rooms));
  return {
    files: sources.size,
    found: [
      ...imports,
      ...unusedEntries(sources, rooms),
      ...cyclesOf(sources),
      ...fullFolders(files),
      ...longFunctions(sources),
      ...wideLines(texts),
    ],
  };
}

if (import.meta.main) {
  const { files, found } = checkRooms(process.argv[2] ?? process.cwd());
  for (const { file, line, message } of found) console.error(`${file}:${line}: ${message}`);
  const checked = `build/rooms.json, import cycles, folders over ${MOST_FILES} files, long functions or long lines`;
  console.log(`rooms: ${files} files, ${found.length} breaches of ${checked}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
