import type { BodySide, RecordedSide } from '../../../shared/model/body-side.ts';

/** The number of a body's first piece in the table `body_start`. */
export function bodyCell(exchange: number, side: BodySide): number {
  return exchange * 2 + sideCell(side);
}

const SIDES: Record<RecordedSide, number> = { request: 0, response: 1, sent: 2, received: 3 };

/** A side's number in the session file. */
export function sideCell(side: RecordedSide): number {
  return SIDES[side];
}

/** The number of a body in the table `body_start`; -1: all of its pieces are in the table `body`. */
export function startCell(exchange: number, side: RecordedSide): number {
  return side === 'request' || side === 'response' ? bodyCell(exchange, side) : -1;
}
