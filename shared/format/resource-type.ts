import type { Exchange } from '../model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../model/headers.ts';

/** `Sec-Fetch-Dest` values (Fetch Metadata, section 2.1) that have another name in Chrome's `_resourceType`. */
const BY_DESTINATION = new Map(
  Object.entries({
    document: 'document',
    iframe: 'document',
    frame: 'document',
    style: 'stylesheet',
    script: 'script',
    worker: 'script',
    sharedworker: 'script',
    serviceworker: 'script',
    image: 'image',
    font: 'font',
    audio: 'media',
    video: 'media',
    track: 'texttrack',
    manifest: 'manifest',
  }),
);

const BY_MEDIA_TYPE: [RegExp, string][] = [
  [/^text\/html$|^application\/xhtml/, 'document'],
  [/^text\/css$/, 'stylesheet'],
  [/javascript|ecmascript/, 'script'],
  [/^image\//, 'image'],
  [/^font\/|^application\/(x-)?font|vnd\.ms-fontobject/, 'font'],
  [/^(audio|video)\//, 'media'],
  [/^text\/event-stream$/, 'eventsource'],
  [/manifest\+json$/, 'manifest'],
  [/json$|xml$/, 'fetch'],
];

/** What the browser requested the response for, in Chrome's terms (HAR's `_resourceType`); `other` if unknown. */
export function resourceType({ kind, request, response }: Exchange): string {
  if (kind === 'upgrade') return 'websocket';
  if (request.method === 'OPTIONS' && firstHeader(request.headers, 'access-control-request-method')) return 'preflight';
  const mediaType = mediaTypeOf(response ? firstHeader(response.headers, 'content-type') : undefined);
  if (mediaType === 'text/event-stream') return 'eventsource';
  if (firstHeader(request.headers, 'x-requested-with') === 'XMLHttpRequest') return 'xhr';
  const destination = BY_DESTINATION.get(firstHeader(request.headers, 'sec-fetch-dest') ?? '');
  if (destination !== undefined) return destination;
  if (firstHeader(request.headers, 'sec-fetch-dest') === 'empty') return 'fetch';
  return BY_MEDIA_TYPE.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'other';
}
