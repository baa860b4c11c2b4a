import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { parseExactly } from '../../../shared/format/exact-json.ts';
import { roundtripError } from '../../failures/errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { defineTool } from '../define-tool.ts';
import { valuesAt } from '../read/json-path.ts';
import { readWholeBody, type WholeBody } from '../read/read-whole-body.ts';
import { Id, Session, Side } from './common-inputs.ts';

/** Characters that a result holds at most; longer bodies are read in parts, by JSON path, or as a file. */
const MOST = 20_000;

function save({ bytes }: WholeBody, folder: string, id: number): string {
  makeFolder(folder);
  const file = path.join(folder, `body-${id}-${randomBytes(4).toString('hex')}`);
  fs.writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  return file;
}

function atPath({ text, mediaType }: WholeBody, id: number, jsonPath: string): unknown {
  try {
    return { values: valuesAt(parseExactly(text ?? ''), jsonPath) };
  } catch (error) {
    if (error instanceof SyntaxError) throw roundtripError('agents.not-json', { id, type: mediaType || 'no type' });
    throw error;
  }
}

export const body = defineTool({
  name: 'body',
  description:
    `A decoded body without secrets: a range of its text (at most ${MOST} characters), the values at a JSON path ` +
    '($.items[*].id), or toFile: the path of a private file with all of it. Bytes that are not text come only as a ' +
    'file.',
  input: v.strictObject({
    id: Id,
    side: Side,
    offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    length: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST)), MOST),
    jsonPath: v.optional(v.pipe(v.string(), v.maxLength(500))),
    toFile: v.optional(v.boolean(), false),
    session: Session,
  }),
  async run({ id, side, offset, length, jsonPath, toFile, session }, context) {
    const of = { session: await context.sessionId(session), id, side };
    const whole = await context.reads.take(() => readWholeBody(context, of));
    const { mediaType, text, bytes, problem } = whole;
    const about = { mediaType, bytes: bytes.length, problem };
    if (toFile) return { ...about, file: save(whole, context.folder, id) };
    if (jsonPath !== undefined) return { ...about, ...(atPath(whole, id, jsonPath) as object) };
    if (text === null) return { ...about, text: null, hint: 'Not text: ask with toFile.' };
    const end = offset + length;
    return { ...about, characters: text.length, text: text.slice(offset, end), next: end < text.length ? end : null };
  },
});
