import { describe, expect, it } from 'vitest';
import { runLatest } from '../../../../../electron/commands/handlers/run-latest.ts';
import { Window } from '../../../../../electron/commands/windows.ts';

/** Ends only when it is stopped. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));

describe('a task that a window runs one of', () => {
  it('stops the previous one, which resolves with null', async () => {
    const window = new Window(() => undefined);
    const first = runLatest(window, 'searching', endless);
    expect(await runLatest(window, 'searching', async () => 'found')).toBe('found');
    expect(await first).toBeNull();
    expect(window.searching).toBeNull();
  });

  it('is stopped by its window, and only by a task of the same kind', async () => {
    const window = new Window(() => undefined);
    const search = runLatest(window, 'searching', endless);
    expect(await runLatest(window, 'trying', async () => 'tried')).toBe('tried');
    expect(window.searching?.signal.aborted).toBe(false);
    window.searching?.abort();
    expect(await search).toBeNull();
  });

  it('rejects if it fails without being stopped', async () => {
    const window = new Window(() => undefined);
    const failed = runLatest(window, 'previewing', () => {
      throw new Error('no session');
    });
    await expect(failed).rejects.toThrow('no session');
    expect(window.previewing).toBeNull();
  });
});
