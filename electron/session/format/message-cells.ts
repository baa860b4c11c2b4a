import type { MessageMark } from '../../../shared/model/message-mark.ts';
import type { Cell } from './writer-protocol.ts';

export const MESSAGE_COLUMNS = [
  ...['exchange', 'ordinal', 'side', 'at', 'opcode', 'start', 'stop', 'size', 'compressed', 'close_code'],
] as const;

export function pushMessage(cells: Cell[], exchange: number, mark: MessageMark): void {
  cells.push(exchange, mark.ordinal, mark.side === 'request' ? 0 : 1, mark.at, mark.opcode, mark.start, mark.stop);
  cells.push(mark.size, mark.compressed ? 1 : 0, mark.closeCode);
}

export function messageOf(row: Record<string, unknown>): MessageMark {
  return {
    ordinal: Number(row.ordinal),
    side: row.side === 0 ? 'request' : 'response',
    at: Number(row.at),
    opcode: Number(row.opcode),
    start: Number(row.start),
    stop: Number(row.stop),
    size: Number(row.size),
    compressed: row.compressed === 1,
    closeCode: row.close_code === null ? null : Number(row.close_code),
  };
}
