import fs from 'node:fs/promises';
import path from 'node:path';
import type { Action } from '../../shared/model/rule/actions.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import { mayDefine, SCRIPT_HOOKS, type ScriptProblem } from '../../shared/model/rule/script-call.ts';
import { describe, systemCode } from '../failures/errors.ts';
import { refuseLockedHere } from '../files/locked-here.ts';
import { type JsonPath, JsonSource } from './json-source.ts';
import { type NamedFile, namedFiles } from './named-files.ts';

/** Why a script does not compile; null: it does. */
export type CompileScript = (source: string) => Promise<ScriptProblem | null>;

export interface NamedCheck {
  /** The folder of the rules file, absolute. */
  folder: string;
  compile: CompileScript;
}

/**
 * The faults that `parseRules` can't find in a list read from `text`: scripts that do not compile, and missing files.
 * In the order of the text. Rejects if the interpreter can't run.
 */
export async function namedFaults(text: string, list: RuleList, check: NamedCheck): Promise<RuleFault[]> {
  const source = new JsonSource(text.replace(/^\ufeff/, ''));
  const inline = inlineScripts(list).map(({ code, place }) => codeFault(source, code, place, check));
  const files = namedFiles(list).map((named) => fileFault(source, named, check));
  const faults = (await Promise.all([...inline, ...files])).filter((fault) => fault !== null);
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** Whether `namedFaults` has anything to check. */
export function namesFiles(list: RuleList): boolean {
  return inlineScripts(list).length > 0 || namedFiles(list).length > 0;
}

function inlineScripts({ rules }: RuleList): { code: string; place: JsonPath }[] {
  return rules.flatMap((rule, index) =>
    rule.do.flatMap((action: Action, at) =>
      'script' in action && action.script.code !== undefined
        ? [{ code: action.script.code, place: ['rules', index, 'do', at, 'script', 'code'] }]
        : [],
    ),
  );
}

const NEVER_RUN = 'The script never runs: it defines none of onRequest, onResponse and onMessage.';

function isRun(code: string): boolean {
  return SCRIPT_HOOKS.some((hook) => mayDefine(code, hook));
}

async function codeFault(
  source: JsonSource,
  code: string,
  place: JsonPath,
  { compile }: NamedCheck,
): Promise<RuleFault | null> {
  const problem = await compile(code);
  if (problem === null) return isRun(code) ? null : source.faultAt(place, NEVER_RUN);
  const { line, detail } = problem;
  const where = line === null ? '' : ` in its line ${line}`;
  return source.faultInText(place, offsetOf(code, problem), `The script does not compile${where}: ${detail}.`);
}

/** In UTF-16 units from the beginning of the script. */
function offsetOf(code: string, { line, column }: ScriptProblem): number {
  const before = code.split(/(?<=\n)/).slice(0, (line ?? 1) - 1);
  const start = before.reduce((sum, { length }) => sum + length, 0);
  return Math.min(start + (column ?? 1) - 1, code.length);
}

async function fileFault(source: JsonSource, named: NamedFile, check: NamedCheck): Promise<RuleFault | null> {
  const file = path.resolve(check.folder, named.path);
  const fault = (message: string) => source.faultAt(named.place, message);
  try {
    const stats = await fs.stat(file);
    const isFolder = stats.isDirectory();
    if (named.kind === 'folder')
      return isFolder ? null : fault(`${file} is not a folder: name a folder, or use "file".`);
    if (isFolder) return fault(`${file} is a folder: name a file.`);
    // To read a named pipe would wait for its writer.
    if (!stats.isFile()) return fault(`${file} is not a file: name a regular file.`);
    if (named.kind === 'file') {
      await fs.access(file, fs.constants.R_OK);
      return null;
    }
    refuseLockedHere(file);
    const code = await fs.readFile(file, 'utf8');
    const problem = await check.compile(code);
    if (problem === null) return isRun(code) ? null : fault(`${file}: ${NEVER_RUN}`);
    const { line, column, detail } = problem;
    const where = line === null ? file : `${file}:${line}:${column ?? 1}`;
    return fault(`The script does not compile: ${where}: ${detail}.`);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return fault(`${file} cannot be read: ${describe(error)}.`);
    return fault(`There is no ${named.kind === 'folder' ? 'folder' : 'file'} ${file}: create it, or correct its path.`);
  }
}
