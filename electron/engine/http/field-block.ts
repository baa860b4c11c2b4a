import type { RawHeaders } from '../../../shared/model/headers.ts';
import { type ConnectionFields, connectionFields } from './h1-framing.ts';
import { parseFields } from './h1-head.ts';

/** The parsed field lines of a head. */
export interface FieldBlock {
  /** The lines as received, including the empty line after them. */
  readonly text: string;
  readonly headers: RawHeaders;
  readonly connection: Readonly<ConnectionFields>;
}

/** State that a connection's heads pass on to later heads. */
export interface HeadMemo {
  block?: FieldBlock;
}

/** Maximum length of a kept block, characters: it bounds the memory that an idle connection costs. */
const KEPT = 4096;

/**
 * Parses the fields of a whole head (first line included). Returns the fields of the connection's last head if the text
 * is the same: browsers and API clients repeat their fields, and comparing costs a tenth of parsing a browser's
 * fifteen. Throws a FramingError.
 */
export function readFieldBlock(head: string, memo: HeadMemo): FieldBlock {
  const text = head.slice(head.indexOf('\r\n') + 2);
  const last = memo.block;
  if (last?.text === text) return last;
  const headers = parseFields(text, 0);
  const block = { text, headers, connection: connectionFields(headers) };
  if (text.length <= KEPT) memo.block = block;
  return block;
}
