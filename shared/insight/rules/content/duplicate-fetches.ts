import { formatBytes } from '../../../format/sizes.ts';
import { type Fact, isPrefetch } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupsOf, mayRepeat } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import type { Span } from '../../lost-time.ts';

/** Milliseconds between the end of one and the start of the next: longer gaps are polling. */
const SOON = 1000;
const LEAST = 2;
/** Bytes of one copy for which two are enough to report. */
const LARGE = 10 * 1024;

function isPlainGet(fact: Fact): boolean {
  const { method, status, request, isWhole } = fact;
  const conditional = request['if-none-match'] ?? request['if-modified-since'];
  return method === 'GET' && status === 200 && isWhole && conditional === undefined && !isPrefetch(fact);
}

/** Bytes. Smaller responses that differ (a status, a time) often have the same size. */
const TELLING = 1400;

function sameResponse(one: Fact, other: Fact): boolean {
  const size = one.responseSize;
  if (one.etag !== other.etag || size !== other.responseSize) return false;
  return one.etag === 0 ? size >= TELLING : size > 0;
}

/** The copies among exchanges that requested the same thing, by start. */
function copiesIn(facts: readonly Fact[]): Fact[] {
  const copies: Fact[] = [];
  for (let at = 1; at < facts.length; at++) {
    const [before, fact] = [facts[at - 1], facts[at]];
    if (before && fact && fact.start - before.end <= SOON && sameResponse(before, fact)) copies.push(fact);
  }
  return copies;
}

/** What a copy took after the first response was there, which its user could have had. */
function lostBy({ start, end }: Fact, first: Fact): Span {
  const from = Math.max(start, first.end);
  return { from, to: Math.max(from, end) };
}

/** Requests that make a poll, and the milliseconds between the end of one and the start of the next. */
const POLLS = 4;
const PAUSE = 100;

/** Without an ETag, a program that repeats a request after pauses is polling for changes. */
function isPoll(facts: readonly Fact[]): boolean {
  if (facts.length < POLLS) return false;
  return facts.every((fact, at) => fact.etag === 0 && (at === 0 || fact.start - (facts[at - 1]?.end ?? 0) >= PAUSE));
}

function evidenceOf(facts: readonly Fact[]): Evidence[] {
  const [first] = facts;
  const copies = isPoll(facts) ? [] : copiesIn(facts);
  const bytes = sumOf(copies, ({ responseSize }) => responseSize);
  if (first === undefined || (copies.length < LEAST && bytes < LARGE)) return [];
  const same = first.etag === 0 ? 'responses of the same size' : 'the same response';
  return [
    {
      title: `${first.path} was fetched ${copies.length + 1} times with ${same}: ${formatBytes(bytes)} wasted`,
      where: first.origin,
      confidence: first.etag === 0 ? ('medium' as const) : ('high' as const),
      facts: [first, ...copies],
      lost: [first, ...copies].map((fact) => lostBy(fact, first)),
      bytes,
      requests: copies.length,
    },
  ];
}

export const duplicateFetches: InsightRule = {
  id: 'duplicate-fetches',
  name: 'Duplicate fetches',
  about: 'A client fetched the same address again within a second and got the same response.',
  threshold:
    `${LEAST} copies, or one of ${LARGE / 1024} KB: same page load, address, credentials and accepted types, ` +
    `unconditional GET, status 200, same ETag and size. Without an ETag, ${TELLING.toLocaleString('en')} bytes or ` +
    `more of the same size, and not ${POLLS} requests or more that all leave ${PAUSE} ms between them.`,
  source: 'Our own. The one-second limit and the pause exclude polling.',
  remedy: 'Share one request among its users, or let the client cache the response.',
  find: (scene) =>
    groupsOf(
      // Most paths of a long session are requested once: those need no group.
      mayRepeat(scene.facts.filter(isPlainGet), ({ path }) => path),
      ({ origin }) => origin,
      ({ path }) => path,
      ({ identity }) => identity,
      ({ request }) => request['user-agent'],
      // A page that is loaded again, with the browser's cache off, requests everything again.
      (fact) => scene.pageOf(fact),
    ).flatMap((of) => (of.length > 1 ? evidenceOf(of) : [])),
};
