import type { Socket } from 'node:net';
import { linuxCall } from './linux-call.ts';
import { descriptorOf } from './listen/descriptors.ts';

/** netinet/in.h, netinet/tcp.h. */
const IPPROTO_TCP = 6;
const TCP_QUICKACK = 12;

const acknowledge = linuxCall<(descriptor: number) => void>(
  (library) => {
    const setsockopt = library.func('int setsockopt(int descriptor, int level, int name, void *value, uint length)');
    const on = Buffer.from([1, 0, 0, 0]);
    return (descriptor) => setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, on, on.length);
  },
  () => {},
);

/**
 * Acknowledges now what the socket has received. Linux otherwise waits up to 40 ms for a response that the
 * acknowledgement could travel with (RFC 1122, section 4.2.3.2). Other systems have no such call.
 */
export function acknowledgeNow(socket: Socket): void {
  acknowledge()?.(descriptorOf(socket));
}
