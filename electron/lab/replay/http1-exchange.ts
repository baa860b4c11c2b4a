import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ReplayExchange, type ReplayResponse, writeBody } from './replay-exchange.ts';

export class Http1Exchange implements ReplayExchange {
  readonly method: string;
  readonly path: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #keepAlive: boolean;

  /** `keepAlive`: whether the connection takes another request. */
  constructor(request: IncomingMessage, response: ServerResponse, keepAlive: boolean) {
    this.method = request.method ?? 'GET';
    this.path = request.url ?? '/';
    this.#request = request;
    this.#response = response;
    this.#keepAlive = keepAlive;
    // The body is ignored, but must be read: the browser sends the next request after it.
    request.resume();
    // The browser may disconnect at any time.
    response.on('error', () => undefined);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  onClose(listener: (whole: boolean) => void): void {
    const response = this.#response;
    response.once('close', () => listener(response.writableFinished));
  }

  async respond({ head, body, split }: ReplayResponse): Promise<void> {
    const response = this.#response;
    const fields = this.#keepAlive ? head.flat : [...head.flat, 'connection', 'close'];
    if (head.statusText === '') response.writeHead(head.status, fields);
    else response.writeHead(head.status, head.statusText, fields);
    if (body === null) {
      response.end();
      return;
    }
    if (split) {
      response.flushHeaders();
      await nextTurn();
    }
    await writeBody(response, body);
  }

  destroy(): void {
    this.#response.destroy();
  }
}
