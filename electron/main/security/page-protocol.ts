import { protocol } from 'electron';
import { type PageFile, readPageFileNow } from '../../commands/page-files.ts';
import { PAGE_HEADERS } from '../../commands/page-policy.ts';

const SCHEME = 'app';
const ORIGIN = `${SCHEME}://roundtrip`;
export const PAGE_URL = `${ORIGIN}/index.html`;
/** The page says that it replaces one that crashed. */
export const PAGE_AFTER_CRASH = `${PAGE_URL}#page-ended`;

/** Must be called before the app is ready. Uses our own scheme instead of file:, whose pages could read every file. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: SCHEME,
      // `codeCache`: from the second start on, Chromium has the page's scripts compiled.
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

export function isOurPage(url: string): boolean {
  return url === ORIGIN || url.startsWith(`${ORIGIN}/`);
}

function read(folder: string, url: string): PageFile | null {
  return isOurPage(url) ? readPageFileNow(folder, new URL(url).pathname) : null;
}

/** Serves the UI's files with their security headers. `folder`: absolute; may be inside the app's archive. */
export function servePage(folder: string): void {
  protocol.handle(SCHEME, ({ url }) => {
    const file = read(folder, url);
    if (file === null) return new Response('File not found.', { status: 404, headers: PAGE_HEADERS });
    return new Response(new Uint8Array(file.bytes), { headers: { ...PAGE_HEADERS, 'content-type': file.type } });
  });
}
