import type { RawHeaders } from '../../../shared/model/headers.ts';
import { type ConnectionFields, connectionFields } from './h1-framing.ts';
import { parseFields } from './h1-head.ts';

/** The field lines of a head, read. */
export interface FieldBlock {
  /** As they came, the empty line behind them included. */
  readonly text: string;
  readonly headers: RawHeaders;
  readonly connection: Readonly<ConnectionFields>;
}

/** What a connection's heads leave for those behind them. */
export interface HeadMemo {
  block?: FieldBlock;
}

/** Characters of a block that is kept: a connection at rest should not cost more than this for it. */
const KEPT = 4096;

/**
 * The fields of a whole head, its first line included. Those of the connection's last head where they are the same text:
 * browsers and API clients repeat theirs, and to compare costs a tenth of reading a browser's fifteen. Throws a FramingError.
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
