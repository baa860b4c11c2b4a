import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { RequestHandlers } from '../../http/client-stream.ts';
import type { RequestHead } from '../../http/message.ts';
import type { MessagePassage } from '../../rules/messages/message-editor.ts';
import { requestReader, type StreamEdits } from './stream-edits.ts';

/** The source of a request's body. */
export interface RequestSource {
  receive(taker: RequestHandlers): void;
  resumeBody(): void;
}

/** Changes the messages of a request's body over HTTP/2. Sits between its source and the exchange. */
export class EditedRequest implements RequestHandlers, RequestSource {
  readonly #source: RequestSource;
  readonly #editor: MessagePassage | null;
  #taker: RequestHandlers | null = null;
  #hasRoom = true;
  #isOpen = true;

  constructor(source: RequestSource, head: RequestHead, edits: StreamEdits) {
    this.#source = source;
    this.#editor = edits.editor('to-server', requestReader(head), {
      out: (bytes) => {
        this.#isOpen = this.#taker?.requestPiece(null, [bytes]) ?? true;
        this.#taker?.requestFlush();
      },
      roomy: () => {
        this.#hasRoom = true;
        this.#resume();
      },
    });
  }

  receive(taker: RequestHandlers): void {
    this.#taker = taker;
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
    if (editor === null) return this.#taker?.requestPiece(wire, payload) ?? true;
    for (const piece of payload) this.#hasRoom = editor.push(piece);
    return this.#hasRoom && this.#isOpen;
  }

  requestEnd(trailers: RawHeaders): void {
    const end = () => {
      this.#taker?.requestEnd(trailers);
      this.#taker?.requestFlush();
    };
    if (this.#editor) this.#editor.end(end);
    else end();
  }

  requestFlush(): void {
    this.#taker?.requestFlush();
  }

  clientAborted(failure: Failure, resetCode: number): void {
    this.#taker?.clientAborted(failure, resetCode);
  }

  clientHalfClosed(): void {
    this.#taker?.clientHalfClosed();
  }

  clientDrained(): void {
    this.#taker?.clientDrained();
  }
}
