import type { RequestHead } from '../../http/message.ts';

/** The head of a request as it goes upstream: the client's, until rules have changed it. */
export interface UpstreamRequest {
  head: RequestHead;
}
