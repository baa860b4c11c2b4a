import { linuxCall } from '../../linux-call.ts';

/** linux/sockios.h: the bytes in a TCP socket's queue that were never sent. */
const SIOCOUTQNSD = 0x894b;

/** The number of bytes that wait in a socket's queue. Null if the system does not report it. */
export type AskUnsent = (descriptor: number) => number | null;

/** Null while the system's call is being loaded, which the first use starts. */
export const askUnsent = linuxCall<AskUnsent>(
  (library) => {
    const ioctl = library.func('int ioctl(int descriptor, unsigned long request, void *value)');
    const value = Buffer.alloc(4);
    return (descriptor) => (ioctl(descriptor, SIOCOUTQNSD, value) === 0 ? value.readInt32LE() : null);
  },
  () => null,
);
