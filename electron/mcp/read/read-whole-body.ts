import { BODY_RANGE_LIMIT } from '../../../shared/contract/requests/exchange-requests.ts';
import { redactBody } from '../../../shared/format/redact/redaction.ts';
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
  /** What is missing of it, or null. */
  problem: string | null;
}

/** A decoded body without its secrets. Rejects with `session.not-found` or `agents.body-too-large`. */
export async function readWholeBody(
  { api }: AgentContext,
  of: { session: string; id: number; side: BodySide },
): Promise<WholeBody> {
  const exchange = await api.request('exchanges.get', { session: of.session, id: of.id });
  const headers = exchange[of.side]?.headers ?? [];
  const mediaType = mediaTypeOf(firstHeader(headers, 'content-type'));
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const range = await api.request('body.read', { ...of, form: 'decoded', offset, length: BODY_RANGE_LIMIT });
    const piece = Buffer.from(range.data, 'base64');
    pieces.push(piece);
    offset += piece.length;
    if (offset > LIMIT) throw roundtripError('agents.body-too-large', { id: of.id, limit: LIMIT });
    if (piece.length < BODY_RANGE_LIMIT) return redacted(Buffer.concat(pieces), mediaType, problemOf(range));
  }
}

function problemOf({ problem, complete }: { problem: string | null; complete: boolean }): string | null {
  return problem ?? (complete ? null : 'The body was cut short, or not kept whole.');
}

function redacted(bytes: Buffer, mediaType: string, problem: string | null): WholeBody {
  const text = textOf(bytes);
  if (text === null) return { mediaType, text, bytes, problem };
  const without = redactBody(text, mediaType);
  return { mediaType, text: without, bytes: Buffer.from(without), problem };
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
