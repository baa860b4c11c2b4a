import { counted } from '../../../shared/format/counts.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { ReverseStatus } from '../../../shared/model/proxy/reverse.ts';
import { type Attached, attachToAll } from '../../attach/attach.ts';
import { roundtripError } from '../../failures/errors.ts';
import { Output } from '../output.ts';
import type { AttachedCommand } from './attached-options.ts';

/** `9000=https://api.example.com, at http://127.0.0.1:9000`: port 0 becomes a real one only there. */
function reverseLine({ listen, origin, url, failure }: ReverseStatus): string {
  return `${listen}=${origin}${failure ? `: ${failure.message}` : `, at ${url}`}`;
}

async function describeOne({ api, running }: Attached, output: Output): Promise<void> {
  const { pid, startedAt, url, token, version: apiVersion } = running;
  const [{ version, host }, engine, { sessions }] = await Promise.all([
    api.request('app.info', {}),
    api.request('engine.status', {}),
    api.request('sessions.list', {}),
  ]);
  const ui = `${url}/#token=${token}`;
  const since = new Date(startedAt).toISOString();
  const recorded = sessions[0] ?? null;
  output.event({
    ...{ event: 'running', pid, version, api: apiVersion, host, since, state: engine.state, proxy: engine.proxyUrl },
    ...{ reverse: engine.reverse, ui, session: recorded, connections: engine.clientConnections },
    ...{ memory: engine.memory, lost: engine.lost },
  });
  output.say(`Roundtrip ${version} (${host}), process ${pid}, ${engine.state} since ${since}`);
  output.say(`  Proxy    ${engine.proxyUrl || '-'}`);
  for (const listener of engine.reverse) output.say(`  Reverse  ${reverseLine(listener)}`);
  output.say(`  UI       ${ui}`);
  if (recorded)
    output.say(
      `  Session  ${recorded.path}: ${counted(recorded.exchanges, 'exchange')}, ${formatBytes(recorded.bytes)}`,
    );
  if (engine.failure) output.say(`  ${engine.failure.message}`);
}

/** Prints what runs with this data folder. Rejects with `attach.none-running` or `attach.not-that-one`. */
export async function status({ dataFolder, pid, json }: AttachedCommand): Promise<0> {
  const output = new Output(json);
  const all = await attachToAll(dataFolder, (failure) => output.failure(failure));
  try {
    const chosen = all.filter(({ running }) => pid === null || running.pid === pid);
    if (chosen.length === 0 && pid !== null) throw roundtripError('attach.not-that-one', { pid });
    if (chosen.length === 0) throw roundtripError('attach.none-running', { folder: dataFolder });
    for (const one of chosen) await describeOne(one, output);
    return 0;
  } finally {
    for (const one of all) one.close();
  }
}
