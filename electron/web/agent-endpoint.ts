import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Host } from '../commands/host.ts';
import { localApi } from '../commands/local-api.ts';
import { AgentFiles } from './agent-files.ts';
import type { Gate } from './gate.ts';
import { AGENTS_FOLDER, loadMcp } from './load-mcp.ts';
import { refuse } from './refuse.ts';

type McpOverHttp = ReturnType<ReturnType<typeof loadMcp>['mcpOverHttp']>;

/** `/mcp` of the web host: agents over streamable HTTP, with the UI's token. */
export class AgentEndpoint {
  readonly #host: Host;
  readonly #gate: Gate;
  #mcp: McpOverHttp | null = null;

  constructor(host: Host, gate: Gate) {
    this.#host = host;
    this.#gate = gate;
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#gate.isOurOrigin(request)) return refuse(response, 403, 'Unknown origin.');
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!this.#gate.knowsToken(given ?? null)) {
      response.setHeader('www-authenticate', 'Bearer');
      return refuse(response, 401, 'The token is missing or wrong: Authorization: Bearer TOKEN (roundtrip status).');
    }
    this.#mcp ??= this.#open();
    await this.#mcp.handle(request, response);
  }

  async close(): Promise<void> {
    // Removes agents' rules; an ended engine keeps none.
    await this.#mcp?.close().catch(() => undefined);
  }

  #open(): McpOverHttp {
    const { dataFolder, version } = this.#host.info;
    const folder = path.join(dataFolder, AGENTS_FOLDER);
    const api = localApi(this.#host, new AgentFiles(folder));
    return loadMcp().mcpOverHttp({ api, folder, download: null }, version);
  }
}
