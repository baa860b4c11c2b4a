import fs from 'node:fs';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { firstHeader, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { Answer } from '../../../../shared/model/rule/actions.ts';
import { refuseLockedHere } from '../../../files/locked-here.ts';
import { responseHeadBytes } from '../../http/header-rules.ts';
import type { RequestHead, ResponseHead } from '../../http/message.ts';
import { corsFields, preflightFields } from '../cors.ts';
import { isFraming, withoutFields } from '../fields.ts';
import { type ByteRange, chooseRange } from './byte-range.ts';

export interface LocalResponse {
  head: ResponseHead;
  /** Null: the response has no body. */
  body: Readable | null;
}

const TYPES: Record<string, string> = {
  ...{ html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', txt: 'text/plain; charset=utf-8' },
  ...{ js: 'text/javascript; charset=utf-8', mjs: 'text/javascript; charset=utf-8', json: 'application/json' },
  ...{ xml: 'application/xml', wasm: 'application/wasm', pdf: 'application/pdf', svg: 'image/svg+xml' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', ico: 'image/x-icon', woff: 'font/woff', woff2: 'font/woff2', mp4: 'video/mp4' },
};

interface Found {
  file: string;
  size: number;
}

/** Below `root` after all links, if there is one. Rejects for a file that is elsewhere or can't be read. */
async function find(named: string, root: string | null): Promise<Found> {
  const file = await fs.promises.realpath(named);
  const relative = path.relative(root ?? file, file);
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    throw new Error(`${named} is outside the folder`);
  const stats = await fs.promises.stat(file);
  if (stats.isDirectory()) return await find(path.join(file, 'index.html'), root);
  // Reading a named pipe waits for its writer.
  if (!stats.isFile()) throw new Error(`${named} is not a file`);
  refuseLockedHere(file);
  await fs.promises.access(file, fs.constants.R_OK);
  return { file, size: stats.size };
}

/** The file of the folder that the request's path names; null for a path that leaves it, or names no file. */
async function findIn(folder: string, requested: string): Promise<Found | null> {
  try {
    const relative = decodeURIComponent(requested.split(/[?#]/, 1)[0] ?? '');
    const root = await fs.promises.realpath(folder);
    return await find(path.join(root, path.normalize(`/${relative}`)), root);
  } catch (error) {
    if (fs.existsSync(folder)) return null;
    throw error;
  }
}

/** `/static/a.js` without `/static` is `/a.js`; a path that is not below the prefix stays. */
function withoutPrefix(requested: string, prefix = ''): string {
  const bare = prefix.replace(/\/$/, '');
  return requested.startsWith(`${bare}/`) ? requested.slice(bare.length) : requested;
}

function responseHead(status: number, headers: RawHeaders, length: number | null, hasBody: boolean): ResponseHead {
  const measured = length === null ? headers : [...headers, 'Content-Length', String(length)];
  const framing =
    hasBody && length !== null && length > 0 ? { kind: 'length' as const, length } : { kind: 'none' as const };
  const head = {
    status,
    statusText: STATUS_CODES[status] ?? '',
    version: 'HTTP/1.1' as const,
    headers: measured,
    framing,
  };
  const wire = responseHeadBytes(head);
  return { ...head, wire, size: wire.length, keepAlive: true };
}

/** The body and its fields. `status`: overrides the rule's, because of the file. */
interface Content {
  body: Readable | null;
  length: number;
  fields: RawHeaders;
  status: number | null;
}

function fixed(bytes: Buffer, fields: RawHeaders, status: number | null = null): Content {
  return { body: bytes.length === 0 ? null : Readable.from([bytes]), length: bytes.length, fields, status };
}

/** The bytes of a file, from `start` to `end`, both included: it may grow, and more would follow the response. */
function streamOf(file: string, range: ByteRange): Readable {
  // An unread stream, as for HEAD, reports a file that disappeared meanwhile. Unhandled, the error would end the
  // thread.
  return fs.createReadStream(file, range).on('error', () => {});
}

/** `answer`: its fields may name the version of the file. Only a 200 can become partial. */
function fromFile({ file, size }: Found, { headers, status }: Answer, request: RequestHead): Content {
  const type = TYPES[path.extname(file).slice(1).toLowerCase()];
  const fields = ['Accept-Ranges', 'bytes', ...(type === undefined ? [] : ['Content-Type', type])];
  const isPartial = request.method === 'GET' && status === 200;
  const range = isPartial ? chooseRange(request.headers, headers.flat(), size) : 'all';
  if (range === 'none') return fixed(Buffer.alloc(0), ['Content-Range', `bytes */${size}`], 416);
  const all = size === 0 ? null : { start: 0, end: size - 1 };
  if (range === 'all') return { body: all && streamOf(file, all), length: size, fields, status: null };
  const part = ['Content-Range', `bytes ${range.start}-${range.end}/${size}`];
  const length = range.end - range.start + 1;
  return { body: streamOf(file, range), length, fields: [...fields, ...part], status: 206 };
}

async function contentOf(answer: Answer, head: RequestHead): Promise<Content> {
  if (answer.file !== undefined) return fromFile(await find(answer.file, null), answer, head);
  if (answer.folder !== undefined) {
    const found = await findIn(answer.folder, withoutPrefix(head.path, answer.stripPrefix));
    const text = 'This rule’s folder has no such file.\n';
    if (found) return fromFile(found, answer, head);
    return fixed(Buffer.from(text), ['Content-Type', 'text/plain; charset=utf-8'], 404);
  }
  return fixed(
    Buffer.from(answer.bodyBase64 ?? answer.body ?? '', answer.bodyBase64 === undefined ? 'utf8' : 'base64'),
    [],
  );
}

function has(headers: RawHeaders, name: string): boolean {
  return firstHeader(headers, name) !== undefined;
}

/**
 * The response that a rule gives in place of upstream. Rejects with the system's error if a file can't be read. HEAD,
 * 204 and 304 have no body (RFC 9110, section 6.4.1).
 */
export async function localResponse(answer: Answer, head: RequestHead): Promise<LocalResponse> {
  const preflight = answer.cors ? preflightFields(head) : null;
  if (preflight) return { head: responseHead(204, preflight, null, false), body: null };
  const listed = answer.headers.flat();
  // A body ends where its own length says. A response to HEAD has none, and may announce any.
  const isSized = head.method === 'HEAD' && has(listed, 'content-length');
  const given = isSized ? listed : withoutFields(listed, isFraming);
  const { body, length, fields, status = null } = await contentOf(answer, head);
  const own: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    if (!has(given, name)) own.push(name, fields[index + 1] ?? '');
  }
  const headers = [...given, ...own, ...(answer.cors ? corsFields(head.headers) : [])];
  const code = status ?? answer.status;
  const isBodiless = code === 204 || code === 304;
  if (isBodiless || head.method === 'HEAD') body?.destroy();
  if (isBodiless) return { head: responseHead(code, headers, null, false), body: null };
  if (head.method === 'HEAD') return { head: responseHead(code, headers, isSized ? null : length, false), body: null };
  return { head: responseHead(code, headers, length, true), body };
}
