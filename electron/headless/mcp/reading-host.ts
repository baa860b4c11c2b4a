import path from 'node:path';
import { Host } from '../../commands/host.ts';
import { caFolderOf } from '../ca/ca-folder.ts';
import { VERSION } from '../version.ts';

/**
 * A host that only reads one session: its proxy never starts, and it allows no changes. Rejects as `Host.open` does.
 */
export async function openReadingHost(sessionPath: string, dataFolder: string): Promise<Host> {
  return await Host.open({
    kind: 'headless',
    version: VERSION,
    threadFolder: __dirname,
    dataFolder,
    caFolder: caFolderOf(dataFolder),
    guard: null,
    overrides: { agentsMayWrite: false },
    rulesFile: null,
    listen: { host: '127.0.0.1', port: 0 },
    sessionPath,
    refusedAuthorities: [],
    // Each connection brings its own.
    files: { choose: async () => null },
    chooseProgram: null,
    reveal: null,
    onBattery: () => false,
    watchdog: [process.execPath, path.join(__dirname, 'proxy-watchdog.cjs')],
    onStop: () => process.emit('SIGTERM', 'SIGTERM'),
    // Standard output belongs to the agent; a failure reaches it as the result of its call.
    onPruned: () => undefined,
    onFailure: () => undefined,
  });
}
