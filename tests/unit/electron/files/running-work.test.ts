import { describe, expect, it } from 'vitest';
import { RunningWork } from '../../../../electron/files/running-work.ts';

/** Work that ends when it is cancelled, and then still removes something. */
function cancellable(log: string[]) {
  return async (signal: AbortSignal) => {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    log.push('removed');
    throw new Error('cancelled');
  };
}

const NEVER = new AbortController().signal;

describe('running work', () => {
  it('is cancelled and waited for when its owner ends', async () => {
    const work = new RunningWork();
    const log: string[] = [];
    const running = work.run(NEVER, cancellable(log)).catch(({ message }) => log.push(message));
    await work.end();
    expect(log).toContain('removed');
    await running;
    expect(log).toEqual(['removed', 'cancelled']);
  });

  it("is cancelled by its own signal, also before it began, and the owner's other work goes on", async () => {
    const work = new RunningWork();
    const log: string[] = [];
    const cancelling = new AbortController();
    const running = work.run(cancelling.signal, cancellable(log));
    const other = work.run(NEVER, async () => 'done');
    cancelling.abort();
    await expect(running).rejects.toThrow('cancelled');
    await expect(work.run(cancelling.signal, cancellable(log))).rejects.toThrow('cancelled');
    expect(await other).toBe('done');
  });

  it('does not begin after the end', async () => {
    const work = new RunningWork();
    await work.end();
    await expect(work.run(NEVER, async () => 'done')).rejects.toMatchObject({ code: 'engine.stopped' });
  });
});
