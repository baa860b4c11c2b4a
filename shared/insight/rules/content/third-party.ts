import { formatBytes } from '../../../format/sizes.ts';
import type { Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { siteOf } from '../../site.ts';

/** Bytes of other sites, and their share. */
const BYTES = 500 * 1024;
const SHARE = 0.5;

function pageOf({ request, resource, method, origin }: Fact): string | null {
  const navigates = resource === 'document' && method === 'GET' && request['sec-fetch-dest'] === 'document';
  if (navigates) return siteOf(origin);
  const referer = request.referer ?? request.origin;
  return referer === undefined ? null : siteOf(referer);
}

function evidenceOf(page: string, all: readonly Fact[]): Evidence[] {
  const facts = all.filter(({ origin }) => siteOf(origin) !== page);
  const bytes = sumOf(facts, ({ responseSize }) => responseSize);
  const share = bytes / sumOf(all, ({ responseSize }) => responseSize);
  const isOwn = all.some(({ origin }) => siteOf(origin) === page);
  if (!isOwn || bytes < BYTES || share < SHARE) return [];
  const sites = [...groupBy(facts, ({ origin }) => siteOf(origin))]
    .map(([site, of]) => ({ site, size: sumOf(of, ({ responseSize }) => responseSize) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, 5);
  return [
    {
      title: `${Math.round(share * 100)} % of the bytes of ${page} (${formatBytes(bytes)}) come from other sites`,
      where: page,
      detail: `Most from ${sites.map(({ site, size }) => `${site} (${formatBytes(size)})`).join(', ')}.`,
      severity: 'low',
      confidence: 'medium',
      facts,
      bytes,
      requests: facts.length,
    },
  ];
}

export const thirdParty: InsightRule = {
  id: 'third-party',
  name: 'Share of third parties',
  about: 'Most of what a page loads comes from other sites, whose speed and availability its owner does not control.',
  threshold: `${SHARE * 100} % of the bytes and ${BYTES / 1024} KB. A site is the last two labels of a name, or three below suffixes such as co.uk.`,
  source: 'Lighthouse, "Minimize third-party usage" (the idea); the figures are our own.',
  remedy: 'Load them later, host them yourself, or remove what nobody uses.',
  find: ({ facts }) => {
    const pages = groupBy(facts, pageOf);
    return [...pages].flatMap(([page, of]) => (page === null ? [] : evidenceOf(page, of)));
  },
};
