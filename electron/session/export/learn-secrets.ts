import { isUtf8 } from 'node:buffer';
import type { Redactor } from '../../../shared/format/redactor.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { bodyCodings } from '../format/content-codings.ts';
import type { BodySource } from '../read/batched-bodies.ts';
import type { Choice } from '../read/chosen-rows.ts';
import { decodeBody } from '../read/decode-body.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { exportedExchanges } from './exported-exchanges.ts';
import { LimitedRedactor } from './limited-redactor.ts';

/** Bytes. Longer texts are not searched. */
const SEARCHED_LIMIT = 4 * 1024 * 1024;
/** Bodies in which names tell secrets. */
const NAMED = /[/+]json$|ndjson$|x-www-form-urlencoded$|^multipart\/form-data$/;

/**
 * Reads the secrets of the chosen exchanges: the same secret can then be removed from each place where it occurs, also
 * before the place that names it. `patterns`: regular expressions; the redactor throws `export.slow-pattern` for one that
 * takes too long. Rejects with the signal's reason.
 */
export async function learnSecrets(
  reader: SessionReader,
  choice: Choice,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Redactor> {
  const redactor = new LimitedRedactor(patterns);
  for await (const { exchange, bodies } of exportedExchanges(reader, choice, () => undefined, signal)) {
    redactor.learn(exchange);
    for (const side of ['request', 'response'] as const) {
      const { mediaType, text } = await bodyText(bodies, exchange, side, NAMED);
      if (text !== null) redactor.learnBody(text, mediaType);
    }
  }
  return redactor;
}

/** Every body that is text. */
export const ANY_TYPE = /^/;

/** A body as text, decoded; null if there is no body, it is too long, or not of the `wanted` types. */
export async function bodyText(
  source: BodySource,
  exchange: Exchange,
  side: BodySide,
  wanted: RegExp,
): Promise<{ mediaType: string; text: string | null }> {
  const message = exchange[side];
  const mediaType = mediaTypeOf(message ? firstHeader(message.headers, 'content-type') : undefined);
  if (message === null || exchange.kind !== 'http' || message.body.size === 0 || !wanted.test(mediaType))
    return { mediaType, text: null };
  const decoded = await decodeBody(source.bodyPieces(exchange.id, side), bodyCodings(message), SEARCHED_LIMIT);
  const bytes = Buffer.concat(decoded.pieces);
  return { mediaType, text: isUtf8(bytes) ? bytes.toString('utf8') : null };
}
