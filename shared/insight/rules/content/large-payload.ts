import { formatBytes } from '../../../format/sizes.ts';
import { durationOf, type Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { kindsOf } from '../../group-by.ts';
import type { InsightRule } from '../../insight-rule.ts';

/** Bytes and milliseconds. */
const LARGE = 300_000;
const SLOW = 100;
const MEASURED = new Set(['document', 'stylesheet', 'script', 'fetch', 'xhr']);

/** Players fetch media in segments, and choose the size; so does a client that asks for a range. */
const MEDIA = /^(?:audio|video|image|font)\//;

function isLarge(fact: Fact): boolean {
  if (MEDIA.test(fact.mediaType) || fact.status === 206) return false;
  return MEASURED.has(fact.resource) && fact.responseSize >= LARGE && durationOf(fact) >= SLOW;
}

export const largePayload: InsightRule = {
  id: 'large-payload',
  name: 'Large payloads',
  about: 'A document, style, script or API response is so large that it takes long to send and to process.',
  threshold: `${LARGE.toLocaleString('en')} bytes on the wire and ${SLOW} ms. Media and ranges don't count.`,
  source: 'Sentry, "Large HTTP payload".',
  remedy: 'Send less: paginate, select fields, split scripts, defer what is not needed at once.',
  find: ({ facts }) =>
    kindsOf(facts.filter(isLarge)).map((of) => {
      const [first] = of;
      const bytes = sumOf(of, ({ responseSize }) => responseSize);
      const largest = formatBytes(Math.max(...of.map(({ responseSize }) => responseSize)));
      const times = of.length === 1 ? '' : `, ${of.length} times`;
      return {
        title: `${first?.method} ${first?.template} sends ${largest}${times}`,
        where: first?.origin ?? '',
        severity: bytes >= 1024 * 1024 ? ('medium' as const) : ('low' as const),
        facts: of,
        bytes,
      };
    }),
};
