import { expect, test } from 'vitest';
import { LifecycleQueue } from '../../../../../electron/worker/lives/lifecycle-queue.ts';

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('operations follow one another, also after one that fails', async () => {
  const queue = new LifecycleQueue();
  const { opened, open } = gate();
  const log: string[] = [];
  const first = queue.run(async () => {
    log.push('first begins');
    await opened;
    log.push('first ends');
    throw new Error('no');
  });
  const second = queue.run(async () => log.push('second'));
  await Promise.resolve();
  expect(log).toEqual(['first begins']);
  open();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(log).toEqual(['first begins', 'first ends', 'second']);
});

test('the end hurries the running operation, and waiting ones do not begin', async () => {
  const queue = new LifecycleQueue();
  const log: string[] = [];
  const underWay = queue.run(
    (signal) =>
      new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          log.push('aborted');
          resolve();
        }),
      ),
  );
  const waiting = queue.run(async () => log.push('begun'));
  await Promise.resolve();
  const end = queue.end(async () => void log.push('end'));
  await expect(waiting).rejects.toMatchObject({ code: 'engine.stopped' });
  await underWay;
  await end;
  await expect(queue.run(async () => null)).rejects.toMatchObject({ code: 'engine.stopped' });
  await queue.end(async () => void log.push('end again'));
  expect(log).toEqual(['aborted', 'end', 'end again']);
});
