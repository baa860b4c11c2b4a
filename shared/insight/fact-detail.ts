import type { Exchange } from '../model/exchange.ts';
import type { RawHeaders } from '../model/headers.ts';
import { type FactFields, factFields, type OwnFields } from './fact-fields.ts';
import { hasLength } from './probes/trailers.ts';

/** What a fact takes from an exchange beyond its row of the list. */
export interface FactDetail {
  host: string;
  request: MessageDetail;
  response: ResponseDetail | null;
  /** The reasons of its retries, in order. */
  retries: readonly string[];
}

export interface MessageDetail {
  fields: FactFields;
  own: OwnFields;
  /** Bytes; -1 where unknown. */
  head: number;
}

export interface ResponseDetail extends MessageDetail {
  isWhole: boolean;
  /** Trailer fields. */
  trailers: number;
  /** Those came with a Content-Length. False if there are none. */
  isSized: boolean;
}

/** Shared by nearly all. */
export const NO_RETRIES: readonly string[] = [];

export function factDetail({ request, response, attempts }: Exchange): FactDetail {
  return {
    host: request.host,
    request: messageDetail(request.headers, request.headSize),
    response:
      response && responseDetail(response.headers, response.headSize, response.trailers, response.body.complete),
    retries: retriesIn(attempts.map(({ retryReason }) => retryReason)),
  };
}

export function messageDetail(headers: RawHeaders, head: number): MessageDetail {
  const own: OwnFields = {};
  return { fields: factFields(headers, own), own, head };
}

export function responseDetail(headers: RawHeaders, head: number, trailers: RawHeaders, isWhole: boolean) {
  const isSized = trailers.length > 0 && hasLength(headers);
  return { ...messageDetail(headers, head), isWhole, trailers: trailers.length / 2, isSized };
}

/** `reasons`: one for each attempt; null: no other followed. */
export function retriesIn(reasons: readonly (string | null)[]): readonly string[] {
  return reasons.length < 2 ? NO_RETRIES : reasons.filter((reason) => reason !== null);
}
