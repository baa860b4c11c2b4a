import { counted } from '../../../format/counts.ts';
import type { Fact } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { afterOpening, costInWords } from '../../lost-time.ts';

const LEAST = 2;
/** Seconds: the default, and the longest that Chromium keeps. */
const DEFAULT_AGE = 5;
const LONGEST_AGE = 7200;

function ageOf({ response }: Fact): number {
  const stated = Number(response['access-control-max-age'] ?? Number.NaN);
  return Number.isFinite(stated) ? Math.min(Math.max(stated, 0), LONGEST_AGE) : DEFAULT_AGE;
}

/** The key of a browser's preflight cache (Fetch, "CORS-preflight cache"). */
function keyOf({ origin, path, request, identity }: Fact): string {
  const asked = `${request['access-control-request-method']} ${request['access-control-request-headers']}`;
  return `${request.origin} ${origin}${path} ${asked} ${identity}`;
}

/** Those that a longer lifetime would have saved: the previous one had expired. */
function avoidable(facts: readonly Fact[]): Fact[] {
  return facts.filter((fact, at) => {
    const before = facts[at - 1];
    if (before === undefined || before.status >= 300) return false;
    const gap = (fact.start - before.end) / 1000;
    return gap > ageOf(before) && gap <= LONGEST_AGE;
  });
}

function evidenceOf(origin: string, all: readonly Fact[]): Evidence[] {
  const facts = [...groupBy(all, keyOf).values()].flatMap(avoidable).sort((one, other) => one.start - other.start);
  if (facts.length < LEAST) return [];
  // The request that follows uses the same connection.
  const lost = facts.map(afterOpening);
  const ages = [...new Set(all.map(({ response }) => response['access-control-max-age'] ?? 'none'))].join(', ');
  return [
    {
      title: `${counted(facts.length, 'preflight')} to ${origin} repeat earlier ones${costInWords(facts, lost)}`,
      where: origin,
      detail: `Access-Control-Max-Age: ${ages}. Without it, a preflight is valid for ${DEFAULT_AGE} s.`,
      facts,
      lost,
      requests: facts.length,
    },
  ];
}

export const repeatedPreflights: InsightRule = {
  id: 'repeated-preflights',
  name: 'Repeated preflights',
  about:
    'A browser repeated a preflight (OPTIONS) because the last response had expired, and the request waited for it.',
  threshold:
    `${LEAST} or more for one origin that came after the Access-Control-Max-Age of an equal one (${DEFAULT_AGE} s ` +
    `if absent) and within ${LONGEST_AGE.toLocaleString('en')} s.`,
  source: 'Fetch Standard, "CORS-preflight cache"; Chromium keeps them for at most 7,200 s, Firefox for 86,400 s.',
  remedy: 'Answer preflights with Access-Control-Max-Age: 7200.',
  find: ({ facts }) => {
    const preflights = facts.filter(({ resource }) => resource === 'preflight');
    return [...groupBy(preflights, ({ origin }) => origin)].flatMap(([origin, of]) => evidenceOf(origin, of));
  },
};
