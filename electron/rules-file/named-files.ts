import fs from 'node:fs/promises';
import type { Action } from '../../shared/model/rule/actions.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import type { JsonPath } from './json-source.ts';

/** A file or folder that a rule names. */
export interface NamedFile {
  kind: 'file' | 'folder' | 'script';
  /** As in the rules: relative to the rules file, or absolute. */
  path: string;
  /** Where the rules name it. */
  place: JsonPath;
}

/** The files that the rules name, in order. */
export function namedFiles({ rules }: RuleList): NamedFile[] {
  return rules.flatMap((rule, index) =>
    rule.do.flatMap((action, at) =>
      namedBy(action).map(({ place, ...named }) => ({ ...named, place: ['rules', index, 'do', at, ...place] })),
    ),
  );
}

function namedBy(action: Action): NamedFile[] {
  if ('answer' in action) {
    const { file, folder } = action.answer;
    return [...named('file', file, ['answer', 'file']), ...named('folder', folder, ['answer', 'folder'])];
  }
  if ('script' in action) return named('script', action.script.file, ['script', 'file']);
  if ('changeRequest' in action) return named('file', action.changeRequest.bodyFile, ['changeRequest', 'bodyFile']);
  if ('changeResponse' in action) return named('file', action.changeResponse.bodyFile, ['changeResponse', 'bodyFile']);
  return [];
}

function named(kind: NamedFile['kind'], path: string | undefined, place: JsonPath): NamedFile[] {
  return path === undefined ? [] : [{ kind, path, place }];
}

/** Files by absolute path, each with a value that differs after a change; null: there is none. */
export type FileStates = ReadonlyMap<string, string | null>;

export async function fileStates(paths: Iterable<string>): Promise<FileStates> {
  const states = [...paths].map(async (path): Promise<[string, string | null]> => {
    const stats = await fs.stat(path).catch(() => null);
    return [path, stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`];
  });
  return new Map(await Promise.all(states));
}

/** The files whose changes require reading the list again: scripts, and missing files. Absolute paths. */
export async function neededFiles(list: RuleList): Promise<FileStates> {
  const all = namedFiles(list);
  const scripts = new Set(all.flatMap(({ kind, path }) => (kind === 'script' ? [path] : [])));
  const states = await fileStates(all.map(({ path }) => path));
  return new Map([...states].filter(([path, state]) => state === null || scripts.has(path)));
}
