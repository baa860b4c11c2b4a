import { describe, failure } from '../../failures/errors.ts';
import type { LocalResponse } from '../rules/actions/answer.ts';
import { NEVER_WRITTEN, type UpstreamHandlers, type UpstreamStream } from '../upstream/upstream-stream.ts';

/** A rule's answer in place of an upstream. The request's body is discarded, and nothing leaves this machine. */
export class LocalUpstream implements UpstreamStream {
  readonly written = NEVER_WRITTEN;
  readonly #response: LocalResponse;
  readonly #handlers: UpstreamHandlers;

  constructor(response: LocalResponse, handlers: UpstreamHandlers) {
    this.#response = response;
    this.#handlers = handlers;
  }

  send(): void {
    const { head, body } = this.#response;
    this.#handlers.response(head, performance.now());
    if (body === null) {
      this.#handlers.end([]);
      this.#handlers.flush();
      return;
    }
    let left = head.framing.kind === 'length' ? head.framing.length : 0;
    body.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (!this.#handlers.piece(bytes, [bytes])) body.pause();
      this.#handlers.flush();
    });
    body.on('end', () => {
      if (left > 0) {
        this.#failed(`a file became shorter while it was read: ${left} bytes are missing`);
        return;
      }
      this.#handlers.end([]);
      this.#handlers.flush();
    });
    body.on('error', (error) => this.#failed(describe(error)));
  }

  #failed(detail: string): void {
    const about = failure('engine.internal', { detail });
    this.#handlers.failed({ failure: about, retry: null, resetCode: 0, tcpReset: true });
  }

  piece(): boolean {
    return true;
  }

  end(): void {}

  whenOut(): void {}

  flush(): void {}

  resume(): void {
    this.#response.body?.resume();
  }

  /** The answer does not depend on the client's side staying open. */
  halfClose(): boolean {
    return true;
  }

  cancel(): void {
    this.#response.body?.destroy();
  }

  upgrade(): null {
    return null;
  }
}
