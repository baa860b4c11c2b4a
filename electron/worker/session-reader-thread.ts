import { parentPort } from 'node:worker_threads';
import { roundtripError } from '../engine/errors.ts';
import { SessionReader } from '../engine/record/session-reader.ts';
import type { SessionCalls } from './session-calls.ts';
import { answerCalls } from './thread-call.ts';

const host = parentPort;
if (host === null) throw new Error('session-reader-thread runs as a worker thread');
let open: SessionReader | null = null;

function reader(): SessionReader {
  if (open === null) throw roundtripError('engine.stopped', {});
  return open;
}

answerCalls<SessionCalls>(host, {
  open: ({ path }) => {
    const next = new SessionReader(path);
    open?.close();
    open = next;
    return null;
  },
  info: () => reader().info(),
  page: ({ after, limit }) => reader().page(after, limit),
  get: ({ id }) => reader().get(id),
  body: (input) => reader().readBody(input),
  close: () => {
    open?.close();
    open = null;
    // After the answer.
    setImmediate(() => host.close());
    return null;
  },
});
