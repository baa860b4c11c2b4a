import { compare, middle, ratio, resultOf } from './outcome.ts';
import type { Outcome } from './scenario.ts';
import { markdownTable } from './tables.ts';

/** One typical use of a proxy, and a contender's results for it. */
interface Question {
  what: string;
  scenario: string;
  /** Null if the run did not measure it. */
  answer(outcome: Outcome, contender: string): string | null;
}

function number(value: number, digits: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** `after` adds the contender's own median. */
function timesDirect(metric: string, after: (median: number) => string = () => ''): Question['answer'] {
  return (outcome, contender) => {
    const result = resultOf(outcome, contender);
    const found = ratio(result, resultOf(outcome, 'direct'), metric);
    const own = middle(result, metric);
    return found && own ? `${number(found.median, 2)} ±${number(found.spread / 2, 2)}${after(own.median)}` : null;
  };
}

const pageLoad = timesDirect('load');
const requests = timesDirect('perSecond', (median) => ` (${number(median, 0)} requests/s)`);
const bytes = timesDirect('bytesPerSecond', (median) => ` (${number(median / 1e6, 0)} MB/s)`);
const firstAnswer = timesDirect('p50', (median) => ` (${number(median / 1000, 1)} ms)`);

/** Milliseconds; null if the run did not measure it. */
function addedTime(outcome: Outcome | undefined, contender: string): number | null {
  if (!outcome) return null;
  const grown = compare(
    resultOf(outcome, contender),
    resultOf(outcome, 'direct'),
    (one, direct) => (one.p50 ?? Number.NaN) - (direct.p50 ?? Number.NaN),
  );
  return grown && grown.median / 1000;
}

function addedMedian(outcome: Outcome, contender: string): string | null {
  const added = addedTime(outcome, contender);
  return added === null ? null : `+${number(added, 2)} ms`;
}

function page(protocol: 'h1' | 'h2', delay: number): Question {
  const named = protocol === 'h1' ? 'HTTP/1.1' : 'HTTP/2';
  return {
    what: `load a page with 1,000 images, ${named}${delay > 0 ? `, ${delay} ms at the origin` : ''}: load time`,
    scenario: `page-${protocol}${delay > 0 ? `-${delay}ms` : ''}`,
    answer: pageLoad,
  };
}

const QUESTIONS: readonly Question[] = [
  ...(['h1', 'h2'] as const).flatMap((protocol) => [0, 20, 100].map((delay) => page(protocol, delay))),
  {
    what: 'send one request after another on one HTTP/1.1 connection: added to the median',
    scenario: 'h1-one-ordinary',
    answer: addedMedian,
  },
  {
    what: 'make the first request to a new host: time with connecting and TLS',
    scenario: 'new-host',
    answer: firstAnswer,
  },
  { what: 'saturate it, HTTP/1.1 GET, 64 connections: requests/s', scenario: 'h1-get-ordinary', answer: requests },
  {
    what: 'saturate it, HTTP/2 GET, 8 connections of 8 streams: requests/s',
    scenario: 'h2-get-ordinary',
    answer: requests,
  },
  { what: 'download 1 GiB over HTTP/1.1: bytes/s', scenario: 'download', answer: bytes },
  { what: 'upload 1 GiB over HTTP/1.1: bytes/s', scenario: 'upload', answer: bytes },
];

/** The commit that measured each scenario of the first table last, or null. */
export function wholeCommit(outcomes: readonly (Outcome & { commit: string })[]): string | null {
  const commits = new Set(outcomes.map(({ commit }) => commit));
  const measured = (commit: string, scenario: string) =>
    outcomes.some((each) => each.commit === commit && each.name === scenario);
  return [...commits].find((commit) => QUESTIONS.every(({ scenario }) => measured(commit, scenario))) ?? null;
}

/** The shortest answer: how much longer a page and a single request take. Empty if the run measured neither. */
export function slowDownSentence(outcomes: readonly Outcome[]): string {
  const loads = outcomes
    .filter(({ name }) => /^page-h[12](-\d+ms)?$/.test(name))
    .flatMap((outcome) => ratio(resultOf(outcome, 'roundtrip'), resultOf(outcome, 'direct'), 'load')?.median ?? []);
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map((each) => Math.round((each - 1) * 100));
  const outcome = outcomes.find(({ name }) => name === 'h1-one-ordinary');
  const added = addedTime(outcome, 'roundtrip');
  return [
    ...(loads.length > 0 ? [`A page with 1,000 images loads ${least} to ${most} % slower than without a proxy.`] : []),
    ...(added === null ? [] : [`A request takes ${number(added, 2)} ms longer.`]),
  ].join(' ');
}

/** The run's answer to "How much does it slow me down?": ratios to no proxy at all, ± half the interquartile range. */
export function slowDownTable(outcomes: readonly Outcome[]): string {
  const rows = QUESTIONS.flatMap(({ what, scenario, answer }) => {
    const outcome = outcomes.find(({ name }) => name === scenario);
    const ours = outcome && answer(outcome, 'roundtrip');
    return ours ? [[what, ours, answer(outcome, 'tunnel') ?? '']] : [];
  });
  return markdownTable([['what you do', 'Roundtrip, x direct', 'blind tunnel, x direct'], ...rows]);
}
