import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { onTestFinished } from 'vitest';
import { DIST } from './roundtrip-cli.ts';

/** A response of the server (JSON-RPC 2.0). */
export interface RawResponse {
  id: number | null;
  result?: { isError?: boolean; content?: { text: string }[] };
  error?: { code: number; message: string };
}

/**
 * `roundtrip mcp` with direct access to the bytes of its standard input, which client libraries lack. Ends with the
 * test.
 */
export class RawAgent {
  readonly child: ChildProcess;
  readonly responses = new Map<number | null, RawResponse>();
  readonly #waiting = new Map<number, (response: RawResponse) => void>();
  #stderr = '';

  constructor(dataFolder: string) {
    const args = [path.join(DIST, 'cli.cjs'), 'mcp', '--data-dir', dataFolder];
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void this.child.kill('SIGKILL'));
    const { stdin, stdout, stderr } = this.child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
    // It may close its input while we write.
    stdin.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    readline.createInterface({ input: stdout }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  #take(response: RawResponse): void {
    this.responses.set(response.id, response);
    if (response.id !== null) this.#waiting.get(response.id)?.(response);
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** The text of a request. */
  static request(id: number, method: string, params: object = {}): string {
    return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  }

  static call(id: number, name: string, args: object = {}): string {
    return RawAgent.request(id, 'tools/call', { name, arguments: args });
  }

  /** Resolves with the response to the request of this id. */
  response(id: number): Promise<RawResponse> {
    const known = this.responses.get(id);
    return known ? Promise.resolve(known) : new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async begin(): Promise<void> {
    const clientInfo = { name: 'raw', version: '1' };
    this.write(RawAgent.request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
    await this.response(0);
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }

  async finished(): Promise<{ exitCode: number | null; stderr: string }> {
    const { exitCode } = this.child;
    const [code] = exitCode === null ? await once(this.child, 'close') : [exitCode];
    return { exitCode: code, stderr: this.#stderr };
  }
}
