import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Acknowledgements } from './acknowledgements.ts';
import { DueQueue } from './due-queue.ts';
import type { Link } from './link.ts';
import { SendWindow } from './send-window.ts';

/** Bytes that a sender can hand over before it waits, as to a socket. */
const SEND_BUFFER = 256 * 1024;

/**
 * A browser's connection as the server would see it across a network. The emulation needs no privileges: it delays
 * bytes between the loopback socket and the server. The browser's TCP handshake takes no time on loopback; the first
 * bytes arrive a round trip later instead. Timers make each delay precise to about a millisecond.
 */
export class LinkStream extends Duplex {
  readonly #socket: Socket;
  readonly #link: Link;
  readonly #window: SendWindow;
  readonly #arrivals = new DueQueue();
  readonly #departures = new DueQueue();
  readonly #acknowledgements: Acknowledgements;
  readonly #connectedAt: number;
  #waiting: Buffer[] = [];
  #size = 0;
  #resume: (() => void) | null = null;
  #end: (() => void) | null = null;

  constructor(socket: Socket, link: Link) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.#link = link;
    this.#window = new SendWindow(link.conditions.nagle);
    this.#acknowledgements = new Acknowledgements((bytes) => {
      this.#window.acknowledged(bytes);
      this.#send();
    });
    this.#connectedAt = performance.now() + link.conditions.rtt;
    socket.on('data', (bytes) => this.#arrived(bytes));
    socket.on('end', () => this.#arrived(null));
    // The emulated server sees a reset as the end of its connection.
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  #arrived(bytes: Buffer | null): void {
    const from = Math.max(performance.now(), this.#connectedAt);
    const at = this.#link.carry(bytes?.length ?? 0, 'up', from);
    this.#arrivals.add(at, () => {
      this.#acknowledgements.release();
      if (!this.push(bytes) && bytes !== null) this.#socket.pause();
    });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    if (this.#size < SEND_BUFFER) done();
    else this.#resume = done;
    this.#send();
  }

  override _final(done: () => void): void {
    this.#end = done;
    this.#send();
  }

  #send(): void {
    for (let room = this.#window.room(this.#size); room > 0; room = this.#window.room(this.#size)) this.#depart(room);
    if (this.#resume !== null && this.#size < SEND_BUFFER) {
      const resume = this.#resume;
      this.#resume = null;
      resume();
    }
    if (this.#end !== null && this.#size === 0) {
      const end = this.#end;
      this.#end = null;
      this.#departures.add(this.#link.carry(0, 'down', performance.now()), () => void this.#socket.end());
      end();
    }
  }

  #depart(most: number): void {
    const bytes = this.#take(most);
    const isPartial = this.#window.sent(bytes.length);
    const { rtt, nagle } = this.#link.conditions;
    const at = this.#link.carry(bytes.length, 'down', performance.now());
    this.#departures.add(at, () => void (this.#socket.writable && this.#socket.write(bytes)));
    this.#acknowledgements.expect(bytes.length, at + rtt / 2, nagle && isPartial);
  }

  /** The next piece, of at most `most` bytes. */
  #take(most: number): Buffer {
    const all = this.#waiting.length === 1 ? (this.#waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#waiting);
    const piece = all.subarray(0, most);
    this.#waiting = piece.length < all.length ? [all.subarray(piece.length)] : [];
    this.#size -= piece.length;
    return piece;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#arrivals.close();
    this.#acknowledgements.close();
    if (this.writableFinished) {
      // Everything was sent, but is still on its way; the browser closes the socket after it.
      this.#socket.resume();
    } else {
      this.#departures.close();
      this.#socket.destroy();
    }
    done(error);
  }
}
