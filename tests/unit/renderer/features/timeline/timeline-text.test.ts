import { describe, expect, it } from 'vitest';
import { timelineText } from '../../../../../renderer/features/timeline/timeline-text.ts';
import type { TimelineBar } from '../../../../../renderer/state/timeline-buckets.ts';

const START = new Date(2026, 10, 26, 14, 5, 10).getTime();

const bar = (at: number, ok: number, failed = 0, median: number | null = null, p95 = median): TimelineBar => {
  return { from: START + at * 1000, to: START + (at + 1) * 1000, ok, failed, median, p95 };
};

const BARS = [bar(0, 1200, 0, 5, 9), bar(1, 0), bar(2, 1, 2, 80, 300)];

describe('the text of the timeline', () => {
  it('has the figures of all bars', () => {
    expect(timelineText(BARS, null)).toBe(
      '1,203 requests, 2 of them failed, from 14:05:10.0 to 14:05:13.0; ' +
        'TTFB median 5.00 ms to 80.0 ms, p95 9.00 ms to 300 ms',
    );
  });

  it('is about the bars in the time window', () => {
    expect(timelineText(BARS, { from: START + 2500, to: START + 2600 })).toBe(
      '3 requests, 2 of them failed, from 14:05:12.0 to 14:05:13.0; TTFB median 80.0 ms, p95 300 ms',
    );
    expect(timelineText(BARS, { from: START + 1000, to: START + 2000 })).toBe(
      '0 requests, none failed, from 14:05:11.0 to 14:05:12.0',
    );
    expect(timelineText(BARS, { from: START - 5, to: START })).toBe('No requests');
  });
});
