import { describe, expect, it } from 'vitest';
import {
  lanePaths,
  laneScale,
  laneView,
  steppedAxis,
} from '../../../../../renderer/features/connections/lane-paths.ts';
import type { Lane } from '../../../../../shared/insight/connections/lanes.ts';

const LANE: Lane = {
  ...{ id: 1, side: 'upstream', protocol: 'h2', authority: 'shop.test', openedAt: 1000, dns: 2, tcp: 8, tls: 10 },
  ...{ depth: 1, idle: 0, saved: -1, streams: [{ id: 7, from: 1020, firstByte: 1050, to: 1100, level: 0 }] },
};

describe('the drawing of a lane', () => {
  it('has each phase in its place, in milliseconds after the opening', () => {
    const { dns, tcp, tls, wait, receive, life } = lanePaths(LANE, null, 64);
    expect([dns, tcp, tls].map((path) => path.slice(0, 16))).toEqual([
      'M0.00 6.00h2.00v',
      'M2.00 6.00h8.00v',
      'M10.00 6.00h10.0',
    ]);
    expect(wait).toContain('M20.00 6.00h30.00');
    expect(receive).toContain('M50.00 6.00h50.00');
    expect(life).toContain('M0.00 11.50h100.00');
  });

  it('marks when windows were closed, and the end', () => {
    const { window, ended } = lanePaths(LANE, { at: 1200, closedWindows: [[1060, 1080]] }, 64);
    expect(window).toBe('M60.00 19.00h20.00v5.00h-20.00z');
    expect(ended).toContain('M200.00 2.00h');
    expect(lanePaths(LANE, null, 64)).toMatchObject({ window: '', ended: '' });
  });

  it('moves with the axis, and is made again only at another order of size', () => {
    expect(laneView(LANE, { from: 900, span: 500 })).toBe('-100 0 500 24');
    expect([500, 300, 256, 255].map((span) => laneScale({ from: 0, span }))).toEqual([256, 256, 256, 128]);
  });

  it('keeps its axis while rows come and go, and has all of them on it', () => {
    const start = 1_790_000_000_000;
    // Twenty-five visible rows, each opening 30 ms after the one above; scrolled by a row at a time.
    const windows = Array.from({ length: 200 }, (_each, row) => ({
      from: start + row * 30,
      to: start + (row + 24) * 30 + 90,
    }));
    const axes = windows.map(({ from, to }) => ({ ...steppedAxis(from, to), first: from, last: to }));
    expect(axes.filter(({ from, span, first, last }) => from > first || from + span < last)).toEqual([]);
    expect(axes.filter(({ span, first, last }) => span > 1.5 * (last - first))).toEqual([]);
    const changes = axes.filter((axis, at) => at > 0 && axis.from !== axes[at - 1]?.from);
    expect(changes.length).toBeLessThan(windows.length / 3);
  });

  it('leaves the shortest bar visible', () => {
    const short = { ...LANE, streams: [{ id: 7, from: 1020, firstByte: 1020, to: 1020, level: 0 }] };
    expect(lanePaths(short, null, 100_000).receive).toContain('h100.00v');
  });
});
