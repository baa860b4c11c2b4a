import type { Exchange } from '../exchange.ts';
import type { RawHeaders } from '../headers.ts';
import type { ExchangePhase } from './exchange-phase.ts';

/** The fields of an exchange that are known by now: headers, then trailers, of the request, then of the response. */
export type KnownFields = readonly RawHeaders[];

const NONE: RawHeaders = [];

/** The fields that rules know in a phase. */
export function knownFields({ request, response }: Exchange, phase: ExchangePhase): KnownFields {
  if (phase === 'request') return [request.headers];
  if (phase === 'response') return [request.headers, response?.headers ?? NONE];
  return [request.headers, request.trailers, response?.headers ?? NONE, response?.trailers ?? NONE];
}
