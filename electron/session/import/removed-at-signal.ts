import { rmSync } from 'node:fs';
import { ENDING_SIGNALS } from '../../files/ending-signals.ts';

/**
 * Removes the folder if a signal ends this process: it holds a recording, with its secrets. For work without its own
 * handlers, which would leave it behind. Returns a function that stops that.
 */
export function removedAtSignal(folder: string): () => void {
  const stop = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    stop();
    rmSync(folder, { recursive: true, force: true });
    // The last folder's handler ends the process as if there had been none.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  return stop;
}
