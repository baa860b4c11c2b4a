import type { RequestHead } from '../../http/message.ts';

/** The head of a request as sent upstream: the client's, until rules change it. */
export interface UpstreamRequest {
  head: RequestHead;
}
