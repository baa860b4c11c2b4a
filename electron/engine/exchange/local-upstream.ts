import type { Failure } from '../../../shared/model/failure.ts';
import { describe } from '../../failures/errors.ts';
import type { LocalResponse } from '../rules/actions/answer.ts';
import { NEVER_WRITTEN, type UpstreamHandlers, type UpstreamStream } from '../upstream/upstream-stream.ts';

/** A rule's response in place of an upstream. The request's body is discarded, and nothing leaves this machine. */
export class LocalUpstream implements UpstreamStream {
  readonly written = NEVER_WRITTEN;
  readonly #response: LocalResponse;
  readonly #about: (detail: string) => Failure;
  readonly #handlers: UpstreamHandlers;

  /** `about`: the failure of a body that breaks off, for example because its file became shorter. */
  constructor(response: LocalResponse, about: (detail: string) => Failure, handlers: UpstreamHandlers) {
    this.#response = response;
    this.#about = about;
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
        this.#failed(`it became shorter while it was read, by ${left} bytes`);
        return;
      }
      this.#handlers.end([]);
      this.#handlers.flush();
    });
    body.on('error', (error) => this.#failed(describe(error)));
  }

  #failed(detail: string): void {
    this.#handlers.failed({ failure: this.#about(detail), retry: null, resetCode: 0, tcpReset: true });
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

  /** The response does not depend on the client's side staying open. */
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
