import type { MessageMark } from '../../../shared/model/message-mark.ts';

export const MESSAGE_COLUMNS = [
  ...['exchange', 'ordinal', 'side', 'at', 'opcode', 'start', 'stop', 'size', 'compressed', 'close_code'],
] as const;

/**
 * Writes a message's row from `cells[at]` on. All its cells are numbers, which take 8 bytes each and are cloned at
 * once. SQLite stores NaN as NULL.
 */
export function writeMessage(cells: number[] | Float64Array, at: number, exchange: number, mark: MessageMark): void {
  cells[at] = exchange;
  cells[at + 1] = mark.ordinal;
  cells[at + 2] = mark.side === 'request' ? 0 : 1;
  cells[at + 3] = mark.at;
  cells[at + 4] = mark.opcode;
  cells[at + 5] = mark.start;
  cells[at + 6] = mark.stop;
  cells[at + 7] = mark.size;
  cells[at + 8] = mark.compressed ? 1 : 0;
  cells[at + 9] = mark.closeCode ?? Number.NaN;
}

/** `cells`: one row, its columns in the order of `MESSAGE_COLUMNS`. */
export function messageOf(cells: readonly unknown[]): MessageMark {
  const [, ordinal, side, at, opcode, start, stop, size, compressed, closeCode] = cells;
  return {
    ordinal: Number(ordinal),
    side: side === 0 ? 'request' : 'response',
    at: Number(at),
    opcode: Number(opcode),
    start: Number(start),
    stop: Number(stop),
    size: Number(size),
    compressed: compressed === 1,
    closeCode: closeCode === null ? null : Number(closeCode),
  };
}
