import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ReattachingApi } from '../../attach/reattaching-api.ts';
import { localApi } from '../../commands/local-api.ts';
import { roundtripError } from '../../failures/errors.ts';
import { openSource } from '../../session/import/open-source.ts';
import { AgentFiles } from '../../web/agent-files.ts';
import { AGENTS_FOLDER, loadMcp } from '../../web/load-mcp.ts';
import { VERSION } from '../version.ts';
import type { McpCommand } from './mcp-options.ts';
import { openReadingHost } from './reading-host.ts';

/** Fetches a file that the running Roundtrip prepared, into a private file of ours. */
async function download(running: ReattachingApi, url: string, to: string): Promise<void> {
  const address = running.address();
  if (address === null) throw roundtripError('attach.lost', {});
  const { body } = await fetch(`${address.url}${url}`);
  if (body === null) throw roundtripError('attach.lost', {});
  await pipeline(body, fs.createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}

async function serveRunning({ dataFolder, pid }: McpCommand): Promise<void> {
  const running = new ReattachingApi(dataFolder, pid);
  try {
    // Attaches before the first call: reading an agent's flood of calls keeps this process from reading a response.
    await running.request('app.info', {}).catch(() => null);
    const options = {
      api: running,
      folder: path.join(dataFolder, AGENTS_FOLDER),
      download: (url: string, to: string) => download(running, url, to),
    };
    await loadMcp().serveMcpOnStdio(options, VERSION);
  } finally {
    running.close();
  }
}

async function serveSource(source: string, dataFolder: string): Promise<void> {
  const opened = await openSource(source);
  try {
    const host = await openReadingHost(opened.path, dataFolder);
    try {
      const folder = path.join(dataFolder, AGENTS_FOLDER);
      const api = localApi(host, new AgentFiles(folder));
      await loadMcp().serveMcpOnStdio({ api, folder, download: null }, VERSION);
    } finally {
      await host.close(0);
    }
  } finally {
    await opened.close();
  }
}

/**
 * Serves an agent over standard input and output until it closes them: tools on the Roundtrip that runs, or on a file.
 * Rejects as `openSource` does.
 */
export async function mcp(command: McpCommand): Promise<0> {
  if (command.source === null) await serveRunning(command);
  else await serveSource(command.source, command.dataFolder);
  return 0;
}
