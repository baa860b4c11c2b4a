import { isUtf8 } from 'node:buffer';
import { formParams } from '../../../shared/format/form.ts';
import { EMPTY_HAR_BODY, type HarBody } from '../../../shared/format/har.ts';
import type { HarParam } from '../../../shared/format/har-types.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { bodyCodings } from '../format/content-codings.ts';
import type { BodySource } from '../read/batched-bodies.ts';
import { type Decoded, decodeBody, uncodedBody } from '../read/decode-body.ts';
import { cleaned, isMedia, SEARCHED_LIMIT, searchable } from '../read/searched-body.ts';

/** Bytes. The fields of longer forms are not listed. */
const FORM_LIMIT = 4 * 1024 * 1024;

export interface HarBodyOptions {
  /** Null: nothing is removed. */
  redactor: Redactor | null;
  /** Bytes. Longer decoded bodies are left out. */
  limit: number;
}

/** A body in HAR form: decoded, as text if it is UTF-8 and as base64 otherwise. A comment names what is missing. */
export async function harBody(
  source: BodySource,
  exchange: Exchange,
  side: BodySide,
  options: HarBodyOptions,
): Promise<HarBody> {
  const message = exchange[side];
  if (message === null || message.body.size === 0) return EMPTY_HAR_BODY;
  if (exchange.kind !== 'http') return leftOut(message.body.size, 'These are the bytes of another protocol.');
  const stored = source.bodySize(exchange.id, side);
  if (stored === 0 && message.body.decoded) return EMPTY_HAR_BODY;
  if (stored === 0 && message.body.size < 0) return { ...EMPTY_HAR_BODY, text: null, size: -1 };
  const isPart = stored < message.body.size && !message.body.decoded;
  const notes = isPart ? [`Only ${stored} of its ${message.body.size} bytes were kept.`] : [];
  const codings = bodyCodings(message);
  const decoded: MaybeRaw =
    codings.length === 0
      ? uncodedBody(source.bodyPieces(exchange.id, side), options.limit)
      : await decode(source, { id: exchange.id, side }, codings, options.limit);
  if (decoded.problem !== null) notes.push(decoded.problem);
  if (options.redactor !== null && decoded.isRaw)
    return leftOut(message.body.size, `It can't be searched for secrets. ${decoded.problem}`);
  if (!decoded.complete && decoded.problem === null) {
    return leftOut(
      message.body.size,
      `Over ${options.limit} bytes decoded: it is in the session file, exchange ${exchange.id}.`,
    );
  }
  return withText(
    decoded,
    firstHeader(message.headers, 'content-type') ?? '',
    { redactor: options.redactor, side },
    notes,
  );
}

function leftOut(size: number, comment: string): HarBody {
  return { ...EMPTY_HAR_BODY, text: null, size, comment: `Left out. ${comment}` };
}

/** `isRaw`: it could not be decoded. */
type MaybeRaw = Decoded & { isRaw?: boolean };

/** Returns the body unchanged if it can't be decoded. */
async function decode(
  source: BodySource,
  { id, side }: { id: number; side: BodySide },
  codings: string[],
  limit: number,
): Promise<MaybeRaw> {
  const decoded = await decodeBody(source.bodyPieces(id, side), codings, limit);
  if (decoded.problem === null || decoded.size > 0) return decoded;
  const { problem } = decoded;
  const raw = uncodedBody(source.bodyPieces(id, side), limit);
  if (!raw.complete) return raw;
  return { ...raw, complete: false, problem: `${problem} Exported without decoding.`, isRaw: true };
}

function withText(
  { pieces, size }: Decoded,
  contentType: string,
  { redactor, side }: { redactor: Redactor | null; side: BodySide },
  notes: string[],
): HarBody {
  const bytes = joined(pieces);
  const mediaType = mediaTypeOf(contentType);
  if (redactor && size > SEARCHED_LIMIT && !isMedia(mediaType))
    return leftOut(size, 'Too large to be searched for secrets.');
  const searched = redactor && searchable(bytes, mediaType);
  if (redactor && searched === null && redactor.knows(bytes.toString('latin1')))
    return leftOut(size, 'It is not text, and contains a secret.');
  const clean = redactor && searched ? cleaned(searched, redactor, side) : bytes;
  const comment = notes.length === 0 ? null : notes.join(' ');
  const text = isUtf8(clean) ? clean.toString('utf8') : null;
  const isForm = size <= FORM_LIMIT && (text !== null || /^multipart\//.test(mediaType));
  const params: HarParam[] = isForm ? formParams(contentType, text ?? clean.toString('latin1')) : [];
  if (text !== null) return { text, encoding: null, size, params, comment };
  return { text: clean.toString('base64'), encoding: 'base64', size, params, comment };
}

/** Most bodies are one piece, which needs no copy. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces;
  if (only === undefined || pieces.length > 1) return Buffer.concat(pieces);
  return Buffer.from(only.buffer, only.byteOffset, only.length);
}
