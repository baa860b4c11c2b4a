import type { Page, PageShare } from '../../model/insight/page.ts';
import { type Fact, isPrefetch } from '../fact.ts';
import { sumOf } from '../figures.ts';
import { groupBy } from '../group-by.ts';
import { firstByteAt, hasEnded } from '../lost-time.ts';
import { PageGrouper } from './page-grouper.ts';

/** Milliseconds without anything loading: the load is over. */
const QUIET = 1000;
/** A chain longer than this is not a page's load. */
const LONGEST_CHAIN = 100;

interface Member {
  fact: Fact;
  initiator: number;
  navigates: boolean;
}

/** The pages of a session, in the order of their start. */
export function findPages(facts: readonly Fact[]): Page[] {
  const grouper = new PageGrouper();
  const pages = new Map<number, Member[]>();
  const inOrder = facts
    .filter(({ kind }) => kind === 'http')
    .sort((one, other) => one.start - other.start || one.id - other.id);
  for (const fact of inOrder) {
    const { page, initiator, navigates } = grouper.add(fact);
    if (page === null) continue;
    const member = { fact, initiator: initiator ?? 0, navigates };
    const members = pages.get(page);
    if (members) members.push(member);
    else pages.set(page, [member]);
  }
  const byId = new Map(inOrder.map((fact) => [fact.id, fact]));
  return [...pages].map(([number, members]) => pageOf(number, members, byId));
}

function pageOf(number: number, members: readonly Member[], byId: ReadonlyMap<number, Fact>): Page {
  const facts = members.map(({ fact }) => fact);
  // The last navigation: those before it were redirected. A prerendered document asked for the first of its page.
  const navigation = [...members].reverse().find(({ navigates }) => navigates)?.fact;
  const document = navigation ?? byId.get(members[0]?.initiator ?? 0);
  const startedAt = facts[0]?.start ?? 0;
  const loaded = loadOf(facts);
  return {
    number,
    url: document === undefined ? '' : document.origin + document.path,
    document: document?.id ?? 0,
    startedAt,
    loadMs: loaded.some(({ isTimed }) => isTimed) ? Math.max(0, ...loaded.map(({ end }) => end - startedAt)) : -1,
    bytes: sumOf(facts, ({ responseSize }) => responseSize),
    exchanges: facts.map(({ id }) => id),
    initiators: members.map(({ initiator }) => initiator),
    criticalPath: criticalPath(loaded, members).map(({ id, start, end }) => ({
      id,
      from: start - startedAt,
      to: end - startedAt,
    })),
    totals: {
      type: shares(facts, ({ resource }) => resource),
      host: shares(facts, ({ authority }) => authority),
      protocol: shares(facts, ({ clientProtocol }) => clientProtocol),
      cache: shares(facts, cacheOf),
    },
  };
}

/** Those that began before the first quiet second. Streams never end, and what is prepared is for another page. */
function loadOf(facts: readonly Fact[]): Fact[] {
  const loaded: Fact[] = [];
  let until = Number.POSITIVE_INFINITY;
  for (const fact of facts) {
    if (fact.resource === 'eventsource' || fact.state === 'open' || isPrefetch(fact)) continue;
    if (fact.start > until + QUIET) break;
    loaded.push(fact);
    until = Math.max(fact.end, until === Number.POSITIVE_INFINITY ? fact.end : until);
  }
  return loaded;
}

/**
 * From the one that ended last back to the first. Each waited for its initiator, or for what that had requested and
 * ended last before: a script in a frame waited for nothing outside it. A browser's preload scanner also finds requests
 * in an initiator that is still arriving: then it waited for the initiator, unless another ended after the initiator's
 * first byte.
 */
function criticalPath(facts: readonly Fact[], members: readonly Member[]): Fact[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const initiators = new Map(members.map(({ fact, initiator }) => [fact.id, byId.get(initiator)]));
  const byEnd = [...facts].sort((one, other) => one.end - other.end);
  let last = byEnd.length - 1;
  const path: Fact[] = [];
  let next = byEnd[last];
  while (next !== undefined && path.length < LONGEST_CHAIN) {
    path.unshift(next);
    const { id, start } = next;
    while (last >= 0 && !isBefore(byEnd[last], start)) last -= 1;
    const initiator = initiators.get(id);
    const before = lastWithin(byEnd, last, { before: start, root: initiator }, initiators);
    const found = initiator && initiator.start < start && initiator.end > start ? firstByteAt(initiator) : null;
    next = found !== null && found >= (before?.end ?? 0) ? initiator : before;
    if (before === next) last = Math.min(last, byEnd.indexOf(before as Fact) - 1);
  }
  return path;
}

/** It had ended when another began, and had begun before it. */
function isBefore(fact: Fact | undefined, at: number): boolean {
  return fact !== undefined && fact.start < at && hasEnded(fact, at);
}

type Initiators = ReadonlyMap<number, Fact | undefined>;

interface Wanted {
  before: number;
  root: Fact | undefined;
}

/** Of the exchanges up to `last`, the last one that is `root` or follows from it; any if there is no root. */
function lastWithin(byEnd: readonly Fact[], last: number, { before, root }: Wanted, initiators: Initiators) {
  for (let at = last; at >= 0; at--) {
    const fact = byEnd[at];
    if (fact && fact.start < before && (root === undefined || follows(fact, root, initiators))) return fact;
  }
  return undefined;
}

function follows(fact: Fact, root: Fact, initiators: Initiators): boolean {
  let [one, steps]: [Fact | undefined, number] = [fact, 0];
  while (one !== undefined && one !== root && steps < LONGEST_CHAIN) {
    one = initiators.get(one.id);
    steps += 1;
  }
  return one === root;
}

function cacheOf({ status, isFromCache }: Fact): string {
  if (status === 304) return 'not modified';
  return isFromCache ? 'shared cache' : 'server';
}

function shares(facts: readonly Fact[], nameOf: (fact: Fact) => string): PageShare[] {
  return [...groupBy(facts, nameOf)]
    .map(([name, of]) => ({ name, requests: of.length, bytes: sumOf(of, ({ responseSize }) => responseSize) }))
    .sort((one, other) => other.bytes - one.bytes || other.requests - one.requests);
}
