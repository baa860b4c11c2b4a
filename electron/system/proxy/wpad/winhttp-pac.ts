import { webAddress } from './web-address.ts';

/** winhttp.h: by DHCP alone. The names are looked up as everywhere, so that `wpad.com` is asked here neither. */
const WINHTTP_AUTO_DETECT_TYPE_DHCP = 1;

/**
 * The PAC file that DHCP's option 252 names, as Windows knows it (WinHttpDetectAutoProxyConfigUrl): it asks the DHCP
 * server of each network, on a thread of the pool. Null: none is named, or this is no Windows. Never rejects.
 */
export async function winhttpPac(): Promise<string | null> {
  try {
    const koffi = (await import('koffi')).default;
    const detect = koffi
      .load('winhttp.dll')
      .func('int __stdcall WinHttpDetectAutoProxyConfigUrl(uint32_t flags, _Out_ void **url)');
    const free = koffi.load('kernel32.dll').func('void * __stdcall GlobalFree(void *memory)');
    const url: [unknown] = [null];
    const found = await new Promise<number>((resolve, reject) => {
      detect.async(WINHTTP_AUTO_DETECT_TYPE_DHCP, url, (error: Error | null, done: number) =>
        error ? reject(error) : resolve(done),
      );
    });
    if (found === 0 || url[0] === null) return null;
    const text = koffi.decode.string16(url[0]);
    free(url[0]);
    return webAddress(text);
  } catch {
    return null;
  }
}
