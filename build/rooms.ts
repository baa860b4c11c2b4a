import path from 'node:path';
import type { ModuleFacts } from './module-imports.ts';

/** A name that only some folders may use: imported from a package, or a global of the runtime. */
export interface NameRule {
  import?: string;
  from?: string;
  global?: string;
  within?: string;
  memberOf?: string[];
  only: string[];
}

export interface Rooms {
  rooms: Record<string, string[]>;
  names: NameRule[];
}

export interface Breach {
  file: string;
  line: number;
  message: string;
}

/** Each folder in here has its own list. */
const LISTED = 'electron/engine';

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** The room of a file: the longest folder that holds it, or null if no room does. */
export function roomOf(file: string, { rooms }: Rooms): string | null {
  const holding = Object.keys(rooms).filter((folder) => isWithin(file, folder));
  return holding.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** The target of an import, as rooms.json writes it: a project path, `node:`, or `npm:` and a package's name. */
function target(file: string, source: string): string {
  if (source.startsWith('.')) return path.posix.join(path.posix.dirname(file), source.replace(/\?.*$/, ''));
  if (source.startsWith('node:')) return 'node:';
  const parts = source.split('/');
  return `npm:${parts.slice(0, source.startsWith('@') ? 2 : 1).join('/')}`;
}

function importBreaches(file: string, facts: ModuleFacts, rooms: Rooms): Breach[] {
  const room = roomOf(file, rooms);
  if (room === null) return [{ file, line: 1, message: 'lies in no room of build/rooms.json' }];
  const allowed = rooms.rooms[room] ?? [];
  const permits = (aim: string) => allowed.some((entry) => entry === '*' || isWithin(aim, entry));
  return facts.imports
    .filter(({ source }) => !permits(target(file, source)))
    .map(({ source, line }) => ({ file, line, message: `${room}/ may not import ${JSON.stringify(source)}` }));
}

/** The entries of rooms.json that no import needs: a list that allows more than is used protects nothing. */
export function unusedEntries(sources: ReadonlyMap<string, ModuleFacts>, rooms: Rooms): Breach[] {
  const aims = new Map<string, Set<string>>();
  for (const [file, { imports }] of sources) {
    const room = roomOf(file, rooms) ?? '';
    const known = aims.get(room) ?? new Set();
    for (const { source } of imports) known.add(target(file, source));
    aims.set(room, known);
  }
  return Object.entries(rooms.rooms).flatMap(([room, allowed]) =>
    allowed
      .filter(
        (entry) => entry !== '*' && entry !== room && ![...(aims.get(room) ?? [])].some((aim) => isWithin(aim, entry)),
      )
      .map((entry) => ({ file: 'build/rooms.json', line: 1, message: `${room}/ imports nothing from ${entry}` })),
  );
}

/** Folders inside the engine without their own list: what the folder around them may import is not what they need. */
export function unlistedFolders(files: Iterable<string>, { rooms }: Rooms): Breach[] {
  const folders = new Set([...files].filter((file) => isWithin(file, LISTED)).map((file) => path.posix.dirname(file)));
  return [...folders]
    .filter((folder) => !(folder in rooms))
    .map((folder) => ({ file: 'build/rooms.json', line: 1, message: `${folder}/ needs its own list` }));
}

function breaksRule(file: string, facts: ModuleFacts, rule: NameRule): Breach[] {
  if (rule.only.some((folder) => isWithin(file, folder)) || isWithin(file, 'tests')) return [];
  const message = `${rule.import ?? rule.global} is only for ${rule.only.join(', ')}`;
  if (rule.import !== undefined) {
    const name = rule.import;
    const found = facts.imports.filter(({ source, names }) => source === rule.from && names.includes(name));
    return found.map(({ line }) => ({ file, line, message }));
  }
  if (rule.within !== undefined && !isWithin(file, rule.within)) return [];
  const { memberOf } = rule;
  const used = facts.uses.filter(
    ({ name, object }) =>
      name === rule.global && (memberOf === undefined || (object !== null && memberOf.includes(object))),
  );
  return used.map(({ line }) => ({ file, line, message }));
}

/** Every import and name of a file that rooms.json does not allow. `file`: relative to the project, with `/`. */
export function breaches(file: string, facts: ModuleFacts, rooms: Rooms): Breach[] {
  return [...importBreaches(file, facts, rooms), ...rooms.names.flatMap((rule) => breaksRule(file, facts, rule))];
}
