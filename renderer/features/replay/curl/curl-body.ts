import type { ComposedBody, FormPart } from '../../../../shared/model/replay/composed-request.ts';
import { formPart } from './form-part.ts';

/** One option of a command: its meaning, as in `curl-options.ts`, and its value, which is empty for a switch. */
export interface Given {
  kind: string;
  value: string;
}

const DATA = new Set(['data', 'binary', 'raw', 'json', 'urlencode']);
const FORM = new Set(['form', 'form-string']);

/** What a command sends behind the head; or why that can't be read, as a sentence. */
export function curlBody(given: readonly Given[]): ComposedBody | string {
  const uploads = given.filter(({ kind }) => kind === 'upload');
  const data = given.filter(({ kind }) => DATA.has(kind));
  const fields = given.filter(({ kind }) => FORM.has(kind));
  const kinds = [uploads, data, fields].filter(({ length }) => length > 0);
  if (kinds.length > 1) return 'The command has data (-d), a form (-F) or an upload (-T) at once: curl sends only one.';
  if (uploads.length > 0) return uploadOf(uploads);
  return fields.length > 0 ? formOf(fields) : dataOf(data);
}

function uploadOf(uploads: readonly Given[]): ComposedBody | string {
  const [{ value } = { value: '' }] = uploads;
  if (uploads.length > 1) return `The command uploads ${uploads.length} files: paste one.`;
  if (value === '-' || value === '.') return 'The command uploads its standard input: name a file.';
  return value === '' ? { kind: 'none' } : { kind: 'file', path: value };
}

function formOf(fields: readonly Given[]): ComposedBody | string {
  const parts: FormPart[] = [];
  for (const { kind, value } of fields) {
    const part = formPart(value, kind === 'form-string');
    if (typeof part === 'string') return part;
    parts.push(part);
  }
  return { kind: 'form', parts };
}

/** All parts joined as curl joins them. */
function dataOf(data: readonly Given[]): ComposedBody | string {
  if (data.length === 0) return { kind: 'none' };
  const [{ kind, value } = { kind: '', value: '' }] = data;
  // curl sends these files as they are. `-d` drops their line breaks.
  const isExact = (kind === 'binary' || kind === 'json') && value.startsWith('@');
  if (data.length === 1 && isExact && value !== '@-') return { kind: 'file', path: value.slice(1) };
  const file = data.map(fileOf).find((name) => name !== null);
  if (file !== undefined)
    return `The command reads the file ${file} into its data: paste the content, or send it whole with --data-binary.`;
  const parts = data.map((each) => (each.kind === 'urlencode' ? urlEncoded(each.value) : each.value));
  return { kind: 'text', text: parts.join(data.some((each) => each.kind === 'json') ? '' : '&') };
}

/** The file that data comes from; null: none. */
function fileOf({ kind, value }: Given): string | null {
  if (kind === 'raw') return null;
  if (kind === 'urlencode') return fileOfValue(value);
  return value.startsWith('@') ? value.slice(1) : null;
}

/** The file of a value that is encoded, as in `name@file`; null: none. Behind an equals sign, an @ is content. */
export function fileOfValue(value: string): string | null {
  return /^[^=@]*@(.*)$/s.exec(value)?.[1] ?? null;
}

/** As curl reads it: of `name=content` only the content is encoded, and `=content` has no name. */
export function urlEncoded(value: string): string {
  const equals = value.indexOf('=');
  if (equals < 0) return percentEncoded(value);
  return `${value.slice(0, equals)}${equals > 0 ? '=' : ''}${percentEncoded(value.slice(equals + 1))}`;
}

/** curl leaves only unreserved characters (RFC 3986, section 2.3), and writes a space as a plus sign. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
