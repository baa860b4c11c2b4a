import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { roundtripError } from '../failures/errors.ts';
import { AgentContext, type AgentContextOptions, MOST_CALLS } from './agent-context.ts';
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

/**
 * Refuses requests before their bodies are read. To read one and make its server takes milliseconds of the thread that
 * also answers the window: with 200 requests at once, the window waited for seconds.
 */
function refuser(): (response: ServerResponse) => void {
  const { code, message } = roundtripError('agents.too-many-calls', { limit: MOST_CALLS });
  const error = { code: -32_000, message: `${code}: ${message}` };
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  const headers = { 'content-type': 'application/json', 'retry-after': '1', 'content-length': Buffer.byteLength(body) };
  return (response) => void response.writeHead(429, headers).end(body);
}

/** Serves agents over streamable HTTP, each request independently. The caller has checked host, origin and token. */
export function mcpOverHttp(
  options: AgentContextOptions,
  version: string,
): { handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>; close: () => Promise<void> } {
  const context = new AgentContext(options);
  const handler = createMcpHandler(() => makeServer(context, version), { onerror: () => undefined });
  const handle = toNodeHandler(handler, { maxRequestBodySize: MESSAGE_LIMIT });
  const refuse = refuser();
  let underWay = 0;
  return {
    handle: async (request, response) => {
      if (underWay >= MOST_CALLS) return refuse(response);
      underWay += 1;
      response.once('close', () => {
        underWay -= 1;
      });
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
