import type { Socket } from 'node:net';

/** Reads a short binary conversation from a socket, piece by piece. The socket is paused between two pieces. */
export class SocketReader {
  readonly #socket: Socket;
  #bytes: Buffer;
  #taken = 0;

  constructor(socket: Socket, ahead: Buffer) {
    this.#socket = socket;
    this.#bytes = ahead;
  }

  /** Bytes taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Rejects if the client ends before `count` bytes have arrived. */
  async take(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) await this.#more();
    const piece = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    this.#taken += count;
    return piece;
  }

  /** A zero-terminated string, without the zero byte. Rejects if it is longer than `limit` bytes. */
  async takeText(limit: number): Promise<string> {
    let end = this.#bytes.indexOf(0);
    while (end < 0) {
      if (this.#bytes.length > limit) throw new Error('an unterminated string');
      await this.#more();
      end = this.#bytes.indexOf(0);
    }
    const text = await this.take(end);
    await this.take(1);
    return text.toString('latin1');
  }

  /** What has arrived after the last piece read. */
  rest(): Buffer {
    const rest = this.#bytes;
    this.#bytes = Buffer.alloc(0);
    return rest;
  }

  #more(): Promise<void> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        socket.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
        settle();
      };
      const onEnd = (): void => finish(() => reject(new Error('the client closed the connection before its end')));
      const onData = (chunk: Buffer): void => {
        this.#bytes = Buffer.concat([this.#bytes, chunk]);
        finish(resolve);
      };
      socket.on('data', onData).on('end', onEnd).on('close', onEnd);
      if (socket.destroyed || socket.readableEnded) onEnd();
      else socket.resume();
    });
  }
}
