import type { EditableMessage, StreamPart, StreamReader } from './stream-part.ts';

/** Bytes that may wait before the source is asked to pause. */
const ROOM = 256 * 1024;

/** What happens to the messages of one direction. */
export interface MessageEdits {
  /** The new payload in its codings; null: unchanged; `drop`: the message is not sent. Never rejects. */
  edit(message: EditableMessage): Promise<Buffer | null | 'drop'>;
  /** A message passed unchanged, for this reason. */
  problem(problem: string): void;
}

export interface EditorOutput {
  out(bytes: Buffer): void;
  /** There is room again after `push` returned false. */
  roomy(): void;
}

/** One direction of a stream. */
export interface MessagePassage {
  /** Returns false to pause the source until `roomy`. */
  push(chunk: Buffer): boolean;
  /** The stream has ended; `done` follows its last byte. */
  end(done: () => void): void;
}

/** Changes the messages of one direction of a stream as they pass. Their order stays, even while one is held. */
export class MessageEditor implements MessagePassage {
  readonly #reader: StreamReader;
  readonly #edits: MessageEdits;
  readonly #output: EditorOutput;
  readonly #queue: StreamPart[] = [];
  #waiting = 0;
  #isWorking = false;
  #done: (() => void) | null = null;

  constructor(reader: StreamReader, edits: MessageEdits, output: EditorOutput) {
    this.#reader = reader;
    this.#edits = edits;
    this.#output = output;
  }

  push(chunk: Buffer): boolean {
    for (const part of this.#reader.read(chunk)) this.#add(part);
    void this.#work();
    return this.#waiting < ROOM;
  }

  end(done: () => void): void {
    this.#add({ raw: this.#reader.rest(), message: null });
    this.#done = done;
    void this.#work();
  }

  #add(part: StreamPart): void {
    this.#queue.push(part);
    this.#waiting += part.raw.length;
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let part = this.#queue.shift(); part; part = this.#queue.shift()) {
      if (part.problem !== undefined) this.#edits.problem(part.problem);
      const payload = part.message && (await this.#edits.edit(part.message));
      const isFull = this.#waiting >= ROOM;
      this.#waiting -= part.raw.length;
      if (payload !== 'drop') {
        const bytes = payload && part.message ? part.message.encode(payload) : part.raw;
        if (bytes.length > 0) this.#output.out(bytes);
      }
      if (isFull && this.#waiting < ROOM) this.#output.roomy();
    }
    this.#isWorking = false;
    this.#done?.();
    this.#done = null;
  }
}
