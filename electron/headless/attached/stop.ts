import { type Attached, attachToAll } from '../../attach/attach.ts';
import { roundtripError } from '../../failures/errors.ts';
import { Output } from '../output.ts';
import type { AttachedCommand } from './attached-options.ts';

function choose(all: readonly Attached[], { dataFolder, pid }: AttachedCommand): Attached {
  const chosen = all.filter(({ running }) => pid === null || running.pid === pid);
  const [one, another] = chosen;
  if (one === undefined && pid !== null) throw roundtripError('attach.not-that-one', { pid });
  if (one === undefined) throw roundtripError('attach.none-running', { folder: dataFolder });
  if (another === undefined) return one;
  throw roundtripError('attach.several', { pids: chosen.map(({ running }) => running.pid).join(', ') });
}

/**
 * Ends a running Roundtrip as Ctrl+C would, and waits until it closes its connections. Rejects with
 * `attach.none-running`, `attach.not-that-one` or `attach.several`.
 */
export async function stop(command: AttachedCommand): Promise<0> {
  const output = new Output(command.json);
  const all = await attachToAll(command.dataFolder, (failure) => output.failure(failure));
  try {
    const { api, running, closed } = choose(all, command);
    await api.request('app.stop', {});
    await closed;
    output.event({ event: 'stopped', pid: running.pid });
    output.say(`The Roundtrip with the process id ${running.pid} has ended.`);
    return 0;
  } finally {
    for (const one of all) one.close();
  }
}
