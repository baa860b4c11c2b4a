/**
 * A second signal within this time is the first one, sent twice: Ctrl+C reaches us from the terminal and from the
 * launcher, which can't tell whether the terminal did. Milliseconds.
 */
const SAME_SIGNAL = 500;

/** Resolves at the first SIGINT or SIGTERM; `again` is called for each one after that. */
export function untilSignal(again: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first = 0;
    const received = (signal: NodeJS.Signals) => {
      if (first === 0) first = performance.now();
      else if (performance.now() - first > SAME_SIGNAL) again();
      resolve(signal);
    };
    process.on('SIGINT', received);
    process.on('SIGTERM', received);
  });
}
