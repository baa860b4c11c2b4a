/** linux/sockios.h: the bytes in a TCP socket's queue that were never sent. */
const SIOCOUTQNSD = 0x894b;

/** The number of bytes that wait in a socket's queue. Null if the system does not say. */
export type AskUnsent = (descriptor: number) => number | null;

let asking: AskUnsent | null = null;
let isLoading = false;

async function load(): Promise<void> {
  try {
    const koffi = (await import('koffi')).default;
    const ioctl = koffi.load(null).func('int ioctl(int descriptor, unsigned long request, void *value)');
    const value = Buffer.alloc(4);
    asking = (descriptor) => (ioctl(descriptor, SIOCOUTQNSD, value) === 0 ? value.readInt32LE() : null);
  } catch {
    asking = () => null;
  }
}

/** Null while the system's call is being loaded, which the first call starts. It takes some milliseconds, once. */
export function askUnsent(): AskUnsent | null {
  if (asking !== null) return asking;
  if (process.platform !== 'linux') {
    asking = () => null;
    return asking;
  }
  if (!isLoading) {
    isLoading = true;
    void load();
  }
  return null;
}
