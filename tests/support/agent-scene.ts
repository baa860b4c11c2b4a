import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { listen } from './listen.ts';
import { requestThrough } from './request-through.ts';
import { DIST, type ReadyEvent } from './roundtrip-cli.ts';

/** JSON with a secret, an id in the path, a failure, and a text that repeats a secret of its request. */
function respond(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.resume();
  if (request.url === '/mirror') {
    response.setHeader('x-seen', `it was ${request.headers.authorization}`);
    return void response.end(`You sent ${request.headers.authorization}.`);
  }
  const isBroken = request.url?.startsWith('/broken') === true;
  response.writeHead(isBroken ? 500 : 200, {
    'content-type': 'application/json',
    'set-cookie': 'session=hunter2; Path=/',
  });
  response.end(JSON.stringify({ items: [{ id: 1 }, { id: 2 }], password: 'hunter2', 'odd name': true }));
}

/** The result of a call. */
export interface ToolResult {
  isError: boolean;
  texts: string[];
  /** The last text as JSON, or the text itself. */
  value: unknown;
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: args });
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  const last = texts.at(-1) ?? '';
  return { isError: result.isError === true, texts, value: result.isError ? last : JSON.parse(last) };
}

/** A Roundtrip with its own data folder, and an origin to talk to. For a whole test file: `close` ends it. */
export class AgentScene {
  readonly folder: string;
  readonly ready: ReadyEvent;
  readonly #child: ChildProcess;
  readonly #origin: http.Server;
  readonly #clients: Client[] = [];

  static async open(options: readonly string[] = []): Promise<AgentScene> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-agents-'));
    const origin = http.createServer(respond);
    await listen(origin);
    const args = [path.join(DIST, 'cli.cjs'), 'serve', '--port', '0', '--json', '--data-dir', folder, ...options];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('no output');
    const [line] = await once(readline.createInterface({ input: child.stdout }), 'line');
    return new AgentScene(folder, JSON.parse(line), child, origin);
  }

  private constructor(folder: string, ready: ReadyEvent, child: ChildProcess, origin: http.Server) {
    this.folder = folder;
    this.ready = ready;
    this.#child = child;
    this.#origin = origin;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#origin.address() as AddressInfo).port}`;
  }

  /** A request through the proxy; resolves with the status and the body. */
  async request(
    pathname: string,
    headers: http.OutgoingHttpHeaders = {},
    host = '127.0.0.1',
  ): Promise<{ status: number; body: string }> {
    const target = `${this.origin.replace('127.0.0.1', host)}${pathname}`;
    return await requestThrough(this.ready.proxy, target, { headers });
  }

  /** An agent on `roundtrip mcp`. */
  async agent(...args: string[]): Promise<Client> {
    const cli = [path.join(DIST, 'cli.cjs'), 'mcp', '--data-dir', this.folder, ...args];
    return await this.#connect(new StdioClientTransport({ command: process.execPath, args: cli }));
  }

  /** An agent on `/mcp` of the web host. */
  async httpAgent(token = new URL(this.ready.ui).hash.replace('#token=', '')): Promise<Client> {
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL('/mcp', this.ready.ui);
    return await this.#connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  }

  async #connect(transport: Parameters<Client['connect']>[0]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    this.#origin.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
