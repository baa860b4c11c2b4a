import type { Duplex } from 'node:stream';
import type { EditorOutput, MessagePassage } from '../../rules/messages/message-editor.ts';

/** One of two connections to join. `ahead`: the bytes already read from it. */
export interface SplicedSide {
  socket: Duplex;
  ahead: Buffer;
}

/** What happens to the bytes of one direction: the handlers of `splice` without their side. */
export interface PumpHandlers {
  bytes(chunk: Buffer): boolean;
  waits: ((bytes: number) => number) | null;
  editor: ((output: EditorOutput) => MessagePassage | null) | null;
}

/** Pumps one direction of a splice. It pauses for whatever lags behind: the sink, the recorder, the link or an edit. */
export class Pump {
  readonly #source: Duplex;
  readonly #sink: Duplex;
  readonly #handlers: PumpHandlers;
  readonly #editor: MessagePassage | null;
  /** The recorder has no room. */
  #held = false;
  /** A chunk crosses the throttled link. */
  #waiting = false;
  /** The sink has no room. */
  #full = false;
  /** A rule holds a message. */
  #editing = false;

  constructor({ socket, ahead }: SplicedSide, sink: Duplex, handlers: PumpHandlers) {
    this.#source = socket;
    this.#sink = sink;
    this.#handlers = handlers;
    this.#editor = this.#edited();
    sink.on('drain', () => {
      this.#full = false;
      this.#flow();
    });
    this.#begin(ahead);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.#end());
    this.#flow();
  }

  /** The recorder accepts more. */
  resume(): void {
    this.#held = false;
    this.#flow();
  }

  #edited(): MessagePassage | null {
    const output: EditorOutput = {
      // A message may have been held until after the connection ended.
      out: (chunk) => void (this.#sink.destroyed || this.#take(chunk)),
      roomy: () => {
        this.#editing = false;
        this.#flow();
      },
    };
    return this.#handlers.editor?.(output) ?? null;
  }

  #begin(ahead: Buffer): void {
    // A stream accepts no `unshift` after it has emitted 'end'.
    if (this.#source.readableEnded) {
      queueMicrotask(() => {
        if (ahead.length > 0) {
          if (this.#editor) this.#read(ahead);
          else this.#pass(ahead);
        }
        this.#end();
      });
    } else if (ahead.length > 0) this.#source.unshift(ahead);
  }

  #flow(): void {
    if (!this.#held && !this.#full && !this.#waiting && !this.#editing) this.#source.resume();
  }

  #read(chunk: Buffer): void {
    if (!this.#editor) {
      this.#take(chunk);
      return;
    }
    this.#editing = !this.#editor.push(chunk);
    if (this.#editing) this.#source.pause();
  }

  #take(chunk: Buffer): void {
    const wait = this.#handlers.waits?.(chunk.length) ?? 0;
    if (wait <= 0) {
      this.#pass(chunk);
      return;
    }
    this.#waiting = true;
    this.#source.pause();
    setTimeout(() => {
      this.#waiting = false;
      if (!this.#sink.destroyed) this.#pass(chunk);
      this.#flow();
    }, wait);
  }

  #pass(chunk: Buffer): void {
    this.#held = !this.#handlers.bytes(chunk);
    this.#full = !this.#sink.write(chunk);
    if (this.#held || this.#full) this.#source.pause();
  }

  // Keeps half-closed connections half-closed: the other side may still send.
  #end(): void {
    if (this.#editor) this.#editor.end(() => this.#sink.end());
    else this.#sink.end();
  }
}
