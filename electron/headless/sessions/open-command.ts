import path from 'node:path';
import { attach } from '../../attach/attach.ts';
import { Output } from '../output.ts';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { serve } from '../serve.ts';

/**
 * Opens a session file, or one to import, in the Roundtrip that runs with this data folder; starts one otherwise, as
 * `serve` does. Returns the exit code. Rejects with the failure of opening.
 */
export async function openSession(source: string, options: ProxyOptions): Promise<number> {
  const file = path.resolve(source);
  const attached = await attach(options.dataFolder, null);
  if (attached === null) return await serve(options, file);
  const output = new Output(options.json);
  try {
    const { session, faults } = await attached.api.request('sessions.import', { path: file });
    for (const fault of faults) output.fault(`${source}: ${fault}`);
    output.event({ event: 'opened', session: session.path, exchanges: session.exchanges, pid: attached.running.pid });
    output.say(`${session.path} is open in the Roundtrip with the process id ${attached.running.pid}.`);
    return 0;
  } finally {
    attached.close();
  }
}
