import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { AgentContext, type AgentContextOptions } from './agent-context.ts';
import { makeServer } from './make-server.ts';

/** Serves one agent over standard input and output, until it closes them. */
export async function serveMcpOnStdio(options: AgentContextOptions, version: string): Promise<void> {
  const context = new AgentContext(options);
  const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  const handle = serveStdio(() => makeServer(context, version), { transport: new StdioServerTransport() });
  await ended;
  await context.close();
  await handle.close();
}

/** Serves agents over streamable HTTP, each request by itself. The caller has checked host, origin and token. */
export function mcpOverHttp(
  options: AgentContextOptions,
  version: string,
): { handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>; close: () => Promise<void> } {
  const context = new AgentContext(options);
  const handler = createMcpHandler(() => makeServer(context, version), { onerror: () => undefined });
  const handle = toNodeHandler(handler);
  return {
    handle: async (request, response) => {
      // A request that reached a server has both.
      const { method = '', url = '' } = request;
      await handle(Object.assign(request, { method, url }), response);
    },
    close: async () => {
      await context.close();
      await handler.close();
    },
  };
}
