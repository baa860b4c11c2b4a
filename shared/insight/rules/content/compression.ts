import { counted } from '../../../format/counts.ts';
import { remembered } from '../../../format/remembered.ts';
import { formatBytes } from '../../../format/sizes.ts';
import { durationOf, type Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';

/** Bytes saved, and their share of what was sent. */
const SAVED = 1400;
const SHARE = 0.1;
/** Without the body: bytes and milliseconds. */
const UNSEEN = 512_000;
const UNSEEN_MS = 300;

const TEXT = /^text\/|javascript|json|xml|^application\/wasm$|vnd\.ms-fontobject|^font\/(?:ttf|otf)$/;
const isText = remembered((mediaType) => mediaType !== 'text/event-stream' && TEXT.test(mediaType));
const acceptsCodings = remembered((accepted) => /gzip|br|zstd|deflate|\*/.test(accepted));

/** Whether the response could have been compressed: text, requested completely by a client that accepts codings. */
export function isCompressible({ kind, status, mediaType, request, responseSize, method }: Fact): boolean {
  if (kind !== 'http' || method === 'HEAD' || responseSize < SAVED || status !== 200) return false;
  return isText(mediaType) && request.range === undefined && acceptsCodings(request['accept-encoding'] ?? '');
}

function isForbidden({ response }: Fact): boolean {
  return /no-transform/i.test(response['cache-control'] ?? '');
}

/** Bytes that gzip would save; 0 if it is not worth it, or unknown. */
function savedBy(fact: Fact): number {
  const gzip = fact.measure?.gzip ?? null;
  if (gzip !== null) {
    const saved = fact.responseSize - gzip;
    return saved >= SAVED && saved >= fact.responseSize * SHARE ? saved : 0;
  }
  const slow = fact.responseSize >= UNSEEN && durationOf(fact) >= UNSEEN_MS;
  return slow && fact.response['content-encoding'] === undefined ? fact.responseSize / 2 : 0;
}

/** Level 0 of gzip: a coding that makes the body longer. */
function storedSentence(facts: readonly Fact[], coded: boolean): string {
  const stored = facts.filter(({ measure, responseSize }) => responseSize >= (measure?.decoded ?? Infinity)).length;
  if (!coded || stored === 0) return '';
  return ` ${stored} of ${facts.length} ${stored === 1 ? 'is' : 'are'} encoded without compression (level 0).`;
}

function evidenceOf(origin: string, facts: readonly Fact[], coded: boolean): Evidence[] {
  if (facts.length === 0) return [];
  const bytes = sumOf(facts, savedBy);
  const unseen = facts.filter(({ measure }) => (measure?.gzip ?? null) === null).length;
  const what = facts.length === 1 ? (facts[0]?.path ?? '') : `${counted(facts.length, 'response')} of ${origin}`;
  return [
    {
      title:
        `${what} ${coded ? 'could be compressed better' : 'came uncompressed'}: gzip would save ` +
        `${formatBytes(Math.round(bytes))}`,
      where: origin,
      detail:
        unseen === 0
          ? `Computed on the bodies, with gzip at level 6.${storedSentence(facts, coded)}`
          : `${unseen} of the bodies are not recorded: half their size is assumed.`,
      confidence: unseen === 0 ? 'high' : 'low',
      ...(coded ? { remedy: 'Compress at level 6 or above, or with Brotli or Zstandard.' } : {}),
      facts,
      bytes,
    },
  ];
}

export const compression: InsightRule = {
  id: 'compression',
  name: 'Missing or weak compression',
  about:
    'Text was sent uncompressed to a client that accepts codings, or much larger than gzip makes it. Roundtrip ' +
    'compresses the recorded body itself to find out.',
  threshold:
    `gzip at level 6 saves ${SAVED.toLocaleString('en')} bytes and 10 % of a response, compressed or not. If a ` +
    'compressed body decodes to more than 256 KB, its beginning must suggest twice the saving. If the body is not ' +
    `recorded: ${UNSEEN.toLocaleString('en')} bytes without coding in ${UNSEEN_MS} ms.`,
  source: 'Lighthouse, "Enable text compression"; Sentry, "Uncompressed Asset", without the body.',
  remedy: 'Compress text: gzip, Brotli or Zstandard.',
  find: ({ facts }) => {
    const wasteful = facts.filter((fact) => isCompressible(fact) && !isForbidden(fact) && savedBy(fact) > 0);
    return [...groupBy(wasteful, ({ origin }) => origin)].flatMap(([origin, of]) => [
      ...evidenceOf(
        origin,
        of.filter(({ response }) => response['content-encoding'] === undefined),
        false,
      ),
      ...evidenceOf(
        origin,
        of.filter(({ response }) => response['content-encoding'] !== undefined),
        true,
      ),
    ]);
  },
};
