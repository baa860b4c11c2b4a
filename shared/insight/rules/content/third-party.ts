import { formatBytes } from '../../../format/sizes.ts';
import type { Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { navigates } from '../../navigation.ts';
import { siteOf } from '../../site.ts';

/** Bytes of other sites, and their share. */
const BYTES = 500 * 1024;
const SHARE = 0.5;

function pageOf({ request, resource, method, origin }: Fact): string | null {
  if (resource === 'document' && method === 'GET' && navigates(request)) return siteOf(origin);
  const referer = request.referer ?? request.origin;
  return referer === undefined ? null : siteOf(referer);
}

/** Bytes of a page, by their source. */
interface Sums {
  own: number;
  others: number;
  /** Something came from the page's own site: it was certainly loaded. */
  isOwn: boolean;
}

function sumsBy(facts: readonly Fact[], pages: readonly (string | null)[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const [index, { origin, responseSize }] of facts.entries()) {
    const page = pages[index] ?? null;
    if (page === null) continue;
    const known = sums.get(page);
    const sum = known ?? { own: 0, others: 0, isOwn: false };
    if (known === undefined) sums.set(page, sum);
    const isOwn = siteOf(origin) === page;
    sum[isOwn ? 'own' : 'others'] += responseSize;
    sum.isOwn ||= isOwn;
  }
  return sums;
}

function evidenceOf(page: string, facts: readonly Fact[], { own, others }: Sums): Evidence {
  const sites = [...groupBy(facts, ({ origin }) => siteOf(origin))]
    .map(([site, of]) => ({ site, size: sumOf(of, ({ responseSize }) => responseSize) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, 5);
  return {
    title:
      `${Math.round((others / (own + others)) * 100)} % of the bytes of ${page} (${formatBytes(others)}) come from ` +
      'other sites',
    where: page,
    detail: `Most from ${sites.map(({ site, size }) => `${site} (${formatBytes(size)})`).join(', ')}.`,
    severity: 'low',
    confidence: 'medium',
    facts,
    bytes: others,
    requests: facts.length,
  };
}

export const thirdParty: InsightRule = {
  id: 'third-party',
  name: 'Share of third parties',
  about: 'Most of what a page loads comes from other sites, whose speed and availability its owner does not control.',
  threshold:
    `${SHARE * 100} % of the bytes and ${BYTES / 1024} KB. A site is the last two labels of a name, or three below ` +
    'suffixes such as co.uk.',
  source: 'Lighthouse, "Minimize third-party usage" (the idea); the figures are our own.',
  remedy: 'Load them later, host them yourself, or remove what nobody uses.',
  find: ({ facts }) => {
    const pages = facts.map(pageOf);
    return [...sumsBy(facts, pages)].flatMap(([page, sums]) => {
      const { own, others, isOwn } = sums;
      if (!isOwn || others < BYTES || others < SHARE * (own + others)) return [];
      const foreign = facts.filter(({ origin }, index) => pages[index] === page && siteOf(origin) !== page);
      return [evidenceOf(page, foreign, sums)];
    });
  },
};
