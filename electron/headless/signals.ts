import fs from 'node:fs';
import { ENDING_SIGNALS } from '../files/ending-signals.ts';

/**
 * The same signal again within this time counts as the first one sent twice: Ctrl+C reaches us from the terminal and
 * from the launcher, which can't tell whether the terminal sent it to us as well. Milliseconds.
 */
const SAME_SIGNAL = 500;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP; calls `again` for each later one. If stdin or the terminal is gone,
 * nobody can send a third: `again` must not wait for anything.
 */
export function untilSignal(again: (signal: NodeJS.Signals) => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: { signal: NodeJS.Signals; at: number } | null = null;
    const received = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (first === null) first = { signal, at: now };
      else if (signal !== first.signal || now - first.at > SAME_SIGNAL) again(signal);
      resolve(first.signal);
    };
    for (const signal of ENDING_SIGNALS) process.on(signal, received);
  });
}

/**
 * Ends this process by a signal, as if it had no handler. `process.exit` would wait for the threads, and one of them
 * may be waiting for a disk that does not respond.
 */
export function dieBy(signal: NodeJS.Signals, lastLine: string): void {
  try {
    fs.writeSync(2, `${lastLine}\n`);
  } catch {
    // stderr is closed.
  }
  for (const one of ENDING_SIGNALS) process.removeAllListeners(one);
  process.kill(process.pid, signal);
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, for work that then cleans up; a second one ends this process. */
export function cancelledBySignal(what: string): AbortSignal {
  const cancelling = new AbortController();
  const first = untilSignal((signal) => dieBy(signal, 'roundtrip: ended by the second signal.'));
  void first.then(() => cancelling.abort(new Error(`${what} was cancelled`)));
  return cancelling.signal;
}
