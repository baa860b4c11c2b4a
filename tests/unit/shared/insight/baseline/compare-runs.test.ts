import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../../../shared/insight/baseline/compare-runs.ts';
import { RunTally } from '../../../../../shared/insight/baseline/run-figures.ts';
import { exampleRow } from '../../../../support/example-row.ts';

const LIMITS = { minimumMs: 5, minimumShare: 0.05 };

/** A run of `count` requests with this time to the first byte. */
function run(ttfb: number, count = 2, bytes = 100) {
  const tally = new RunTally();
  for (let index = 0; index < count; index++) {
    tally.add(
      exampleRow({}, { ttfb, total: 500, path: `/users/${index}`, responseSize: bytes, upstreamConnection: 7 }),
    );
  }
  return tally.figures();
}

const runs = (...times: number[]) => times.map((time) => run(time));
const verdicts = (base: ReturnType<typeof runs>, now: ReturnType<typeof runs>) =>
  compareRuns(base, now, LIMITS)
    .filter(({ metric, where }) => metric === 'ttfb' || where === '')
    .map(({ metric, verdict, ok }) => `${metric} ${verdict} ${ok}`);

describe('compareRuns', () => {
  it('compares counts, bytes and connections exactly', () => {
    const found = compareRuns([run(10, 2), run(10, 3)], [run(10, 4, 50)], LIMITS);
    const whole = found
      .filter(({ where }) => where === '')
      .map(({ metric, verdict, base, now }) => [metric, verdict, base, now]);
    expect(whole).toEqual([
      ['requests', 'worse', 3, 4],
      ['bytes', 'better', 300, 200],
      ['failed', 'same', 0, 0],
      ['connections', 'same', 1, 1],
    ]);
  });

  it('names hosts that one side lacks, and gates them in the whole run only', () => {
    const at = (authority: string) => {
      const tally = new RunTally();
      tally.add(exampleRow({}, { authority, responseSize: 100, upstreamConnection: 7 }));
      return tally.figures();
    };
    const found = compareRuns([at('localhost:1')], [at('localhost:2')], LIMITS);
    expect(found.filter(({ ok }) => !ok)).toEqual([]);
    expect(found.slice(0, 2).map(({ metric, verdict, message }) => [metric, verdict, message])).toEqual([
      ['host', 'new', 'localhost:2, in no baseline: 1 request, 100 B, 1 connection'],
      ['host', 'gone', 'localhost:1, in the baselines: 1 request, 100 B, 1 connection'],
    ]);
    const more = compareRuns([at('localhost:1')], [run(10, 4)], LIMITS).filter(({ ok }) => !ok);
    expect(more.map(({ metric, where }) => [metric, where])).toContainEqual(['requests', '']);
  });

  it('leaves out handshakes that the client gave up: browsers do so by chance', () => {
    const tally = new RunTally();
    const tunnel = { kind: 'tunnel', state: 'failed', status: 0 } as const;
    tally.add(exampleRow({}, { ...tunnel, failureCode: 'tls.client-pins-certificate' }));
    expect(tally.figures().exact.get('')).toMatchObject({ requests: 0, failed: 0 });
    tally.add(exampleRow({}, { ...tunnel, failureCode: 'upstream.host-not-found' }));
    expect(tally.figures().exact.get('')).toMatchObject({ requests: 1, failed: 1 });
  });

  it('says nothing about times with fewer than five runs on a side', () => {
    expect(verdicts(runs(1, 2, 3, 4, 5), runs(900, 901, 902, 903))).toContain('ttfb too-few-runs true');
  });

  it('reports a time that grew by more than chance, effect and the minimum allow', () => {
    expect(verdicts(runs(100, 101, 102, 103, 104), runs(120, 121, 122, 123, 124))).toContain('ttfb worse false');
    expect(verdicts(runs(120, 121, 122, 123, 124), runs(100, 101, 102, 103, 104))).toContain('ttfb better true');
  });

  it.each([
    ['less than 5 ms', runs(10, 11, 12, 13, 14), runs(15, 15.5, 16, 16.5, 16.9)],
    ['less than 5 %', runs(1000, 1001, 1002, 1003, 1004), runs(1020, 1021, 1022, 1023, 1024)],
    ['by chance', runs(100, 300, 500, 700, 900), runs(200, 400, 600, 800, 1000)],
  ])('passes a change of %s', (_name, base, now) => {
    expect(verdicts(base, now)).toContain('ttfb same true');
  });
});
