import { type Koffi, type Library, linuxCall } from './linux-call.ts';

/** asm-generic/socket.h, linux/socket.h. */
const [SOL_SOCKET, SO_TIMESTAMPNS] = [1, 35];
/** MSG_PEEK, MSG_TRUNC (counts without copying, tcp(7)) and MSG_DONTWAIT. */
const PEEK = 0x02 | 0x20 | 0x40;
/** linux/eventpoll.h. */
const [EPOLL_CLOEXEC, EPOLL_CTL_ADD, EPOLLIN, EPOLLET] = [0o2000000, 1, 1, 2 ** 31];
/** time.h. */
const [CLOCK_REALTIME, CLOCK_MONOTONIC] = [0, 1];
/** Milliseconds: if two clocks now differ by so much more or less, one of them was set, or the system slept. */
const STEP = 50;
const EEXIST = 17;

/** The size of an `epoll_event`, which has no padding on x86-64, and the place of its data. */
const EVENT_LAYOUTS: Partial<Record<NodeJS.Architecture, { size: number; data: number }>> = {
  x64: { size: 12, data: 4 },
  arm64: { size: 16, data: 8 },
};
const EVENTS = 64;
/** The places of fields in `msghdr`, and its size, on 64-bit systems. */
const MESSAGE = { iov: 16, iovLength: 24, control: 32, controlLength: 40, size: 56 };
/** Segments that a look tells apart, in so many bytes at most, and after so many milliseconds without a look. */
const [SEGMENTS, SMALL, SHORT] = [8, 16 * 1024, 0.5];
/** A control message: its head, and a `timespec`. */
const [HEAD, TIMESPEC] = [16, 16];
/** Bytes that a look counts at most. Kernels that do not know MSG_TRUNC for TCP copy them. */
const MOST = 128 * 1024;

/**
 * A socket has got bytes: how many wait, and how long ago the last of them came, milliseconds; null: not known. Called
 * for its first bytes too, if they came before. With 0 bytes: it has ended or was reset, and may have some.
 */
export type Stamped = (descriptor: number, waiting: number, ago: number | null) => void;

/** The kernel's stamps of bytes that have arrived and were not read yet. */
export interface ArrivalStamps {
  /** From now on, looks include this socket, until it is closed. False: the system refused. */
  watch: (descriptor: number) => boolean;
  /** Calls `stamped` for each socket that has got bytes since the last look, `since` milliseconds ago. */
  look: (since: number, stamped: Stamped) => void;
}

const NOTHING: ArrivalStamps = { watch: () => false, look: () => {} };

/** Memory that never moves: V8 keeps small arrays in its heap, unless they have their own buffer. */
function memory(size: number): Buffer {
  return Buffer.from(new ArrayBuffer(size));
}

/** Where such memory is: the system's structures point to each other. `memmove` returns its first parameter. */
function addressing(library: Library, koffi: Koffi): (bytes: Buffer) => bigint {
  const memmove = library.func('void *memmove(void *to, void *from, size_t count)');
  return (bytes) => koffi.address(memmove(bytes, bytes, 0));
}

/** The time in a `timespec`, milliseconds. */
function timeAt(bytes: Buffer, at: number): number {
  const seconds = bytes.readInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);
  // Two halves, because BigInts are objects.
  return seconds * 1000 + bytes.readInt32LE(at + 8) / 1e6;
}

/** A reader of the clock that stamps bytes. It returns null if that clock was set since the last reading. */
function stampClock(library: Library): () => number | null {
  const clockGettime = library.func('int clock_gettime(int clock, void *time)');
  const time = memory(TIMESPEC);
  const read = (clock: number): number => {
    clockGettime(clock, time);
    return timeAt(time, 0);
  };
  let apart = Number.NaN;
  return () => {
    const now = read(CLOCK_REALTIME);
    const before = apart;
    apart = now - read(CLOCK_MONOTONIC);
    return Math.abs(apart - before) > STEP ? null : now;
  };
}

/** The first `waiting` bytes of those that wait at a socket. `stamp`: of the last one; null: it has none. */
interface Waiting {
  waiting: number;
  stamp: number | null;
}

const NONE: Waiting = { waiting: 0, stamp: null };

/** A function that counts the bytes which wait at a socket, up to `most`. */
function peeking(library: Library, koffi: Koffi): (descriptor: number, most: number) => Waiting {
  const recvmsg = library.func('long recvmsg(int descriptor, void *message, int flags)');
  const addressOf = addressing(library, koffi);
  const [sink, vector, control] = [memory(MOST), memory(2 * 8), memory(HEAD + TIMESPEC)];
  const message = memory(MESSAGE.size);
  vector.writeBigUInt64LE(addressOf(sink), 0);
  message.writeBigUInt64LE(addressOf(vector), MESSAGE.iov);
  message.writeBigUInt64LE(1n, MESSAGE.iovLength);
  message.writeBigUInt64LE(addressOf(control), MESSAGE.control);
  return (descriptor, most) => {
    // The sizes fit into the lower half. These lines also keep the buffers that others point to.
    vector.writeUInt32LE(Math.min(most, sink.length), 8);
    message.writeUInt32LE(control.length, MESSAGE.controlLength);
    const waiting = Number(recvmsg(descriptor, message, PEEK));
    const isStamped = message.readUInt32LE(MESSAGE.controlLength) >= control.length;
    return { waiting, stamp: isStamped ? timeAt(control, HEAD) : null };
  };
}

/**
 * The segments in which waiting bytes came, as far as the kernel has not joined them. The stamp changes from one to the
 * next, and its place is found by bisection. `upTo`: from the first byte; ends with `whole`.
 */
function* segmentsOf(whole: Waiting, upTo: (bytes: number) => number | null): Generator<Waiting> {
  let from = 0;
  for (let count = 1; count < SEGMENTS; count += 1) {
    const stamp = upTo(from + 1);
    if (stamp === whole.stamp) break;
    let [low, high] = [from + 1, whole.waiting];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (upTo(middle) === stamp) low = middle;
      else high = middle;
    }
    yield { waiting: low, stamp };
    from = low;
  }
  yield whole;
}

/**
 * Null while the system's calls are being loaded, which the first use starts. A look costs 1.5 us, and 1 us more for
 * each socket that has got bytes.
 */
export const arrivalStamps = linuxCall<ArrivalStamps>((library, koffi) => {
  const layout = EVENT_LAYOUTS[process.arch];
  const poll = Number(library.func('int epoll_create1(int flags)')(EPOLL_CLOEXEC));
  if (layout === undefined || poll < 0) return NOTHING;
  const setsockopt = library.func('int setsockopt(int descriptor, int level, int name, void *value, uint length)');
  const epollCtl = library.func('int epoll_ctl(int poll, int operation, int descriptor, void *event)');
  const epollWait = library.func('int epoll_wait(int poll, void *events, int most, int timeout)');
  const [clock, peek] = [stampClock(library), peeking(library, koffi)];
  const [events, event] = [memory(layout.size * EVENTS), memory(layout.size)];
  const on = Buffer.from([1, 0, 0, 0]);
  return {
    watch: (descriptor) => {
      if (setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, on, on.length) !== 0) return false;
      event.writeUInt32LE(EPOLLIN + EPOLLET, 0);
      event.writeInt32LE(descriptor, layout.data);
      // The socket below TLS has the same descriptor.
      return epollCtl(poll, EPOLL_CTL_ADD, descriptor, event) === 0 || koffi.errno() === EEXIST;
    },
    look: (since, stamped) => {
      for (let count = EVENTS; count === EVENTS; ) {
        count = Number(epollWait(poll, events, EVENTS, 0));
        if (count <= 0) return;
        const now = clock();
        for (let at = 0; at < count; at += 1) {
          const descriptor = events.readInt32LE(at * layout.size + layout.data);
          // A reset connection: looking would take the error from whoever reads.
          const isReset = events.readUInt32LE(at * layout.size) !== EPOLLIN;
          const whole = isReset ? NONE : peek(descriptor, MOST);
          const isPlain = since < SHORT || whole.waiting > SMALL || whole.waiting <= 0;
          const parts = isPlain ? [whole] : segmentsOf(whole, (most) => peek(descriptor, most).stamp);
          for (const { waiting, stamp } of parts) {
            const ago = now === null || stamp === null ? -1 : now - stamp;
            stamped(descriptor, Math.max(waiting, 0), ago < 0 ? null : ago);
          }
        }
      }
    },
  };
}, NOTHING);
