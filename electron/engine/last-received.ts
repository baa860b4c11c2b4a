import { linuxCall } from './linux-call.ts';

/** netinet/in.h, netinet/tcp.h. */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
/** The position of `tcpi_last_data_recv` in linux/tcp.h's `tcp_info`. */
const LAST_DATA_RECV = 52;
/** time.h: the clock that advances with the kernel's ticks. */
const CLOCK_MONOTONIC_COARSE = 6;

/** What the system reports about a socket's last segment with data. */
export interface LastReceived {
  /** The resolution of its time, milliseconds. */
  tick: number;
  /** How long ago it arrived, milliseconds, up to a tick more or less. Null if the system does not report it. */
  ago: (descriptor: number) => number | null;
}

const NOTHING: LastReceived = { tick: Number.POSITIVE_INFINITY, ago: () => null };

/** Null while the system's calls are being loaded, which the first use starts. */
export const lastReceived = linuxCall<LastReceived>((library) => {
  const getsockopt = library.func('int getsockopt(int descriptor, int level, int name, void *value, void *length)');
  const clockGetres = library.func('int clock_getres(int clock, void *resolution)');
  const resolution = Buffer.alloc(16);
  if (clockGetres(CLOCK_MONOTONIC_COARSE, resolution) !== 0) return NOTHING;
  const info = Buffer.alloc(LAST_DATA_RECV + 4);
  const length = Buffer.alloc(4);
  return {
    tick: Number(resolution.readBigInt64LE(0)) * 1000 + Number(resolution.readBigInt64LE(8)) / 1e6,
    ago: (descriptor) => {
      length.writeInt32LE(info.length);
      const failed = getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) !== 0;
      return failed || length.readInt32LE() < info.length ? null : info.readUInt32LE(LAST_DATA_RECV);
    },
  };
}, NOTHING);
