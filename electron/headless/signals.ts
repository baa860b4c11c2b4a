import fs from 'node:fs';

/** SIGHUP: the terminal was closed, or the connection to it. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The same signal again within this time is the first one, sent twice: Ctrl+C reaches us from the terminal and from the
 * launcher, which can't tell whether the terminal did. Milliseconds.
 */
const SAME_SIGNAL = 500;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP; `again` is called for each one after that. With stdin or the terminal
 * gone, nobody can send a third: `again` must not wait for anything.
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
    for (const signal of ENDING) process.on(signal, received);
  });
}

/**
 * Ends this process by a signal, as if nobody had handled it. `process.exit` would wait for the threads, and one of them
 * may be waiting for a disk that does not answer.
 */
export function dieBy(signal: NodeJS.Signals, lastLine: string): void {
  try {
    fs.writeSync(2, `${lastLine}\n`);
  } catch {
    // Nobody reads it any more.
  }
  for (const one of ENDING) process.removeAllListeners(one);
  process.kill(process.pid, signal);
}
