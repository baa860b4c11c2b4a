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

/** The decisive request fields, by lower-case name. */
export interface ResourceFields {
  'access-control-request-method'?: string | undefined;
  'sec-fetch-dest'?: string | undefined;
  'sec-fetch-mode'?: string | undefined;
  'x-requested-with'?: string | undefined;
}

/** What the browser requested the response for, in Chrome's terms (HAR's `_resourceType`); `other` if unknown. */
export function resourceType({ kind, request, response }: Exchange): string {
  const field = (name: keyof ResourceFields) => firstHeader(request.headers, name);
  const fields = {
    'access-control-request-method': field('access-control-request-method'),
    'sec-fetch-dest': field('sec-fetch-dest'),
    'sec-fetch-mode': field('sec-fetch-mode'),
    'x-requested-with': field('x-requested-with'),
  };
  const mediaType = mediaTypeOf(response ? firstHeader(response.headers, 'content-type') : undefined);
  return resourceTypeBy(kind, request.method, fields, mediaType);
}

/** The same for readers that have looked the fields up. `mediaType`: of the response, empty if there is none. */
export function resourceTypeBy(
  kind: Exchange['kind'],
  method: string,
  fields: ResourceFields,
  mediaType: string,
): string {
  if (kind === 'upgrade') return 'websocket';
  if (method === 'OPTIONS' && fields['access-control-request-method']) return 'preflight';
  if (mediaType === 'text/event-stream') return 'eventsource';
  if (fields['x-requested-with'] === 'XMLHttpRequest') return 'xhr';
  const destination = fields['sec-fetch-dest'] ?? '';
  const known = BY_DESTINATION.get(destination);
  if (known !== undefined) return known;
  if (destination === 'empty' && !isPassedOn(fields['sec-fetch-mode'], mediaType)) return 'fetch';
  return BY_MEDIA_TYPE.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'other';
}

/**
 * A service worker forwarded the request of a page or an element: that removes its destination, but keeps its mode.
 * Fonts have the mode of `fetch`.
 */
function isPassedOn(mode: string | undefined, mediaType: string): boolean {
  return mode === 'navigate' || mode === 'no-cors' || mediaType.startsWith('font/');
}
