import { protocol } from 'electron';
import { type PageFile, readPageFile } from '../../commands/page-files.ts';
import { PAGE_HEADERS } from '../../commands/page-policy.ts';

const SCHEME = 'app';
const ORIGIN = `${SCHEME}://roundtrip`;
export const PAGE_URL = `${ORIGIN}/index.html`;

/** Must be called before the app is ready. Uses our own scheme instead of file:, whose pages could read every file. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

export function isOurPage(url: string): boolean {
  return url === ORIGIN || url.startsWith(`${ORIGIN}/`);
}

async function read(folder: string, url: string): Promise<PageFile | null> {
  return isOurPage(url) ? await readPageFile(folder, new URL(url).pathname) : null;
}

/** Serves the UI's files with their security headers. `folder`: absolute; may be inside the app's archive. */
export function servePage(folder: string): void {
  protocol.handle(SCHEME, async ({ url }) => {
    const file = await read(folder, url);
    if (file === null) return new Response('File not found.', { status: 404, headers: PAGE_HEADERS });
    return new Response(new Uint8Array(file.bytes), { headers: { ...PAGE_HEADERS, 'content-type': file.type } });
  });
}
