import type { FormPart } from '../../../../shared/model/replay/composed-request.ts';
import { nameOfFile } from './file-name.ts';

/** curl's own types of files (lib/mime.c); any other one is a stream of bytes. */
const TYPES: Record<string, string> = {
  ...{ gif: 'image/gif', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml' },
  ...{ txt: 'text/plain', htm: 'text/html', html: 'text/html', pdf: 'application/pdf', xml: 'application/xml' },
};

/** A word: in quotes with backslashes, or up to a semicolon. What follows the quotes is dropped. */
const WORD = String.raw`(?:"((?:\\[\s\S]|[^"\\])*)"[^;]*|([^;]*))(?:;|$)`;
const FIRST = new RegExp(String.raw`^[ \t]*${WORD}`);
/** `filename="a b"`. Without a name, it is a parameter of the type before, such as its charset. */
const OPTION = new RegExp(String.raw`([ \t]*)(?:(type|filename|headers|encoder)=)?${WORD}`, 'giy');

/** Quoted text keeps its blanks at the end. */
function wordOf(quoted: string | undefined, plain = ''): string {
  return quoted === undefined ? plain.trimEnd() : quoted.replace(/\\(["\\])/g, '$1');
}

interface Content {
  content: string;
  type: string | null;
  fileName: string | null;
}

/** `content;type=text/html;charset=utf-8;filename="a b"`; or why it can't be read, as a sentence. */
function contentOf(text: string): Content | string {
  const [first = '', quoted, plain] = FIRST.exec(text) ?? [];
  const read: Content = { content: wordOf(quoted, plain), type: null, fileName: null };
  for (const [, blanks = '', option, inQuotes, bare] of text.slice(first.length).matchAll(OPTION)) {
    const value = wordOf(inQuotes, bare);
    const name = option?.toLowerCase();
    if (name === 'type') read.type = value;
    else if (name === 'filename') read.fileName = value;
    else if (name !== undefined) return `The part ${name}= of a form can’t be read: remove it.`;
    else if (read.type !== null && value !== '') read.type += `;${blanks}${value}`;
  }
  return read;
}

/**
 * Reads one field of `-F`, or with `isText` of `--form-string`, as curl does (tool_formparse.c); or returns why that is
 * not possible, as a sentence.
 */
export function formPart(given: string, isText: boolean): FormPart | string {
  const equals = given.indexOf('=');
  if (equals < 0) return `The form field ${given} has no value: write name=value.`;
  const name = given.slice(0, equals);
  const value = given.slice(equals + 1);
  if (isText) return { kind: 'text', name, text: value, type: null };
  if (value.startsWith('(') || value === ')') return 'A form within a form (-F name=(…) can’t be read.';
  const isFile = /^[@<]/.test(value);
  const read = contentOf(isFile ? value.slice(1) : value);
  if (typeof read === 'string') return read;
  const { content, type, fileName } = read;
  if (!isFile && fileName !== null)
    return `The field ${name} is text with a file name: remove filename=, or name a file.`;
  if (!isFile) return { kind: 'text', name, text: content, type };
  if (content === '-') return 'The form reads standard input: paste its content, or name a file.';
  const isUpload = value.startsWith('@');
  if (isUpload && /^@[^"]*,/.test(value)) return `The field ${name} has several files: give each its own -F.`;
  if (!isUpload) return { kind: 'file', name, path: content, fileName, type };
  const own = TYPES[/\.(\w+)$/.exec(fileName ?? content)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  return { kind: 'file', name, path: content, fileName: fileName ?? nameOfFile(content), type: type ?? own };
}
