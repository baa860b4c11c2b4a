import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ComposedRequest, FormPart } from '../../../../shared/model/replay/composed-request.ts';
import { RoundtripError, roundtripError } from '../../../failures/errors.ts';
import { refuseLockedHere } from '../../../files/locked-here.ts';
import { readProblem } from '../../../files/read-problem.ts';
import type { BodyPart, FileContent } from '../../../worker/replay/body-parts.ts';
import type { PartedBody } from '../../../worker/replay/replay-content.ts';

type Fields = ComposedRequest['headers'];

/** A file that a request names. Rejects with `replay.bad-request`, or `replay.file-unreadable` and the whole path. */
async function fileContent(named: string): Promise<FileContent> {
  if (named.trim() === '') throw roundtripError('replay.bad-request', { detail: 'it names no file' });
  const absolute = path.resolve(named.replace(/^~(?=[/\\])/, os.homedir()));
  try {
    await fs.access(absolute, fs.constants.R_OK);
    const stats = await fs.stat(absolute);
    // A named pipe has no length, and waits for its writer.
    if (!stats.isFile()) throw roundtripError('replay.file-unreadable', { path: absolute, detail: 'it is not a file' });
    refuseLockedHere(absolute);
    return { path: absolute, size: stats.size };
  } catch (error) {
    if (error instanceof RoundtripError) throw error;
    throw roundtripError('replay.file-unreadable', { path: absolute, detail: readProblem(error) });
  }
}

function parted(parts: readonly BodyPart[]): PartedBody {
  return { parts, size: parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : part.size), 0) };
}

/** A whole file as the body. Rejects with `replay.file-unreadable`. */
export async function fileBody(named: string): Promise<PartedBody> {
  return parted([await fileContent(named)]);
}

/** As browsers do it (HTML standard, "multipart/form-data encoding algorithm"): a line break would end the field. */
function quoted(name: string): string {
  return `"${name.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22')}"`;
}

/** The fields before one part's content, without its boundary. */
function headOf(part: FormPart): string {
  const fileName = part.kind === 'file' && part.fileName !== null ? `; filename=${quoted(part.fileName)}` : '';
  const type = part.type === null ? '' : `Content-Type: ${part.type.replace(/[\r\n]+/g, ' ')}\r\n`;
  // curl sends a field without a name as such.
  const name = part.name === '' ? '' : `; name=${quoted(part.name)}`;
  return `Content-Disposition: form-data${name}${fileName}\r\n${type}\r\n`;
}

/** A boundary that the fields name is kept: it was meant. */
function boundaryIn(fields: Fields): string | null {
  const [, type = ''] = fields.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const [, inQuotes, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(type) ?? [];
  return inQuotes ?? plain ?? null;
}

/** The fields, of which Content-Type names the boundary. */
function withBoundary(fields: Fields, boundary: string): Fields {
  const at = fields.findIndex(([name]) => name.toLowerCase() === 'content-type');
  const [name, type] = fields[at] ?? ['Content-Type', 'multipart/form-data'];
  const field: Fields[number] = [name, `${type}; boundary=${boundary}`];
  return at < 0 ? [...fields, field] : fields.with(at, field);
}

/** A form as multipart/form-data (RFC 7578), and the fields that go with it. Rejects with `replay.file-unreadable`. */
export async function formBody(
  parts: readonly FormPart[],
  fields: Fields,
): Promise<{ body: PartedBody; headers: Fields }> {
  const named = boundaryIn(fields);
  const boundary = named ?? `----roundtrip${randomBytes(12).toString('hex')}`;
  const body: BodyPart[] = [];
  for (const part of parts) {
    body.push(Buffer.from(`--${boundary}\r\n${headOf(part)}`));
    body.push(part.kind === 'text' ? Buffer.from(part.text) : await fileContent(part.path), Buffer.from('\r\n'));
  }
  body.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: parted(body), headers: named === null ? withBoundary(fields, boundary) : fields };
}
