import type { BodySide } from '../../../shared/model/body-side.ts';

/** The number of a body's first piece in the table `body_start`. */
export function bodyCell(exchange: number, side: BodySide): number {
  return exchange * 2 + sideCell(side);
}

/** A side's number in the session file. */
export function sideCell(side: BodySide): number {
  return side === 'request' ? 0 : 1;
}
