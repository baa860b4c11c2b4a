import { describe, failure } from '../../failures/errors.ts';
import type { LocalResponse } from '../rules/actions/answer.ts';
import type { UpstreamHandlers, UpstreamStream, Written } from '../upstream/upstream-stream.ts';

const NEVER_WRITTEN: Written = { firstAt: -1, lastAt: -1 };

/** A rule's answer in the place of an upstream. The request's body is discarded, and nothing leaves this machine. */
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
    body.on('data', (bytes: Buffer) => {
      if (!this.#handlers.piece(bytes, [bytes])) body.pause();
      this.#handlers.flush();
    });
    body.on('end', () => {
      this.#handlers.end([]);
      this.#handlers.flush();
    });
    body.on('error', (error) => {
      const about = failure('engine.internal', { detail: describe(error) });
      this.#handlers.failed({ failure: about, retry: null, resetCode: 0, tcpReset: true });
    });
  }

  piece(): boolean {
    return true;
  }

  end(): void {}

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
