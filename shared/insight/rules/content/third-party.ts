import { formatBytes } from '../../../format/sizes.ts';
import type { Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { navigates } from '../../navigation.ts';
import { siteOf } from '../../site.ts';
import { cacheLifetime } from './cache-lifetime.ts';

/** Bytes of other sites, and their share. */
const BYTES = 500 * 1024;
const SHARE = 0.5;
/** Seconds: a day. */
const LONG = 86_400;

function pageOf({ request, resource, method, origin }: Fact): string | null {
  if (resource === 'document' && method === 'GET' && navigates(request)) return siteOf(origin);
  const referer = request.referer ?? request.origin;
  return referer === undefined ? null : siteOf(referer);
}

/** What one other site sends to a page. */
interface Share {
  bytes: number;
  /** All of it may be cached for long. */
  isCdn: boolean;
}

/** Bytes of a page, by their source. */
interface Sums {
  own: number;
  /** Something came from the page's own site: it was certainly loaded. */
  isOwn: boolean;
  others: Map<string, Share>;
}

/** Files with a name for each version, as they lie on a CDN: the page's owner chose them, and browsers keep them. */
function isKept({ response, end }: Fact): boolean {
  return (cacheLifetime(response, end).seconds ?? 0) >= LONG;
}

function sumsBy(facts: readonly Fact[], pages: readonly (string | null)[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const [index, fact] of facts.entries()) {
    const page = pages[index] ?? null;
    if (page === null) continue;
    const known = sums.get(page);
    const sum = known ?? { own: 0, isOwn: false, others: new Map<string, Share>() };
    if (known === undefined) sums.set(page, sum);
    const site = siteOf(fact.origin);
    if (site === page) {
      sum.own += fact.responseSize;
      sum.isOwn = true;
      continue;
    }
    const before = sum.others.get(site);
    const bytes = (before?.bytes ?? 0) + fact.responseSize;
    sum.others.set(site, { bytes, isCdn: (before?.isCdn ?? true) && isKept(fact) });
  }
  return sums;
}

/** `bytes`: those of `facts`. `all`: those of the page. */
function evidenceOf(page: string, facts: readonly Fact[], bytes: number, all: number): Evidence {
  const sites = [...groupBy(facts, ({ origin }) => siteOf(origin))]
    .map(([site, of]) => ({ site, size: sumOf(of, ({ responseSize }) => responseSize) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, 5);
  return {
    title: `${Math.round((bytes / all) * 100)} % of the bytes of ${page} (${formatBytes(bytes)}) come from other sites`,
    where: page,
    detail: `Most from ${sites.map(({ site, size }) => `${site} (${formatBytes(size)})`).join(', ')}.`,
    severity: 'low',
    confidence: 'medium',
    facts,
    bytes,
    requests: facts.length,
  };
}

export const thirdParty: InsightRule = {
  id: 'third-party',
  name: 'Share of third parties',
  about: 'Most of what a page loads comes from other sites, whose speed and availability its owner does not control.',
  threshold:
    `${SHARE * 100} % of the bytes and ${BYTES / 1024} KB. A site is the last two labels of a name, or three below ` +
    "suffixes such as co.uk. Sites whose responses may all be cached for a day or longer don't count: they are CDNs.",
  source: 'Lighthouse, "Minimize third-party usage" (the idea); the figures are our own.',
  remedy: 'Load them later, host them yourself, or remove what nobody uses.',
  find: ({ facts }) => {
    const pages = facts.map(pageOf);
    return [...sumsBy(facts, pages)].flatMap(([page, { own, isOwn, others }]) => {
      const shares = [...others.values()];
      const bytes = sumOf(shares, (share) => (share.isCdn ? 0 : share.bytes));
      const all = own + sumOf(shares, (share) => share.bytes);
      if (!isOwn || bytes < BYTES || bytes < SHARE * all) return [];
      const isThird = (site: string) => others.get(site)?.isCdn === false;
      const foreign = facts.filter(({ origin }, index) => pages[index] === page && isThird(siteOf(origin)));
      return [evidenceOf(page, foreign, bytes, all)];
    });
  },
};
