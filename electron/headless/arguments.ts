import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { defaultDataFolder } from '../commands/data-folder.ts';
import { BadArguments } from './bad-arguments.ts';

/** The options of every command. */
export const COMMON = {
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Node's messages have several lines and explain `--`; only the first sentence, which names the argument, is kept. */
export function parse<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadArguments(message.replace(/\.? To specify .*$/s, '').replaceAll('\n', ' '));
  }
}

/** 0 to 65535; `otherwise` if it is not given. Throws `BadArguments`. */
export function port(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 65_535) return number;
  throw new BadArguments(`--${name} ${JSON.stringify(text)} is not a port: use a number from 0 to 65535`);
}

/** Null: not given. Throws `BadArguments`. */
export function notEmpty(name: string, text: string | undefined): string | null {
  if (text === '') throw new BadArguments(`--${name} needs a value`);
  return text ?? null;
}

/** The absolute path; null: not given. Throws `BadArguments`. */
export function file(name: string, text: string | undefined): string | null {
  const given = notEmpty(name, text);
  return given === null ? null : path.resolve(given);
}

/** Throws `BadArguments`. */
export function dataFolderOf(values: { 'data-dir'?: string | undefined }): string {
  return file('data-dir', values['data-dir']) ?? defaultDataFolder();
}
