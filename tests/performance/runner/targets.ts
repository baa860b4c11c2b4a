import { ACCURACY_SCENARIOS } from './accuracy-scenarios.ts';
import { FORWARDERS, REVERSE_PROXIES } from './load-scenarios.ts';
import { compare, middle, ratio, resultOf } from './outcome.ts';
import type { Outcome, Result, Round } from './scenario.ts';
import { median } from './statistics.ts';

/** Roundtrip's promises about its speed. `value` is null if the run did not measure it. */
export interface Target {
  scenario: string;
  text: string;
  limit: number;
  /** Whether the value must reach the limit, or stay below it. */
  is: 'at least' | 'at most';
  value(outcome: Outcome): number | null;
}

const ours = (outcome: Outcome) => resultOf(outcome, 'roundtrip');

function times(scenario: string, other: string, limit: number, contender = 'roundtrip', metric = 'perSecond'): Target {
  return {
    ...{ scenario, limit, is: 'at least', text: `${contender}, times ${other}` },
    value: (outcome) => ratio(resultOf(outcome, contender), resultOf(outcome, other), metric)?.median ?? null,
  };
}

function atMost(
  scenario: string,
  text: string,
  metric: string,
  limit: number,
  unit = 1,
  contender = 'roundtrip',
): Target {
  return {
    ...{ scenario, text, limit, is: 'at most' },
    value: (outcome) => {
      const found = middle(resultOf(outcome, contender), metric);
      return found === null ? null : found.median / unit;
    },
  };
}

/** Against direct, of a metric in which less is better. */
function overDirect(scenario: string, text: string, limit: number, of: (ours: Round, direct: Round) => number): Target {
  return {
    ...{ scenario, text, limit, is: 'at most' },
    value: (outcome) => compare(ours(outcome), resultOf(outcome, 'direct'), of)?.median ?? null,
  };
}

const value = (round: Round, metric: string) => round[metric] ?? Number.NaN;

function central(scenario: string): Target[] {
  return [
    times(scenario, 'tunnel', 0.6),
    times(scenario, 'mockttp', 6),
    times(scenario, 'mitmproxy', 15),
    times(scenario, 'http-mitm-proxy', 2.5),
    atMost(scenario, "engine thread's CPU per request, us", 'threadCpu', 60),
    atMost(scenario, "all threads' CPU per request, us", 'cpu', 90),
  ];
}

function http2(scenario: string): Target[] {
  return [
    times(scenario, 'direct', 0.4),
    times(scenario, 'mockttp', 3.5),
    times(scenario, 'mitmproxy', 18),
    atMost(scenario, 'share of answers that took 38 to 52 ms', 'fortyMs', 0.02),
  ];
}

function page(scenario: string): Target[] {
  const load = overDirect(
    scenario,
    'load time, times direct',
    1.05,
    (one, other) => value(one, 'load') / value(other, 'load'),
  );
  if (!scenario.startsWith('page-h1')) return [load];
  // 1.2 x direct or 2 ms more, whichever is larger.
  const allowed = (direct: number) => Math.max(1.2 * direct, direct + 2000);
  return [
    load,
    overDirect(
      scenario,
      'mean TTFB, times what is allowed',
      1,
      (one, other) => value(one, 'ttfb') / allowed(value(other, 'ttfb')),
    ),
  ];
}

function bulk(scenario: string): Target[] {
  return [
    times(scenario, 'tunnel', 0.6, 'no recording', 'bytesPerSecond'),
    times(scenario, 'tunnel', 0.35, 'slow disk waits', 'bytesPerSecond'),
    atMost(scenario, 'memory above idle, MB', 'growth', 64, 1e6),
    atMost(scenario, 'memory above idle with the whole body recorded, MB', 'growth', 64, 1e6, 'slow disk waits'),
    atMost(scenario, 'bytes of the body that are not in the session file', 'notKept', 0, 1, 'slow disk waits'),
  ];
}

/** The last quarter of the rounds against the first, in one session. */
function lastToFirst(result: Result | undefined, metric: string): number | null {
  const values = (result?.rounds ?? []).map((round) => value(round, metric));
  const quarter = Math.floor(values.length / 4);
  return quarter === 0 ? null : median(values.slice(-quarter)) / median(values.slice(0, quarter));
}

function accuracy(scenario: string): Target[] {
  return [
    atMost(scenario, 'error of wait at p50, ms', 'waitP50', 0.1, 1000),
    atMost(scenario, 'error of wait at p99, ms', 'waitP99', 1, 1000),
  ];
}

export const TARGETS: readonly Target[] = [
  ...central('h1-get-ordinary'),
  ...central('h1-post-ordinary'),
  overDirect(
    'h1-one-ordinary',
    'what p50 grows by, ms',
    0.15,
    (one, other) => (value(one, 'p50') - value(other, 'p50')) / 1000,
  ),
  ...http2('h2-get-ordinary'),
  ...http2('h2-post-ordinary'),
  ...['plain-get-ordinary', 'plain-post-ordinary'].flatMap((name) => FORWARDERS.map((other) => times(name, other, 1))),
  ...REVERSE_PROXIES.map((other) => times('reverse-get-ordinary', other, 1, 'reverse listener')),
  ...['ablations-h1', 'ablations-h2'].map((name) => times(name, 'roundtrip', 0.97, 'with OTLP')),
  ...ACCURACY_SCENARIOS.flatMap(({ name }) => accuracy(name)),
  ...['page-h1', 'page-h2', 'page-h1-20ms', 'page-h2-20ms', 'page-h1-100ms', 'page-h2-100ms'].flatMap((name) => [
    ...page(name),
    ...page(`${name}-second`),
  ]),
  overDirect('new-host', 'times direct', 3, (one, other) => value(one, 'p50') / value(other, 'p50')),
  ...bulk('download'),
  ...bulk('upload'),
  {
    ...{
      scenario: 'growth',
      text: 'requests/s, the last quarter of the rounds to the first',
      limit: 0.9,
      is: 'at least',
    },
    value: (outcome) => lastToFirst(ours(outcome), 'perSecond'),
  },
  {
    ...{ scenario: 'growth', text: 'memory, the last quarter of the rounds to the first', limit: 1.1, is: 'at most' },
    value: (outcome) => lastToFirst(ours(outcome), 'memory'),
  },
  ...['perConnection', 'cpuPerSecond'].map((metric): Target => {
    const text = `${metric === 'perConnection' ? 'memory a connection' : 'CPU while idle'}, times mockttp`;
    return {
      ...{ scenario: 'idle', text, limit: 0.5, is: 'at most' },
      value: (outcome) => ratio(ours(outcome), resultOf(outcome, 'mockttp'), metric)?.median ?? null,
    };
  }),
];

export interface Verdict {
  target: Target;
  value: number;
  met: boolean;
}

/** Of all that the outcomes measured. */
export function verdicts(outcomes: readonly Outcome[]): Verdict[] {
  return TARGETS.flatMap((target) => {
    const outcome = outcomes.find(({ name }) => name === target.scenario);
    const found = outcome ? target.value(outcome) : null;
    if (found === null) return [];
    return [{ target, value: found, met: target.is === 'at least' ? found >= target.limit : found <= target.limit }];
  });
}
