import { describe, expect, it } from 'vitest';
import type { Sample } from '../../soak/table.ts';
import { judge, type SoakOutcome } from '../../soak/verdict.ts';

const MB = 1e6;

function sample(done: number, change: Partial<Sample> = {}): Sample {
  return {
    ...{ done, count: 50_000, errors: 0, error: null, seconds: 10, descriptors: 90, rowsBehind: 0, fileBytes: 1 },
    p99: { h1: 10, h2: 10, websocket: 10, sse: 10 },
    memory: { median: 200 * MB, peak: 220 * MB },
    ...change,
  };
}

function outcome(change: Partial<SoakOutcome> = {}, of: (index: number) => Partial<Sample> = () => ({})): SoakOutcome {
  const exchanges = 1_000_000;
  return {
    exchanges,
    samples: Array.from({ length: 20 }, (_, index) => sample((index + 1) * 50_000, of(index))),
    ...{ shown: exchanges, held: exchanges, problems: [], exitCode: 0 },
    har: { seconds: 50, bytes: 3e9, entries: exchanges, whole: true, memory: [220 * MB, 240 * MB, 230 * MB] },
    ...change,
  };
}

const failed = (of: SoakOutcome): string[] => judge(of).flatMap(({ ok, what }) => (ok ? [] : [what]));

describe('a run', () => {
  it('passes where all is flat', () => {
    expect(failed(outcome())).toEqual([]);
  });

  it('may grow while it warms up', () => {
    const warmingUp = (index: number) => (index < 2 ? { memory: { median: 50 * MB, peak: 0 } } : {});
    expect(failed(outcome({}, warmingUp))).toEqual([]);
  });

  it.each<[string, (index: number) => Partial<Sample>]>([
    ['memory', (index) => ({ memory: { median: (200 + index * 5) * MB, peak: 0 } })],
    ['descriptors', (index) => ({ descriptors: 90 + index * 2 })],
    ['p99 of HTTP/1.1', (index) => ({ p99: { h1: 10 + index, h2: 10, websocket: 10, sse: 10 } })],
    ['p99 of HTTP/2', (index) => ({ p99: { h1: 10, h2: 10 + index, websocket: 10, sse: 10 } })],
    ['errors', (index) => (index === 0 ? { errors: 1, error: 'socket hang up' } : {})],
  ])('fails for %s', (what, of) => {
    expect(failed(outcome({}, of))).toEqual([what]);
  });

  it.each<[string, Partial<SoakOutcome>]>([
    ['rows in the window', { shown: 999_999 }],
    ['exchanges in the session', { held: 999_999 }],
    ['messages that are not of the contract', { problems: ['a bad row'] }],
    ['exit code', { exitCode: 1 }],
    ['HAR entries', { har: { ...outcome().har, entries: 999_999 } }],
    ['HAR', { har: { ...outcome().har, whole: false } }],
    ['time for the HAR', { har: { ...outcome().har, seconds: 61 } }],
    ['memory while the HAR is written', { har: { ...outcome().har, memory: [220 * MB, 240 * MB, 270 * MB] } }],
    ['its peak', { har: { ...outcome().har, memory: [290 * MB, 301 * MB, 290 * MB] } }],
  ])('fails for %s', (what, change) => {
    expect(failed(outcome(change))).toEqual([what]);
  });
});
