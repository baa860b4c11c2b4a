import { describe, expect, it, vi } from 'vitest';
import { Windows } from '../../../../electron/commands/windows.ts';
import type { Notice } from '../../../../shared/contract/envelope.ts';

const nothing = () => undefined;
const BATCH = { sessionId: 's', sequence: 1, at: 0, rows: '[]' };

describe('windows', () => {
  it('sends the feed to subscribers, and notices to all windows', () => {
    const windows = new Windows(nothing, nothing);
    const one: Notice[] = [];
    const other: Notice[] = [];
    windows.subscribe(
      windows.add((notice) => one.push(notice)),
      true,
    );
    windows.add((notice) => other.push(notice));
    windows.feed(BATCH);
    windows.notifyAll('har.progress', { written: 1, total: 2 });
    expect(one.map(({ event }) => event)).toEqual(['feed.batch', 'har.progress']);
    expect(other.map(({ event }) => event)).toEqual(['har.progress']);
  });

  it('needs a feed from the first subscriber to the last', () => {
    const wanted = vi.fn();
    const windows = new Windows(wanted, nothing);
    const [one, other] = [windows.add(() => undefined), windows.add(() => undefined)];
    windows.subscribe(one, true);
    windows.subscribe(other, true);
    windows.subscribe(one, false);
    expect(wanted.mock.calls).toEqual([[true]]);
    windows.remove(other);
    expect(wanted.mock.calls).toEqual([[true], [false]]);
  });

  it('reports whether any window shows the queue of breakpoints', () => {
    const watched = vi.fn();
    const windows = new Windows(nothing, watched);
    const [one, other] = [windows.add(nothing), windows.add(nothing)];
    windows.watchBreaks(one, true);
    windows.watchBreaks(other, true);
    windows.remove(one);
    expect(watched.mock.calls).toEqual([[true]]);
    windows.remove(other);
    expect(watched.mock.calls).toEqual([[true], [false]]);
  });

  it('ends what a window waited for when it closes', () => {
    const windows = new Windows(nothing, nothing);
    const window = windows.add(() => undefined);
    window.exporting = new AbortController();
    windows.remove(window);
    expect(window.exporting.signal.aborted).toBe(true);
  });
});
