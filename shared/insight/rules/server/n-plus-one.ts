import { counted, grouped } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { withoutQuery } from '../../../format/url.ts';
import { durationOf, type Fact, isData, isPrefetch } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupsOf, kindsOf } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';

const LEAST = 5;
/** Milliseconds after the start or the end of another of them. */
const APART = 15;
/** Milliseconds after the start of another, while one of them is open: a busy browser sends them that far apart. */
const STAGGERED = 100;
/** Milliseconds together. */
const TOGETHER = 300;

/** Milliseconds. A shorter one rounds to 0. */
const TOLD = 0.05;

const ESTIMATED = 'The time lost is the difference to one request that takes as long as the longest of them.';
const UNKNOWN = 'They ran at the same time: how much time one request would save is unknown.';

/** Types of records. Players fetch segments of media one by one, maps their tiles, and workers the files of an app. */
const RECORDS = /^$|json$|xml$|^text\/plain$/;

function isCandidate(fact: Fact): boolean {
  if (fact.method !== 'GET' || !isData(fact) || !RECORDS.test(fact.mediaType)) return false;
  // The path last: searching it takes longest.
  return !isPrefetch(fact) && !/graphql/i.test(fact.path);
}

/** Runs, by start. One may begin when another ends: browsers queue at six connections, and loops wait for each. */
function runsIn(facts: readonly Fact[]): Fact[][] {
  const runs: Fact[][] = [];
  let run: Fact[] = [];
  let ends: number[] = [];
  for (const fact of facts) {
    const { start } = fact;
    const last = run.at(-1);
    // Earlier ends are too old for everything that starts from now on.
    if (ends.some((end) => end <= start - APART)) ends = ends.filter((end) => end > start - APART);
    // Those that have not ended are open.
    const apart = start - (last?.start ?? start);
    const isSoon = apart < APART || ends.some((end) => end <= start) || (apart < STAGGERED && ends.length > 0);
    if (!isSoon) {
      runs.push(run);
      run = [];
      ends = [];
    }
    run.push(fact);
    ends.push(fact.end);
  }
  return [...runs, run];
}

/**
 * Whether each request of the run is for a different item. Addresses that differ only in their query may be polls or
 * pages, each with the cursor of the previous response. They are items if the client requested them before any response
 * arrived.
 */
function asksForItems(run: readonly Fact[]): boolean {
  const paths = new Set(run.map(({ path }) => path));
  if (paths.size < LEAST) return false;
  if (new Set([...paths].map(withoutQuery)).size >= LEAST) return true;
  const [first, ...others] = run.slice(0, LEAST);
  return others.every((fact, at) => fact.start < (first?.end ?? 0) && fact.start - (run[at]?.start ?? 0) < APART);
}

function isReported(run: readonly Fact[]): boolean {
  // Most runs are short: they need no set.
  return run.length >= LEAST && asksForItems(run) && sumOf(run, durationOf) >= TOGETHER;
}

/** The names of its query's parameters, in their order. */
function parametersOf({ path }: Fact): string {
  return path.slice(withoutQuery(path).length).replace(/=[^&]*/g, '');
}

/** Items have the same parameters: a search of the same collection, at the same time, is another kind of request. */
function alike(run: readonly Fact[]): Fact[][] {
  return groupsOf(run, parametersOf);
}

function spanOf(run: readonly Fact[]): number {
  return Math.max(...run.map(({ end }) => end)) - (run[0]?.start ?? 0);
}

/** One finding for all runs of a kind: a page that is loaded again, or a loop with pauses, has the same cause. */
function evidenceOf(runs: readonly (readonly Fact[])[]): Evidence[] {
  const facts = runs.flat();
  const [first] = facts;
  if (first === undefined) return [];
  const saved = sumOf(runs, (run) => Math.max(spanOf(run) - Math.max(...run.map(durationOf)), 0));
  const isKnown = saved >= TOLD;
  const could = runs.length === 1 ? 'could be one' : `could be ${grouped(runs.length)}`;
  const took = formatDuration(sumOf(runs, spanOf));
  return [
    {
      title: `${counted(facts.length, 'request')} for ${first.template} ${could}: they were under way for ${took}`,
      where: first.origin,
      detail: isKnown ? ESTIMATED : UNKNOWN,
      facts,
      costMs: isKnown ? saved : null,
      requests: facts.length - runs.length,
      severity: runs.some(({ length }) => length >= 20) || saved >= 300 ? 'high' : 'medium',
    },
  ];
}

export const nPlusOne: InsightRule = {
  id: 'n-plus-one',
  name: 'N+1 requests',
  about: 'A client fetched the items of a list one by one.',
  threshold:
    `${LEAST} or more GETs of one path template, with the same query parameters, each within ${APART} ms after the ` +
    `start or end of another, or within ${STAGGERED} ms after a start while another is open, ${TOGETHER} ms ` +
    `together. If only their queries differ, the first ${LEAST} must be open together: others are polls, or pages ` +
    'with a cursor. JSON, XML and plain text only; not GraphQL, assets or prefetches.',
  source:
    'Sentry, "N+1 API Call"; requests after an end or while others are open, and the last two conditions, are our ' +
    'additions.',
  remedy: 'Offer and use a request for several items at once.',
  find: ({ facts }) => {
    const kinds = kindsOf(facts.filter(isCandidate), ({ request }) => request['user-agent']);
    return kinds
      .filter((of) => of.length >= LEAST)
      .flatMap((of) => evidenceOf(runsIn(of).filter(isReported).flatMap(alike).filter(isReported)));
  },
};
