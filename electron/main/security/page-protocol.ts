import { protocol } from 'electron';
import { type PageFile, readPageFile } from '../../commands/page-files.ts';
import { PAGE_HEADERS } from '../../commands/page-policy.ts';

const SCHEME = 'app';
const ORIGIN = `${SCHEME}://roundtrip`;
export const PAGE_URL = `${ORIGIN}/index.html`;

/** Before the app is ready. A scheme of our own, and not file:, whose pages could read every file. */
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

/** Serves the UI's files, with its policy. `folder`: absolute, may lie in the app's archive. */
export function servePage(folder: string): void {
  protocol.handle(SCHEME, async ({ url }) => {
    const file = await read(folder, url);
    if (file === null) return new Response('There is no such file.', { status: 404, headers: PAGE_HEADERS });
    return new Response(new Uint8Array(file.bytes), { headers: { ...PAGE_HEADERS, 'content-type': file.type } });
  });
}
