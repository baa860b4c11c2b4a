import { webAddress } from './web-address.ts';

/** winhttp.h: DHCP only. DNS names are looked up by our own rules, which never query `wpad.com`. */
const WINHTTP_AUTO_DETECT_TYPE_DHCP = 1;

/**
 * The PAC file in DHCP option 252, as Windows detects it (WinHttpDetectAutoProxyConfigUrl), which asks the DHCP server
 * of each network. Runs on a pool thread. Null: there is none, or this is not Windows. Never rejects.
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
