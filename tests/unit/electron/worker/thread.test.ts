import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Thread, type ThreadOptions } from '../../../../electron/worker/thread.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

type Calls = {
  add: { input: [number, number]; output: number };
  refuse: { input: null; output: null };
  never: { input: null; output: null };
  notice: { input: string; output: null };
  throwLater: { input: null; output: null };
  exit: { input: null; output: null };
  work: { input: Int32Array; output: null };
};

/** Cells that a test shares with its thread: a task may end, and was not interrupted. */
const [MAY_END, ENDED] = [0, 1];

const SOURCES = pathToFileURL(path.resolve('electron')).href;
const SCRIPT = `
import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '${SOURCES}/worker/thread-call.ts';
import { roundtripError } from '${SOURCES}/failures/errors.ts';
answerCalls(parentPort, {
  add: ([a, b]) => a + b + (workerData?.more ?? 0),
  refuse: () => { throw roundtripError('session.not-found', { id: 7 }); },
  never: () => new Promise(() => {}),
  notice: (notice) => { parentPort.postMessage({ kind: 'notice', notice }); return null; },
  throwLater: () => { setImmediate(() => { throw new Error('boom'); }); return new Promise(() => {}); },
  exit: () => { process.exit(0); },
  work: (cells) => {
    parentPort.postMessage({ kind: 'notice', notice: 'it has begun' });
    Atomics.wait(cells, 0, 0);
    Atomics.store(cells, 1, 1);
    return null;
  },
});
`;

function start(options: Partial<ThreadOptions<string>> = {}): Thread<Calls, string> {
  const file = path.join(temporaryFolder(), 'thread.mjs');
  fs.writeFileSync(file, SCRIPT);
  const thread = new Thread<Calls, string>({ file, name: 'test', ...options });
  onTestFinished(() => thread.stop(0));
  return thread;
}

/** A thread in a task that lasts until its cell MAY_END is set. */
async function working(): Promise<{ thread: Thread<Calls, string>; cells: Int32Array; task: Promise<unknown> }> {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const onNotice = vi.fn();
  const thread = start({ onNotice });
  const task = thread.call('work', cells).catch((error: unknown) => error);
  await vi.waitFor(() => expect(onNotice).toHaveBeenCalled(), { timeout: 60_000 });
  return { thread, cells, task };
}

describe('thread', () => {
  it('answers each call with its own result', async () => {
    const thread = start({ data: { more: 10 } });
    const answers = await Promise.all([thread.call('add', [1, 2]), thread.call('add', [3, 4])]);
    expect(answers).toEqual([13, 17]);
  });

  it('answers others while one waits', async () => {
    const thread = start();
    const waiting = thread.call('never', null).catch((error: unknown) => error);
    expect(await thread.call('add', [1, 1])).toBe(2);
    await thread.stop(0);
    expect(await waiting).toMatchObject({ code: 'engine.thread-died' });
  });

  it('rejects with the failure that the thread threw', async () => {
    const refused = start().call('refuse', null);
    await expect(refused).rejects.toMatchObject({ code: 'session.not-found', message: expect.stringContaining('7') });
  });

  it('names the helper that died', async () => {
    const thread = start({ helper: 'the one that adds' });
    await expect(thread.call('throwLater', null)).rejects.toMatchObject({
      code: 'engine.helper-died',
      message: expect.stringContaining('the one that adds (boom)'),
    });
  });

  it('passes notices on', async () => {
    const onNotice = vi.fn();
    const thread = start({ onNotice });
    await thread.call('notice', 'hear hear');
    expect(onNotice.mock.calls).toEqual([['hear hear']]);
  });

  it.each(['throwLater', 'exit'] as const)('fails waiting calls and reports a death: %s', async (name) => {
    const onDeath = vi.fn();
    const thread = start({ onDeath });
    await expect(thread.call(name, null)).rejects.toMatchObject({ code: 'engine.thread-died' });
    await thread.gone;
    expect(onDeath.mock.calls).toEqual([name === 'exit' ? ['it ended by itself', true] : ['boom', false]]);
    await expect(thread.call('add', [1, 1])).rejects.toMatchObject({ code: 'engine.thread-died' });
  });

  it('reports no death when it is stopped', async () => {
    const onDeath = vi.fn();
    const thread = start({ onDeath });
    await thread.call('add', [1, 1]);
    await thread.stop(0);
    expect(onDeath).not.toHaveBeenCalled();
  });

  it('is not interrupted in a task when it is stopped: native modules would abort the process', async () => {
    const { thread, cells, task } = await working();
    // However long the task takes on a busy machine, its limit does not pass.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stopped = thread.stop(0);
    Atomics.store(cells, MAY_END, 1);
    Atomics.notify(cells, MAY_END);
    await stopped;
    await task;
    expect(cells[ENDED]).toBe(1);
  });

  it('is terminated if its task does not end', async () => {
    const { thread, cells, task } = await working();
    await thread.stop(0);
    expect(await task).toMatchObject({ code: 'engine.thread-died' });
    expect(cells[ENDED]).toBe(0);
  });
});
