import { indentedJson } from '../../../shared/format/indented-json.ts';
import { redactBody } from '../../../shared/format/redact/redaction.ts';
import type { RecordedSide } from '../../../shared/model/body-side.ts';
import { firstHeader, mediaTypeOf, type RawHeaders } from '../../../shared/model/headers.ts';
import type { BodyInfo } from '../../../shared/model/message.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import { changesBody, EDIT_LIMIT, editBody, textOf } from '../../engine/rules/body-changes.ts';
import { decodeBody, encodeBody } from '../../engine/rules/codings.ts';

/** The largest body that is tried, bytes, recorded. */
const TRIED = 1024 * 1024;
/** The largest body that a diff shows, bytes, decoded. */
const SMALL = 8 * 1024;

/** Reads the recorded bodies of one exchange. */
export interface RecordedBodies {
  pieces(side: RecordedSide): Uint8Array[];
  /** Whether secrets are removed before the bodies are used. */
  redact: boolean;
}

interface Recorded {
  body: BodyInfo;
  headers: RawHeaders;
}

/**
 * A body as it arrived, in its codings; null: it is not completely recorded, too large to try, or cannot be decoded.
 */
export async function recordedBody(
  { body, headers }: Recorded,
  side: RecordedSide,
  from: RecordedBodies,
): Promise<Buffer | null> {
  if (!body.complete || body.stored < body.size || body.stored > TRIED) return null;
  const bytes = Buffer.concat(from.pieces(side));
  if (!body.decoded && !from.redact) return bytes;
  try {
    const decoded = body.decoded ? bytes : await decodeBody(bytes, headers, EDIT_LIMIT);
    return await encodeBody(from.redact ? redacted(decoded, headers) : decoded, headers);
  } catch {
    return null;
  }
}

function redacted(bytes: Buffer, headers: RawHeaders): Buffer {
  const { text, bytesOf } = textOf(bytes);
  return bytesOf(redactBody(text, mediaTypeOf(firstHeader(headers, 'content-type'))));
}

/** A body on its way through a rule. Bytes are in their codings; `after` is null while nothing has changed them. */
export interface TriedBody {
  before: Buffer | null;
  /** The fields that name the codings of `before`. */
  headers: RawHeaders;
  after: Buffer | null;
  /** Why changes were not applied, as part of a sentence; null: all were. */
  problem: string | null;
}

/** A body of these fields after the changes that rules describe; scripts may follow. `sent`: the fields after them. */
export async function editedBody(
  before: Buffer | null,
  { headers }: { headers: RawHeaders },
  all: readonly ChangeMessage[],
  sent: RawHeaders,
): Promise<TriedBody> {
  const changes = all.filter(changesBody);
  if (changes.length === 0) return { before, headers, after: null, problem: null };
  if (before === null)
    return {
      before,
      headers,
      after: null,
      problem: 'the change to the body is not shown: it is large, or was not recorded',
    };
  const { bytes, problems } = await editBody(before, headers, changes, sent);
  return { before, headers, after: bytes, problem: joined(problems) };
}

/** The parts of a rule that do not apply, as part of a sentence; null: all apply. */
export function joined(problems: readonly (string | null)[]): string | null {
  const found = new Set(problems.filter((problem) => problem !== null));
  return found.size === 0 ? null : [...found].join('; ');
}

/** The lines of a body before and after; none if it stayed the same. `headers`: of the message before and after. */
export async function bodyDiff(
  { before, after, problem }: TriedBody,
  headers: { before: RawHeaders; after: RawHeaders },
): Promise<{ before: string[]; after: string[]; problem: string | null }> {
  if (after === null || (before && after.equals(before))) return { before: [], after: [], problem };
  const [was, is] = [await smallText(before, headers.before), await smallText(after, headers.after)];
  if (was === null || is === null) {
    const large = `the change to the body is not shown: it is larger than ${SMALL / 1024} KB`;
    return { before: [], after: [], problem: problem ?? large };
  }
  const [wasJson, isJson] = [readableJson(was), readableJson(is)];
  const isReadable = wasJson !== null && isJson !== null && wasJson !== isJson;
  return { before: bodyLines(isReadable ? wasJson : was), after: bodyLines(isReadable ? isJson : is), problem };
}

/** JSON often arrives as one long line, which makes diffs useless. Null: it is not JSON. */
function readableJson(bytes: Buffer): Buffer | null {
  const text = indentedJson(bytes.toString('utf8'));
  return text === null ? null : Buffer.from(text);
}

/** A body for a diff; null: it is not small. */
async function smallText(bytes: Buffer | null, headers: RawHeaders): Promise<Buffer | null> {
  // The limit counts what decoding adds; bytes without a coding stay unchanged.
  const decoded = bytes && (await decodeBody(bytes, headers, SMALL).catch(() => null));
  return decoded && decoded.length <= SMALL ? decoded : null;
}

/** A recorded body next to another one that replaces it. */
export async function replacedLines(recorded: Recorded, side: RecordedSide, from: RecordedBodies): Promise<string[]> {
  const bytes = await recordedBody(recorded, side, from);
  return bodyLines(await smallText(bytes, recorded.headers));
}

/** Null: it is not small. */
export function bodyLines(bytes: Buffer | null): string[] {
  if (bytes === null) return ['', 'A body that is too large to show'];
  return bytes.length === 0 ? [] : ['', ...textOf(bytes).text.split('\n')];
}

/** The whole content; null: it is not small. */
export async function smallOf(body: NodeJS.ReadableStream & { destroy(): unknown }): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(Buffer.from(part));
    size += part.length;
    if (size <= SMALL) continue;
    body.destroy();
    return null;
  }
  return Buffer.concat(parts);
}
