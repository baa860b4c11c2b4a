import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { RequestHandlers } from '../../http/client-stream.ts';
import type { RequestHead } from '../../http/message.ts';
import type { MessagePassage } from '../../rules/messages/message-editor.ts';
import { requestReader, type StreamEdits } from './stream-edits.ts';

/** The source of a request's body. */
export interface RequestSource {
  receive(handlers: RequestHandlers): void;
  resumeBody(): void;
}

/** Changes the messages of a request's body over HTTP/2. Sits between its source and the exchange. */
export class EditedRequest implements RequestHandlers, RequestSource {
  readonly #source: RequestSource;
  readonly #editor: MessagePassage | null;
  #handlers: RequestHandlers | null = null;
  #hasRoom = true;
  #isOpen = true;

  constructor(source: RequestSource, head: RequestHead, edits: StreamEdits) {
    this.#source = source;
    this.#editor = edits.editor('to-server', requestReader(head), {
      out: (bytes) => {
        this.#isOpen = this.#handlers?.requestPiece(null, [bytes]) ?? true;
        this.#handlers?.requestFlush();
      },
      roomy: () => {
        this.#hasRoom = true;
        this.#resume();
      },
    });
  }

  receive(handlers: RequestHandlers): void {
    this.#handlers = handlers;
    this.#source.receive(this);
  }

  resumeBody(): void {
    this.#isOpen = true;
    this.#resume();
  }

  #resume(): void {
    if (this.#hasRoom && this.#isOpen) this.#source.resumeBody();
  }

  requestPiece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const editor = this.#editor;
    if (editor === null) return this.#handlers?.requestPiece(wire, payload) ?? true;
    for (const piece of payload) this.#hasRoom = editor.push(piece);
    return this.#hasRoom && this.#isOpen;
  }

  requestEnd(trailers: RawHeaders): void {
    const end = () => {
      this.#handlers?.requestEnd(trailers);
      this.#handlers?.requestFlush();
    };
    if (this.#editor) this.#editor.end(end);
    else end();
  }

  requestFlush(): void {
    this.#handlers?.requestFlush();
  }

  clientAborted(failure: Failure, resetCode: number): void {
    this.#handlers?.clientAborted(failure, resetCode);
  }

  clientHalfClosed(): void {
    this.#handlers?.clientHalfClosed();
  }

  clientDrained(): void {
    this.#handlers?.clientDrained();
  }
}
