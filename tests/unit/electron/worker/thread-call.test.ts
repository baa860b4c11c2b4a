import { expect, it } from 'vitest';
import { answerCalls, type ThreadEnd, type ToThread } from '../../../../electron/worker/thread-call.ts';

it('what follows an answer waits for it, however long it takes', async () => {
  const log: unknown[] = [];
  let find = (_found: string): void => undefined;
  const found = new Promise<string>((resolve) => {
    find = resolve;
  });
  let send = (_message: ToThread): void => undefined;
  const port: ThreadEnd = {
    on: (_event, listener) => {
      send = listener;
    },
    postMessage: (message) => log.push(message),
  };
  answerCalls(port, { find: () => found }, () => log.push('answered'));
  send({ id: 1, name: 'find', input: null });
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([{ kind: 'ready' }]);
  find('it');
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.slice(1)).toEqual([{ kind: 'reply', id: 1, ok: true, value: 'it' }, 'answered']);
});
