import fs from 'node:fs';
import path from 'node:path';
import log from 'electron-log/node';
import { describe } from '../../failures/errors.ts';

/** One older file is kept next to the current one. Bytes. */
const LARGEST = 1024 * 1024;
/** The number of lines that "Copy diagnostics" includes. */
const RECENT = 200;

/** `process.stderr` reports a closed terminal as an uncaught error, which would be logged, and printed again. */
function print(line: string): void {
  try {
    fs.writeSync(2, `${line}\n`);
  } catch {
    // The terminal is closed, or its program reads nothing.
  }
}

/**
 * The app's log, which rotates. It holds codes and sentences of the catalogue and stacks, never traffic or settings.
 */
export class AppLog {
  readonly file: string;

  /** `verbose`: prints what is logged to stderr too. */
  constructor(dataFolder: string, verbose: boolean) {
    this.file = path.join(dataFolder, 'logs/roundtrip.log');
    const { file, console: terminal } = log.transports;
    file.resolvePathFn = () => this.file;
    file.maxSize = LARGEST;
    file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
    terminal.level = verbose ? 'silly' : false;
    terminal.writeFn = ({ message }) => print(message.data.join(' '));
  }

  info(sentence: string): void {
    log.info(sentence);
  }

  /** `error`: logged with its stack. */
  error(what: string, error?: unknown): void {
    if (error === undefined) log.error(what);
    else log.error(`${what}: ${nameOf(error)}${describe(error)}${framesOf(error)}`);
  }

  /** The newest lines; empty if nothing was logged yet. */
  recent(): string {
    if (!fs.existsSync(this.file)) return '';
    return fs.readFileSync(this.file, 'utf8').trimEnd().split('\n').slice(-RECENT).join('\n');
  }
}

/** `TypeError: `, as at the head of a stack: it shows the kind of error. */
function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ` : '';
}

/** The lines of the stack without the message above them, which may quote a file with passwords. */
function framesOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `\n${line}`)
    .join('');
}
