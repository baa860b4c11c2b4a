import type { Predicate } from '../../filter/query.ts';
import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import { sumOf } from '../figures.ts';
import { siteOf } from '../site.ts';
import type { LighthouseBudget, ResourceType } from './budget-file.ts';
import type { BudgetLine } from './expression.ts';

/** Of an exchange's media type; the first that fits. */
const BY_MEDIA_TYPE: readonly [ResourceType, RegExp][] = [
  ['document', /^text\/html|^application\/xhtml/],
  ['script', /javascript|ecmascript/],
  ['stylesheet', /^text\/css/],
  ['image', /^image\//],
  ['font', /^font\/|font-|vnd\.ms-fontobject/],
  ['media', /^(?:audio|video)\//],
];

function typeOf({ mediaType }: ExchangeSummary): ResourceType {
  return BY_MEDIA_TYPE.find(([, pattern]) => pattern.test(mediaType))?.[0] ?? 'other';
}

/** Lighthouse's patterns: as in robots.txt, `*` for anything and `$` for the end. */
function matchesPath(pattern: string, path: string): boolean {
  const escaped = pattern.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*');
  return new RegExp(`^${escaped}`).test(path);
}

/** Its entry for the page `document`: the last one whose path fits. */
function entryFor(budget: LighthouseBudget, document: ExchangeSummary | null): LighthouseBudget[number] | undefined {
  return budget.filter(({ path = '/' }) => path === '/' || matchesPath(path, document?.path ?? '/')).at(-1);
}

function matcherOf(type: ResourceType, isThird: Predicate): Predicate {
  if (type === 'total') return ({ kind }) => kind === 'http';
  if (type === 'third-party') return (row) => row.kind === 'http' && isThird(row);
  return (row) => row.kind === 'http' && typeOf(row) === type;
}

/** By the budget's first-party hosts; without them, what is of another site than the document. */
function thirdParty({ options }: LighthouseBudget[number], document: ExchangeSummary | null): Predicate {
  const own = options?.firstPartyHostnames;
  if (own !== undefined) return ({ authority }) => !own.some((pattern) => isHost(hostOf(authority), pattern));
  const site = document && siteOf(`${document.scheme}://${document.authority}`);
  return (row) => site !== null && siteOf(`${row.scheme}://${row.authority}`) !== site;
}

function hostOf(authority: string): string {
  return authority.replace(/:\d+$/, '').toLowerCase();
}

/** `pattern`: a name, or `*.shop.test` for `shop.test` and all names below it. */
function isHost(host: string, pattern: string): boolean {
  const name = pattern.toLowerCase().replace(/^\*\./, '');
  return host === name || (name.length < pattern.length && host.endsWith(`.${name}`));
}

/** The lines of a budget, and its parts that can't be checked. `document`: the session's first page. */
export function lighthouseLines(
  budget: LighthouseBudget,
  document: ExchangeSummary | null,
): { lines: BudgetLine[]; notes: string[] } {
  const entry = entryFor(budget, document);
  if (entry === undefined) return { lines: [], notes: ['No budget entry matches the path of the page.'] };
  const isThird = thirdParty(entry, document);
  const sizes = entry.resourceSizes.map(({ resourceType, budget: limit }): BudgetLine => {
    const measure = { kind: 'values', matches: matcherOf(resourceType, isThird), of: SIZE, reduce: SUM } as const;
    return { text: `${resourceType} size <= ${limit}KB`, measure, operator: '<=', limit: limit * 1024, unit: 'bytes' };
  });
  const counts = entry.resourceCounts.map(({ resourceType, budget: limit }): BudgetLine => {
    const measure = { kind: 'count', matches: matcherOf(resourceType, isThird) } as const;
    return { text: `${resourceType} count <= ${limit}`, measure, operator: '<=', limit, unit: 'count' };
  });
  const timings =
    entry.timings.length === 0
      ? []
      : ['Not checked: page timings such as interactive, which recordings do not contain.'];
  return { lines: [...sizes, ...counts], notes: timings };
}

const SIZE = ({ responseSize }: ExchangeSummary) => responseSize;
const SUM = (values: readonly number[]) => sumOf(values, (value) => value);

/** Whether a row is a page, for the choice of the entry. */
export function isDocument(row: ExchangeSummary): boolean {
  return row.kind === 'http' && row.status === 200 && typeOf(row) === 'document';
}
