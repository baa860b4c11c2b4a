import type { Transform } from 'node:stream';
import type { StreamCoding } from '../codings.ts';
import { type EditorOutput, MessageEditor, type MessageEdits, type MessagePassage } from './message-editor.ts';
import type { StreamReader } from './stream-part.ts';

const UNDECODABLE = 'the rest of the stream is unchanged: it cannot be decoded';

/**
 * Changes the messages of a stream that has a content coding: what arrives is decoded, edited, and encoded again. The
 * encoder flushes after each message, because the next one may be hours away.
 */
export class CodedMessages implements MessagePassage {
  readonly #coding: StreamCoding;
  readonly #edits: MessageEdits;
  readonly #output: EditorOutput;
  readonly #editor: MessageEditor;
  readonly #encoder: Transform;
  /** Null until the first bytes, which show the coding. */
  #decoder: Transform | null = null;
  /** What the decoder has not read yet. */
  readonly #undecoded: Buffer[] = [];
  #isEditorFull = false;
  /** The decoder failed: what follows passes unchanged. */
  #isBroken = false;
  #done: (() => void) | null = null;

  constructor(reader: StreamReader, coding: StreamCoding, edits: MessageEdits, output: EditorOutput) {
    this.#coding = coding;
    this.#edits = edits;
    this.#output = output;
    this.#encoder = coding.encoder();
    this.#encoder.on('data', (bytes: Buffer) => output.out(bytes));
    this.#encoder.on('drain', () => this.#flow());
    this.#editor = new MessageEditor(reader, edits, {
      out: (bytes) => void this.#encoder.write(bytes),
      roomy: () => {
        this.#isEditorFull = false;
        this.#flow();
      },
    });
  }

  push(chunk: Buffer): boolean {
    if (this.#isBroken) {
      this.#undecoded.push(chunk);
      return this.#passUndecoded();
    }
    this.#decoder ??= this.#decoding(chunk);
    this.#undecoded.push(chunk);
    return this.#decoder.write(chunk, (error) => {
      if (!error) this.#undecoded.shift();
    });
  }

  end(done: () => void): void {
    if (this.#decoder === null || this.#isBroken) {
      done();
      return;
    }
    this.#done = done;
    this.#decoder.end();
  }

  #decoding(first: Buffer): Transform {
    const decoder = this.#coding.decoder(first);
    decoder.on('data', (bytes: Buffer) => {
      this.#isEditorFull = !this.#editor.push(bytes);
      if (this.#isEditorFull || this.#encoder.writableNeedDrain) decoder.pause();
    });
    decoder.on('drain', () => this.#output.roomy());
    decoder.once('end', () => this.#editor.end(() => this.#encoder.end()));
    this.#encoder.once('end', () => this.#done?.());
    // A stream that is cut off lacks the end of its coding, and passes without it.
    decoder.once('error', () => this.#editor.end(() => this.#encoder.write('', () => this.#broken())));
    return decoder;
  }

  #broken(): void {
    this.#isBroken = true;
    if (this.#undecoded.length > 0) this.#edits.problem(UNDECODABLE);
    this.#passUndecoded();
    this.#done?.();
    this.#output.roomy();
  }

  #passUndecoded(): true {
    for (const chunk of this.#undecoded.splice(0)) this.#output.out(chunk);
    return true;
  }

  #flow(): void {
    if (!this.#isEditorFull && !this.#encoder.writableNeedDrain) this.#decoder?.resume();
  }
}
