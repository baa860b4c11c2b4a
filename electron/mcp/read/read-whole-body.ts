import { BODY_RANGE_LIMIT } from '../../../shared/contract/requests/exchange-requests.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';

/** Bytes, decoded. A larger body is in the session file; secrets are searched for in whole bodies. */
const LIMIT = 32 * 1024 * 1024;

export interface WholeBody {
  mediaType: string;
  /** Without secrets; null for bytes that are not UTF-8. */
  text: string | null;
  bytes: Buffer;
  /** What is missing, or null. */
  problem: string | null;
}

/** A decoded body without its secrets. Rejects with `session.not-found` or `agents.body-too-large`. */
export async function readWholeBody(
  { api, redactor }: AgentContext,
  of: { session: string; id: number; side: BodySide },
): Promise<WholeBody> {
  const exchange = await api.request('exchanges.get', { session: of.session, id: of.id });
  redactor.learn(exchange);
  const headers = exchange[of.side]?.headers ?? [];
  const mediaType = mediaTypeOf(firstHeader(headers, 'content-type'));
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const range = await api.request('body.read', { ...of, form: 'decoded', offset, length: BODY_RANGE_LIMIT });
    const piece = Buffer.from(range.data, 'base64');
    pieces.push(piece);
    offset += piece.length;
    if (offset > LIMIT) throw roundtripError('agents.body-too-large', { id: of.id, limit: LIMIT });
    if (piece.length < BODY_RANGE_LIMIT)
      return { mediaType, ...redacted(Buffer.concat(pieces), mediaType, of.side, redactor), problem: problemOf(range) };
  }
}

function redacted(
  bytes: Buffer,
  mediaType: string,
  side: BodySide,
  redactor: Redactor,
): Pick<WholeBody, 'text' | 'bytes'> {
  const text = textOf(bytes);
  if (text === null) return { text, bytes };
  redactor.learnBody(text, mediaType);
  const without = redactor.body(text, mediaType, side);
  return { text: without, bytes: Buffer.from(without) };
}

function problemOf({ problem, complete }: { problem: string | null; complete: boolean }): string | null {
  return problem ?? (complete ? null : 'The body was cut short, or not kept whole.');
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
