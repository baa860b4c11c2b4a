import { describe, expect, it } from 'vitest';
import { compareSessions } from '../../../../shared/compare/compare-sessions.ts';
import { compileFilter } from '../../../../shared/filter/compile.ts';
import { CHANGE_KINDS, NOTHING_IGNORED } from '../../../../shared/model/compare/comparison.ts';
import { type ExchangeSummary, summaryNow } from '../../../../shared/model/exchange-summary.ts';
import { NO_TIMINGS } from '../../../../shared/model/timings.ts';
import { type ExampleExchange, exampleExchange } from '../../../support/example-exchange.ts';

function session(...exchanges: ExampleExchange[]): ExchangeSummary[] {
  return exchanges.map((of, at) => summaryNow(exampleExchange({ id: at + 1, startedAt: 1000 + at * 10, ...of })));
}

function to(path: string, of: ExampleExchange = {}): ExampleExchange {
  return { ...of, request: { path, authority: 'api.test', ...of.request } };
}

describe('matching', () => {
  it('pairs exchanges by method, path template and ordinal', () => {
    const before = session(to('/users/1'), to('/users/2'), to('/old'));
    const after = session(to('/users/3'), to('/users/4'), to('/users/5'), to('/new'));
    const { added, gone, unchanged } = compareSessions(before, after, NOTHING_IGNORED);
    expect(unchanged.map((pair) => [pair.before.id, pair.after.id])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(added.map(({ url }) => url)).toEqual(['https://api.test/users/5', 'https://api.test/new']);
    expect(gone.map(({ url }) => url)).toEqual(['https://api.test/old']);
  });

  it('prefers the same path, then the same host', () => {
    const before = session(to('/users/1'), to('/users/2'), to('/', { request: { authority: 'a.test' } }));
    const after = session(to('/', { request: { authority: 'b.test' } }), to('/users/2'), to('/users/1'));
    const { unchanged } = compareSessions(before, after, NOTHING_IGNORED);
    expect(unchanged.map((pair) => [pair.before.id, pair.after.id])).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
  });

  it('does not pair different methods', () => {
    const { counts } = compareSessions(session(to('/a')), session(to('/a', { request: { method: 'POST' } })), {
      changes: [],
    });
    expect(counts).toEqual({ added: 1, gone: 1, changed: 0, unchanged: 0 });
  });
});

describe('changes', () => {
  const before = session(to('/a'));
  const after = session(
    to('/a', {
      client: { ...exampleExchange().client, protocol: 'h2' },
      response: { status: 500, headers: ['Content-Type', 'text/html'], body: { size: 7, stored: 7, complete: true } },
      timings: { wait: 373, connect: -1 },
    }),
  );

  it('names each difference with both values', () => {
    expect(compareSessions(before, after, NOTHING_IGNORED).changed[0]?.changes).toEqual([
      { what: 'status', before: 200, after: 500 },
      { what: 'type', before: 'application/json', after: 'text/html' },
      { what: 'protocol', before: 'http/1.1', after: 'h2' },
      { what: 'size', before: 0, after: 7 },
      { what: 'wait', before: 73, after: 373 },
    ]);
  });

  it('leaves out what is ignored', () => {
    const { changed } = compareSessions(before, after, { changes: ['status', 'size', 'type', 'protocol'] });
    expect(changed[0]?.changes.map(({ what }) => what)).toEqual(['wait']);
    expect(compareSessions(before, after, { changes: [...CHANGE_KINDS] }).counts.unchanged).toBe(1);
  });

  it('does not call less than 50 ms or half of a phase a change', () => {
    const slow = (wait: number) => session(to('/a', { timings: { wait } }));
    const changed = (was: number, is: number) => compareSessions(slow(was), slow(is), NOTHING_IGNORED).counts.changed;
    expect([changed(10, 59), changed(10, 60), changed(1000, 1400), changed(1000, 1500), changed(100, 30)]).toEqual([
      0, 1, 0, 1, 1,
    ]);
  });
});

it('adds up exchanges, bytes and time by host and by type', () => {
  const one = to('/a', { response: { body: { size: 100, stored: 100, complete: true } } });
  const { hosts, types } = compareSessions(session(one, one), session(one), NOTHING_IGNORED);
  expect(hosts).toMatchObject([
    { name: 'api.test', before: { exchanges: 2, bytes: 200 }, after: { exchanges: 1, bytes: 100 } },
  ]);
  expect(hosts[0]?.after.ms).toBeCloseTo(108.775);
  expect(types.map(({ name }) => name)).toEqual(['application/json']);
});

it('counts everything but lists no more than the limit', () => {
  const { counts, added } = compareSessions([], session(to('/a'), to('/b'), to('/c')), NOTHING_IGNORED, 2);
  expect([counts.added, added.length]).toEqual([3, 2]);
});

describe('imported sessions', () => {
  const untimed = { timings: NO_TIMINGS };
  const timed = (unsplit: number) => ({ timings: { ...NO_TIMINGS, unsplit } });
  const changesOf = (one: ExampleExchange, other: ExampleExchange) =>
    compareSessions(session(to('/a', one)), session(to('/a', other)), NOTHING_IGNORED).changed[0]?.changes ?? [];

  it('compare no time that one of them does not know, and the time in all where phases are unknown', () => {
    expect(changesOf(untimed, {})).toEqual([]);
    expect(changesOf(timed(250), timed(750))).toEqual([{ what: 'total', before: 250, after: 750 }]);
    expect(changesOf(timed(250), timed(260))).toEqual([]);
  });

  it('have no sum of what none of them knows', () => {
    const unknown = to('/a', {
      ...untimed,
      response: { headers: [], body: { size: -1, stored: 0, complete: true } },
    });
    const { types } = compareSessions(session(unknown), session(unknown, to('/b', timed(7))), NOTHING_IGNORED);
    const [, none] = types;
    expect(none).toMatchObject({ name: '', before: { bytes: -1, ms: -1 }, after: { bytes: -1, ms: -1 } });
    expect(types[0]?.after).toMatchObject({ exchanges: 1, ms: 7 });
  });

  it('those without a media type are found by the filter of their line', () => {
    const [typed, untyped] = session(to('/a'), to('/b', { response: { headers: [] } }));
    const filter = compileFilter('-type:/');
    expect([typed, untyped].map((row) => filter.ok && row !== undefined && filter.matches(row))).toEqual([false, true]);
  });
});
