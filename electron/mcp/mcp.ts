import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { roundtripError } from '../failures/errors.ts';
import { AgentContext, type AgentContextOptions } from './agent-context.ts';
import { AgentTransport } from './agent-transport.ts';
import { makeServer } from './make-server.ts';

/** Bytes of one message. The largest sensible one holds a rule with a response body. */
const MESSAGE_LIMIT = 1024 * 1024;

/**
 * Serves one agent over standard input and output, until it closes them. Rejects with `agents.message-too-large`:
 * where the next message begins is then unknown.
 */
export async function serveMcpOnStdio(options: AgentContextOptions, version: string): Promise<void> {
  const context = new AgentContext(options);
  const transport = new AgentTransport({ input: process.stdin, output: process.stdout, limit: MESSAGE_LIMIT });
  const handle = serveStdio(() => makeServer(context, version), { transport });
  const byAgent = await transport.ended;
  context.close();
  await handle.close();
  if (!byAgent) throw roundtripError('agents.message-too-large', { limit: MESSAGE_LIMIT });
}

/** Serves agents over streamable HTTP, each request independently. The caller has checked host, origin and token. */
export function mcpOverHttp(
  options: AgentContextOptions,
  version: string,
): { handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>; close: () => Promise<void> } {
  const context = new AgentContext(options);
  const handler = createMcpHandler(() => makeServer(context, version), { onerror: () => undefined });
  const handle = toNodeHandler(handler, { maxRequestBodySize: MESSAGE_LIMIT });
  return {
    handle: async (request, response) => {
      // A request that reached a server has both.
      const { method = '', url = '' } = request;
      await handle(Object.assign(request, { method, url }), response);
    },
    close: async () => {
      context.close();
      await handler.close();
    },
  };
}
