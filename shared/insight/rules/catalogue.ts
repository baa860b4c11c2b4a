import type { InsightRule } from '../insight-rule.ts';
import { h1Queueing } from './connection/h1-queueing.ts';
import { ignoredPriorities } from './connection/ignored-priorities.ts';
import { lostKeepAlive } from './connection/lost-keep-alive.ts';
import { outdatedProtocol } from './connection/outdated-protocol.ts';
import { retries } from './connection/retries.ts';
import { slowDns } from './connection/slow-dns.ts';
import { slowTls } from './connection/slow-tls.ts';
import { splitRequests } from './connection/split-requests.ts';
import { websocketCompression } from './connection/websocket-compression.ts';
import { caching } from './content/caching.ts';
import { compression } from './content/compression.ts';
import { duplicateFetches } from './content/duplicate-fetches.ts';
import { heavyHeaders } from './content/heavy-headers.ts';
import { largePayload } from './content/large-payload.ts';
import { legacyImages } from './content/legacy-images.ts';
import { thirdParty } from './content/third-party.ts';
import { nPlusOne } from './server/n-plus-one.ts';
import { redirects } from './server/redirects.ts';
import { repeatedPreflights } from './server/repeated-preflights.ts';
import { sequentialChain } from './server/sequential-chain.ts';
import { serverTiming } from './server/server-timing.ts';
import { slowDocument } from './server/slow-document.ts';
import { slowTtfb } from './server/slow-ttfb.ts';

/** Every rule, in the order of docs/findings.md. */
export const INSIGHT_RULES: readonly InsightRule[] = [
  lostKeepAlive,
  h1Queueing,
  outdatedProtocol,
  slowDns,
  slowTls,
  splitRequests,
  retries,
  ignoredPriorities,
  websocketCompression,
  nPlusOne,
  sequentialChain,
  repeatedPreflights,
  redirects,
  slowDocument,
  slowTtfb,
  serverTiming,
  compression,
  caching,
  duplicateFetches,
  largePayload,
  legacyImages,
  heavyHeaders,
  thirdParty,
];
