import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldsPredicate } from '../../../shared/filter/fields-content.ts';
import type { ContentTerm } from '../../../shared/filter/query.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { knownFields } from '../../../shared/model/rule/known-fields.ts';
import { bodyCodings } from '../format/content-codings.ts';
import type { BodySource } from '../read/batched-bodies.ts';
import { decodedPieces } from '../read/decode-body.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { TextFinder, type WantedText } from './text-finder.ts';

/** Pieces of 256 KiB: about 20 ms of searching. */
const PIECES_A_TURN = 32;
/** Messages read at once; a stream may have millions. */
const MESSAGES = 500;

/** Where the bodies and messages of an exchange are read. */
export interface ContentSource {
  bodies: BodySource;
  reader: SessionReader;
}

/** Whether an exchange has what a term searches for: `wanted` is its value. */
export async function hasContent(
  { field, value }: ContentTerm,
  wanted: WantedText,
  exchange: Exchange,
  { bodies, reader }: ContentSource,
): Promise<boolean> {
  switch (field) {
    case 'header':
    case 'cookie':
      return fieldsPredicate(field, value)(knownFields(exchange, 'end'));
    case 'message':
      return hasMessage(exchange, wanted, reader);
    case 'body':
      return (
        (await hasBody(exchange, 'request', wanted, bodies)) || (await hasBody(exchange, 'response', wanted, bodies))
      );
  }
}

function hasMessage(exchange: Exchange, wanted: WantedText, reader: SessionReader): boolean {
  const total = reader.messageCount(exchange.id);
  for (let from = 0; from < total; from += MESSAGES) {
    for (const { payload } of reader.messages.payloads(exchange, from, MESSAGES)) {
      if (new TextFinder(wanted).push(payload.bytes)) return true;
    }
  }
  return false;
}

/** A body that can't be decoded completely is searched as far as possible. */
async function hasBody(exchange: Exchange, side: BodySide, wanted: WantedText, bodies: BodySource): Promise<boolean> {
  const message = exchange[side];
  if (message === null || message.body.stored === 0) return false;
  const finder = new TextFinder(wanted);
  const pieces = bodies.bodyPieces(exchange.id, side);
  const codings = bodyCodings(message);
  if (codings.length === 0) {
    let count = 0;
    for (const piece of pieces) {
      if (finder.push(piece)) return true;
      count += 1;
      if (count % PIECES_A_TURN === 0) await nextTurn();
    }
    return false;
  }
  for await (const piece of decodedPieces(pieces, codings, { complete: true, problem: null }))
    if (finder.push(piece)) return true;
  return false;
}
